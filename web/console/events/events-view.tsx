import { Button, Group, SegmentedControl, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useEventSummary, useLiveSummaries } from '../../ui/event-summaries.ts'
import { type Format, useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useNow } from '../../ui/now.ts'
import { usePageTitle } from '../../ui/page-title.ts'
import { containsAllWords } from '../../ui/match-text.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { isManager, useSession } from '../../ui/session.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx'
import { showToast, showErrorToast } from '../../ui/toasts.tsx'
import { useTypedText } from '../../ui/typed-text.ts'
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
  const { show = 'coming', text: stored = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const [text, setText] = useTypedText(
    stored,
    (typed) => void navigate({ search: (before) => ({ ...before, text: typed || undefined }), replace: true }),
  )
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
      <Toolbar text={text} onText={setText} />
      {query.isPending && <LoadingRows />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && shown.length === 0 && <NoEvents text={text} onText={setText} />}
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

interface SearchProps {
  text: string
  onText: (text: string) => void
}

const Toolbar = ({ text, onText }: SearchProps) => {
  const words = useWords(eventWords)
  const { show = 'coming' } = route.useSearch()
  const navigate = route.useNavigate()

  return (
    <div className={classes.toolbar}>
      <SearchField className={classes.searchField} label={words.search} text={text} onText={onText} />
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

const NoEvents = ({ text, onText }: SearchProps) => {
  const words = useWords(eventWords)
  const { show = 'coming' } = route.useSearch()
  const why = text !== '' ? 'found' : show
  const action =
    why === 'found' ? (
      <Button variant="default" onClick={() => onText('')}>
        {words.clearSearch}
      </Button>
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
