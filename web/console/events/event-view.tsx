import { Anchor, Group, Progress, Table, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { BackLink } from '../../ui/back-link.tsx'
import { useEventRooms } from '../../ui/event-rooms.tsx'
import { useLiveSummaries } from '../../ui/event-summaries.ts'
import { useFormat } from '../../ui/format.ts'
import { ArrowIcon } from '../../ui/icons.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import { EventTags } from './event-tags.tsx'
import classes from './events.module.css'
import { FactList } from './facts.tsx'
import { doorStatsQuery, eventQuery, ticketOptionsQuery } from './queries.ts'
import { QuickTask } from './quick-task.tsx'
import type { Event } from './rules.ts'
import { TonightFigures } from './tonight-figures.tsx'
import { eventWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug')

/** The home of one event. */
export const EventView = () => {
  const words = useWords(eventWords)
  const { slug } = route.useParams()
  const query = useQuery(eventQuery(slug))
  usePageTitle(query.data?.title ?? words.event, words.events)
  useLiveSummaries()
  return (
    <>
      <BackLink to="/events">{words.back}</BackLink>
      {query.isPending && <LoadingRows rows={3} height={96} />}
      {query.isError && !query.data && (
        <ErrorState level={1} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && <EventHome event={query.data} />}
    </>
  )
}

const EventHome = ({ event }: { event: Event }) => (
  <div className={classes.home}>
    <EventHead event={event} />
    <TonightFigures slug={event.slug} />
    <RoomLinks slug={event.slug} />
    <div className={classes.columns}>
      <AtTheDoor slug={event.slug} />
      <TicketsLeft slug={event.slug} />
    </div>
    <QuickTask slug={event.slug} />
  </div>
)

/** Where the work on this event is done. */
const RoomLinks = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  return (
    <nav aria-label={words.roomsOf}>
      <ul className={classes.roomLinks}>
        {useEventRooms(slug).map(({ name, label, hint, path, icon: Icon }) => (
          <li key={name}>
            <Link to={path} className={classes.roomLink}>
              <Icon />
              <span>
                <span className={classes.roomLabel}>{label}</span>
                <span className={classes.quiet}>{hint}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const EventHead = ({ event }: { event: Event }) => {
  const words = useWords(eventWords)
  const { date, number, zoneHint } = useFormat()
  const { account, role } = useSession()
  const at = (iso: string) => date(iso, event.time_zone, 'time')
  const zone = zoneHint(event.starts_at, event.time_zone)
  return (
    <header className={classes.head}>
      <Group gap="sm" align="baseline">
        <Title order={1} size="h2" dir="auto">
          {event.title}
        </Title>
        <EventTags event={event} />
      </Group>
      <FactList
        facts={[
          date(event.starts_at, event.time_zone, 'dayAndYear'),
          event.doors_open_at && words.doors(at(event.doors_open_at)),
          words.starts(at(event.starts_at)),
          words.ends(at(event.ends_at)),
          zone && words.timeIn(zone),
        ]}
      />
      <FactList
        facts={[
          event.venue?.name,
          event.venue?.city,
          event.capacity === null ? null : words.capacity(number(event.capacity)),
        ]}
      />
      <Group gap="lg">
        {isManager(role) && (
          <Anchor
            renderRoot={(props) => <Link to="/events/$slug/setup" params={{ slug: event.slug }} {...props} />}
            size="sm"
          >
            {words.setUp}
          </Anchor>
        )}
        {event.published && (
          <Anchor href={`${account.shop_url}/events/${event.slug}`} target="_blank" rel="noreferrer" size="sm">
            <Group gap={4}>
              {words.publicPage}
              <ArrowIcon size={14} />
            </Group>
          </Anchor>
        )}
      </Group>
    </header>
  )
}

const Panel = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.panel} aria-label={title}>
    <Title order={2} size="lg">
      {title}
    </Title>
    {children}
  </section>
)

const AtTheDoor = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const query = useQuery(doorStatsQuery(slug))
  return (
    <Panel title={words.atTheDoor}>
      {query.isPending && <LoadingRows rows={2} height={40} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.expected === 0 && <p className={classes.facts}>{words.nobody}</p>}
      {query.data && query.data.expected > 0 && (
        <ul className={classes.meters}>
          {query.data.ticket_types.map(({ ticket_title, expected, arrived }) => (
            <li key={ticket_title}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <span dir="auto">{ticket_title}</span>
                <span className={classes.quiet}>{words.arrivedOf(number(arrived), number(expected))}</span>
              </Group>
              <Progress value={expected === 0 ? 0 : (arrived / expected) * 100} size="sm" aria-label={ticket_title} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const TicketsLeft = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const query = useQuery(ticketOptionsQuery(slug))
  return (
    <Panel title={words.tickets}>
      {query.isPending && <LoadingRows rows={2} height={40} />}
      {query.isError && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <p className={classes.facts}>{words.noTickets}</p>}
      {query.data && query.data.length > 0 && (
        <Table verticalSpacing="xs" horizontalSpacing={0}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.ticket}</Table.Th>
              <Table.Th ta="right">{words.free}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {query.data.map(({ id, title, unlimited_stock, available_stock }) => (
              <Table.Tr key={id}>
                <Table.Td dir="auto">{title}</Table.Td>
                <Table.Td ta="right" className="tabular">
                  {unlimited_stock ? words.unlimited : number(available_stock ?? 0)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  )
}
