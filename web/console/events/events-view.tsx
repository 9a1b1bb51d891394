import { ActionIcon, Button, Group, SegmentedControl, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { type Format, useFormat } from '../../ui/format.ts'
import { SearchIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { useNow } from '../../ui/now.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { matchesText } from '../../ui/match-text.ts'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { say, sayFault } from '../../ui/toasts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { EventTags } from './event-tags.tsx'
import classes from './events.module.css'
import { Facts } from './facts.tsx'
import { eventsQuery } from './queries.ts'
import { type Event, isOver, isTonight } from './rules.ts'
import { TonightFigures } from './tonight-figures.tsx'
import { eventWords } from './words.ts'

const route = getRouteApi('/frame/events')

/** What is coming, and first of all what is on tonight. */
export const EventsView = () => {
  const words = useWords(eventWords)
  const format = useFormat()
  const { show = 'coming', text = '' } = route.useSearch()
  const query = useQuery(eventsQuery(show === 'archived'))
  usePageTitle(words.events)

  const now = useNow()
  const shown = (query.data ?? []).filter(
    (event) => (show === 'archived' || isOver(event, now) === (show === 'past')) && matchesText(event.title, text),
  )
  const tonight = show === 'coming' ? shown.filter((event) => isTonight(event, now, format.dayKey)) : []
  const others = shown.filter((event) => !tonight.includes(event))

  return (
    <>
      <Title order={1} size="h2">
        {words.events}
      </Title>
      <Toolbar />
      {query.isPending && <LoadingRows />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && shown.length === 0 && <NoEvents />}
      {tonight.length > 0 && (
        <section aria-label={words.tonight}>
          <Title order={2} size="lg" mb="xs">
            {words.tonight}
          </Title>
          {tonight.map((event) => (
            <TonightCard key={event.id} event={event} format={format} />
          ))}
        </section>
      )}
      {tonight.length > 0 && others.length > 0 && (
        <Title order={2} size="lg" className={classes.later}>
          {words.later}
        </Title>
      )}
      {others.length > 0 && <EventList events={others} key={show} />}
    </>
  )
}

const Toolbar = () => {
  const words = useWords(eventWords)
  const common = useWords(commonWords)
  const { show = 'coming', text = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useShortcuts([{ keys: '/', label: common.keys.search, run: () => field.current?.focus() }])

  const search = (next: string) =>
    void navigate({ search: (before) => ({ ...before, text: next || undefined }), replace: true })

  return (
    <div className={classes.toolbar}>
      <TextInput
        ref={field}
        className={classes.searchField}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<SearchIcon size={16} />}
        value={text}
        onChange={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        rightSection={
          text !== '' && (
            <ActionIcon variant="subtle" color="gray" aria-label={words.clearSearch} onClick={() => search('')}>
              ×
            </ActionIcon>
          )
        }
      />
      <SegmentedControl
        aria-label={words.show}
        value={show}
        onChange={(value) =>
          void navigate({
            search: (before) => ({ ...before, show: value === 'past' || value === 'archived' ? value : undefined }),
          })
        }
        data={(['coming', 'past', 'archived'] as const).map((value) => ({ value, label: words.shows[value] }))}
      />
    </div>
  )
}

const NoEvents = () => {
  const words = useWords(eventWords)
  const { show = 'coming', text = '' } = route.useSearch()
  const why = text !== '' ? 'found' : show
  const action =
    why === 'found' ? (
      <Link from="/events" to="/events" search={{ show: show === 'coming' ? undefined : show }}>
        {words.clearSearch}
      </Link>
    ) : (
      why === 'coming' && (
        <Link to="/events" search={{ show: 'past' }}>
          {words.showPast}
        </Link>
      )
    )
  return (
    <EmptyState title={words.none[why]} action={action}>
      {words.noneMore[why]}
    </EmptyState>
  )
}

const TonightCard = ({ event, format }: { event: Event; format: Format }) => {
  const words = useWords(eventWords)
  const at = (iso: string) => format.date(iso, event.time_zone, 'time')
  return (
    <article className={classes.tonight}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Link to="/events/$slug" params={{ slug: event.slug }} className={classes.title} dir="auto">
          {event.title}
        </Link>
        <Group gap="xs">
          <EventTags event={event} />
        </Group>
      </Group>
      <Facts
        facts={[
          event.doors_open_at && words.doors(at(event.doors_open_at)),
          words.starts(at(event.starts_at)),
          words.ends(at(event.ends_at)),
          event.venue?.name,
        ]}
      />
      <TonightFigures slug={event.slug} />
    </article>
  )
}

const EventList = ({ events }: { events: readonly Event[] }) => {
  const words = useWords(eventWords)
  const common = useWords(commonWords)
  const format = useFormat()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())

  const pick = (slug: string) => setPicked((before) => before.symmetricDifference(new Set([slug])))

  const copy = async () => {
    const lines = events
      .filter(({ slug }) => picked.has(slug))
      .map((event) => `${format.date(event.starts_at, event.time_zone, 'moment')}  ${event.title}`)
    try {
      await navigator.clipboard.writeText(lines.join('\n'))
      say(words.copied(lines.length))
    } catch {
      sayFault(words.notCopied)
    }
  }

  return (
    <>
      <VirtualList
        items={events}
        keyOf={({ slug }) => slug}
        label={words.list}
        estimate={68}
        picked={picked}
        onPick={pick}
        renderRow={(event, { isPicked }) => <EventRow event={event} format={format} isPicked={isPicked} />}
      />
      {picked.size > 0 && (
        <div className={classes.pickedBar} role="status">
          <span>{common.picked(picked.size)}</span>
          <Button size="compact-md" onClick={() => void copy()}>
            {words.copy}
          </Button>
          <Button size="compact-md" variant="default" onClick={() => setPicked(new Set())}>
            {common.clear}
          </Button>
        </div>
      )}
    </>
  )
}

const EventRow = ({ event, format, isPicked }: { event: Event; format: Format; isPicked: boolean }) => {
  const isThisYear = new Date(event.starts_at).getUTCFullYear() === useNow().getUTCFullYear()
  return (
    <Link to="/events/$slug" params={{ slug: event.slug }} className={classes.row} data-picked={isPicked || undefined}>
      <span className={classes.when}>
        <span>{format.date(event.starts_at, event.time_zone, isThisYear ? 'day' : 'dayAndYear')}</span>
        <span className={classes.quiet}>{format.date(event.starts_at, event.time_zone, 'time')}</span>
      </span>
      <span className={classes.what}>
        <span className={classes.name} dir="auto">
          {event.title}
        </span>
        {event.venue && (
          <span className={classes.quiet} dir="auto">
            {[event.venue.name, event.venue.city].filter(Boolean).join(', ')}
          </span>
        )}
      </span>
      <span className={classes.tags}>
        <EventTags event={event} without="over" />
      </span>
    </Link>
  )
}
