import { ActionIcon, Button, Group, SegmentedControl, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useEventSummary, useLiveSummaries } from '../../ui/event-summaries.ts'
import { type Format, useFormat } from '../../ui/format.ts'
import { PlusIcon, SearchIcon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { useNow } from '../../ui/now.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { containsAllWords } from '../../ui/match-text.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useWords } from '../../ui/words.ts'
import { EventTags } from './event-tags.tsx'
import classes from './events.module.css'
import { FactList } from './facts.tsx'
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
  useLiveSummaries()

  const now = useNow()
  const shown = (query.data ?? []).filter(
    (event) => (show === 'archived' || isOver(event, now) === (show === 'past')) && containsAllWords(event.title, text),
  )
  const tonight = show === 'coming' ? shown.filter((event) => isTonight(event, now, format.dayKey)) : []
  const others = shown.filter((event) => !tonight.includes(event))

  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={1} size="h2">
          {words.events}
        </Title>
        <NewEvent />
      </Group>
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

const NewEvent = () => {
  const words = useWords(eventWords)
  const { role } = useSession()
  if (!isManager(role)) return null
  return (
    <Button renderRoot={(props) => <Link to="/new-event" {...props} />} leftSection={<PlusIcon size={16} />}>
      {words.newEvent}
    </Button>
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
        <Group>
          <NewEvent />
          <Link to="/events" search={{ show: 'past' }}>
            {words.showPast}
          </Link>
        </Group>
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
      <FactList
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
      showToast(words.copied(lines.length))
    } catch {
      showErrorToast(words.notCopied)
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
      <RowFigures slug={event.slug} />
      <span className={classes.tags}>
        <EventTags event={event} without="over" />
      </span>
    </Link>
  )
}

/** What matters about an event that is still to come, in a line. */
const RowFigures = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const { summary } = useEventSummary(slug)
  if (!summary) return <span className={classes.rowFigures} />
  const { expected, arrived, requests_waiting: waiting, stock_left: left } = summary
  return (
    <span className={classes.rowFigures}>
      {waiting > 0 && <span className={classes.urgent}>{words.rowWaiting(number(waiting))}</span>}
      <span>
        {arrived > 0 ? words.arrivedOf(number(arrived), number(expected)) : words.rowExpected(number(expected))}
      </span>
      {left !== null && <span>{words.rowLeft(number(left))}</span>}
    </span>
  )
}
