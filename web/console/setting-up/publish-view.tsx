import { Badge, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormat } from '../../ui/format.ts'
import { ArrowIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { EventActions } from './event-actions.tsx'
import { type MissingPart, findMissingParts } from './missing.ts'
import { publishWords } from './publish-words.ts'
import { type EventDetails, accountQuery, areasQuery, eventQuery, placesQuery, ticketsQuery } from './queries.ts'
import classes from './setting-up.module.css'

const route = getRouteApi('/frame/events/$slug/setup')

/** The last step: what is missing, how it will look, and out with it. */
export const PublishView = (): ReactNode => {
  const { slug } = route.useParams()
  const { data: event } = useQuery(eventQuery(slug))
  return event ? <Publish event={event} /> : null
}

const Publish = ({ event }: { event: EventDetails }) => {
  const words = useWords(publishWords)
  return (
    <div className={classes.form}>
      <section className={classes.section} aria-label={words.missing}>
        <h2 className={classes.sectionTitle}>{words.missing}</h2>
        <MissingList event={event} />
      </section>
      <section className={classes.section} aria-label={words.actions}>
        <h2 className={classes.sectionTitle}>{words.actions}</h2>
        <EventActions event={event} />
      </section>
      <Preview event={event} />
    </div>
  )
}

const MissingList = ({ event }: { event: EventDetails }) => {
  const words = useWords(publishWords)
  const now = useNow()
  const { slug } = event
  const account = useQuery(accountQuery())
  const tickets = useQuery(ticketsQuery(slug))
  const areas = useQuery(areasQuery(slug))
  const places = useQuery(placesQuery(slug))
  const failed = [account, tickets, areas, places].find(({ isError, data }) => isError && !data)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!account.data || !tickets.data || !areas.data || !places.data) return <LoadingRows rows={3} height={40} />
  const missing = findMissingParts({
    event,
    tickets: tickets.data,
    areas: areas.data,
    places: places.data,
    isShopOpen: account.data.shop_published,
    now,
  })
  if (missing.length === 0) return <Text>{words.nothingMissing}</Text>
  return (
    <ul className={classes.missing}>
      {missing.map((each) => (
        <MissingItem key={JSON.stringify(each)} missing={each} slug={slug} />
      ))}
    </ul>
  )
}

const PATHS = {
  details: '/events/$slug/setup',
  tickets: '/events/$slug/setup/tickets',
  areas: '/events/$slug/setup/areas',
  seats: '/events/$slug/setup/seats',
} as const

const MissingItem = ({ missing, slug }: { missing: MissingPart; slug: string }) => {
  const words = useWords(publishWords)
  const { number } = useFormat()
  const sentence = () => {
    switch (missing.what) {
      case 'seats':
      case 'areas':
      case 'codes':
        return words.missingThings[missing.what](missing.ticket)
      case 'capacity':
        return words.missingThings.capacity(number(missing.stock), number(missing.capacity))
      default:
        return words.missingThings[missing.what]
    }
  }
  return (
    <li data-weighty={missing.isWeighty || undefined}>
      {missing.isWeighty && (
        <Badge color="warn" variant="light" tt="none" radius="sm">
          {words.weighty}
        </Badge>
      )}
      <span>{sentence()}</span>
      {missing.tab && (
        <Link to={PATHS[missing.tab]} params={{ slug }}>
          {words.fix}
        </Link>
      )}
    </li>
  )
}

/** The server draws the very page of the shop, whether it is published or not. */
const Preview = ({ event }: { event: EventDetails }) => {
  const words = useWords(publishWords)
  const address = `/admin/events/${event.slug}/preview`
  return (
    <section className={classes.section} aria-label={words.preview}>
      <h2 className={classes.sectionTitle}>{words.preview}</h2>
      <Text size="sm" c="dimmed">
        {words.previewMore}
      </Text>
      <div>
        <Button
          variant="default"
          component="a"
          href={address}
          target="_blank"
          rel="noreferrer"
          rightSection={<ArrowIcon size={14} />}
        >
          {words.previewOpen}
        </Button>
      </div>
      <iframe
        key={event.updated_at}
        className={classes.preview}
        src={address}
        title={words.previewFrame}
        sandbox=""
        loading="lazy"
      />
    </section>
  )
}
