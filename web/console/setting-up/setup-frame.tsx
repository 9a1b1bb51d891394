import { Badge, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, getRouteApi, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useFormat } from '../../ui/format.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { publishWords } from './publish-words.ts'
import { type EventDetails, eventQuery } from './queries.ts'
import classes from './setting-up.module.css'
import { setupWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/setup')

const TABS = [
  ['details', '/events/$slug/setup'],
  ['tickets', '/events/$slug/setup/tickets'],
  ['areas', '/events/$slug/setup/areas'],
  ['seats', '/events/$slug/setup/seats'],
  ['questions', '/events/$slug/setup/questions'],
  ['publish', '/events/$slug/setup/publish'],
] as const

/** One event while it is being set up: what it consists of, part by part. */
export const SetupFrame = (): ReactNode => {
  const words = useWords(setupWords)
  const { slug } = route.useParams()
  const query = useQuery(eventQuery(slug))
  const part = useLocation({ select: ({ pathname }) => pathname.split('/').at(-1) })
  const [tab] = TABS.find(([name]) => name === part) ?? TABS[0]
  usePageTitle(query.data && words.tabs[tab], query.data?.title, words.setUp)
  return (
    <>
      <BackLink to="/events/$slug" params={{ slug }}>
        {words.back}
      </BackLink>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <Parts event={query.data} />}
    </>
  )
}

const Parts = ({ event }: { event: EventDetails }) => {
  const words = useWords(setupWords)
  const { date } = useFormat()
  const tabs = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone not all of them are in sight.
    tabs.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  return (
    <>
      <header className={classes.head}>
        <Group gap="sm" align="baseline">
          <Title order={1} size="h2" dir="auto">
            {event.title}
          </Title>
          <EventState event={event} />
        </Group>
        <p className={classes.quiet}>
          {date(event.starts_at, event.time_zone, 'dayAndYear')}, {date(event.starts_at, event.time_zone, 'time')}
        </p>
      </header>
      <nav ref={tabs} className={classes.tabs} aria-label={words.parts}>
        {TABS.map(([name, path]) => (
          <Link
            key={name}
            to={path}
            params={{ slug: event.slug }}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}
            className={classes.tab}
          >
            {words.tabs[name]}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  )
}

const EventState = ({ event }: { event: EventDetails }) => {
  const words = useWords(publishWords)
  const state = event.archived ? 'archived' : event.cancelled ? 'cancelled' : event.published ? 'published' : 'draft'
  const colours = { archived: 'gray', cancelled: 'bad', published: 'good', draft: 'warn' }
  return (
    <Badge color={colours[state]} variant="light" tt="none" radius="sm">
      {words.states[state]}
    </Badge>
  )
}
