import { Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { csvOf } from '../../ui/csv.ts'
import { downloadFile } from '../../ui/download-file.ts'
import { useFormat } from '../../ui/format.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { useSession } from '../../ui/session.tsx'
import { ErrorState, LoadingRows } from '../../ui/states.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './night.module.css'
import { eventQuery, nightQuery } from './queries.ts'
import { type Event, type Night, type NightReport, isOver, nightReportOf } from './rules.ts'
import { nightWords } from './words.ts'

const route = getRouteApi('/frame/events/$slug/night/report')

/** The night on a page that can be sent to whoever made it: nothing of single guests, devices or staff. */
export const ReportView = () => {
  const words = useWords(nightWords)
  const { slug } = route.useParams()
  const event = useQuery(eventQuery(slug))
  const night = useQuery({ ...nightQuery(slug), staleTime: 0 })
  usePageTitle(words.reportOf, event.data?.title)
  const failed = event.error ?? night.error
  return (
    <>
      <BackLink to="/events/$slug/night" params={{ slug }}>
        {words.back}
      </BackLink>
      {event.data && night.data ? (
        <Report event={event.data} night={night.data} />
      ) : failed ? (
        <ErrorState level={1} error={failed} onRetry={() => void Promise.all([event.refetch(), night.refetch()])} />
      ) : (
        <LoadingRows rows={4} height={96} />
      )}
    </>
  )
}

const Report = ({ event, night }: { event: Event; night: Night }) => {
  const words = useWords(nightWords)
  const { date } = useFormat()
  const { account } = useSession()
  const report = nightReportOf(night)
  const notes = [
    !isOver(event, Date.parse(night.generated_at)) && words.running,
    report.unsent > 0 && words.unsentLeft(report.unsent),
    report.conflicts > 0 && words.openConflicts(report.conflicts),
  ].filter((note) => note !== false)
  return (
    <article className={classes.report}>
      <header>
        <p className={classes.byHouse} dir="auto">
          {account.name}
        </p>
        <Title order={1} size="h2" dir="auto">
          {event.title}
        </Title>
        <p className={classes.facts}>
          <span>{words.reportOf}</span>
          <span>{date(event.starts_at, event.time_zone, 'dayAndYear')}</span>
          {event.venue && <span dir="auto">{event.venue.name}</span>}
          <span>{words.madeAt(date(night.generated_at, event.time_zone, 'moment'))}</span>
        </p>
        <Tools event={event} report={report} />
      </header>
      {notes.length > 0 && (
        <div className={classes.warnings}>
          {notes.map((note) => (
            <p key={note} className={classes.warning}>
              {note}
            </p>
          ))}
        </div>
      )}
      {report.arrived === 0 ? (
        <p>{words.nothingYet}</p>
      ) : (
        <>
          <Attendance report={report} zone={event.time_zone} />
          <Tickets report={report} />
          <Quarters report={report} zone={event.time_zone} />
        </>
      )}
    </article>
  )
}

const Tools = ({ event, report }: { event: Event; report: NightReport }) => {
  const words = useWords(nightWords)
  const { date } = useFormat()
  const saveCsv = () => {
    const clock = (iso: string) => `${date(iso, event.time_zone, 'day')} ${date(iso, event.time_zone, 'time')}`
    const rows = [
      [words.ticket, words.expected, words.arrived, words.noShows],
      ...report.tickets.map((each) => [
        each.title,
        String(each.expected),
        String(each.arrived),
        String(each.expected - each.arrived),
      ]),
      [words.total, String(report.expected), String(report.arrived), String(report.noShows)],
      [],
      [words.from, words.arrived],
      ...report.quarters.map(({ startsAt, count }) => [clock(startsAt), String(count)]),
    ]
    downloadFile(`${event.slug}-night.csv`, 'text/csv', csvOf(rows))
  }
  useShortcuts([{ keys: 'mod+p', label: words.print, run: () => window.print() }])
  return (
    <Group gap="xs" className={classes.tools} mt="md">
      <Button onClick={() => window.print()}>{words.print}</Button>
      <Button variant="default" onClick={saveCsv}>
        {words.csv}
      </Button>
    </Group>
  )
}

const Attendance = ({ report, zone }: { report: NightReport; zone: string }) => {
  const words = useWords(nightWords)
  const { date, number } = useFormat()
  const at = (iso: string | null) => (iso === null ? '–' : date(iso, zone, 'time'))
  const facts = [
    [words.expected, number(report.expected)],
    [words.arrived, number(report.arrived)],
    [words.noShows, number(report.noShows)],
    [words.shareCame, report.share === null ? '–' : `${number(Math.round(report.share * 1_000) / 10)} %`],
    [words.firstArrival, at(report.firstArrival)],
    [words.lastArrival, at(report.lastArrival)],
    [
      words.peak,
      report.peak ? at(report.peak.startsAt) : '–',
      report.peak && words.arrivalsCount(number(report.peak.count)),
    ],
  ]
  return (
    <section aria-label={words.attendance}>
      <dl className={classes.reportFacts}>
        {facts.map(([label, value, more]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {value}
              {more && <span className={classes.figureMore}>{more}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const Tickets = ({ report }: { report: NightReport }) => {
  const words = useWords(nightWords)
  const { number } = useFormat()
  const rows = report.tickets.map(({ ticket_id: id, title, expected, arrived }) => ({
    key: `${id} ${title}`,
    title,
    expected,
    arrived,
  }))
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {[words.ticket, words.expected, words.arrived, words.noShows].map((label) => (
            <th key={label} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, expected, arrived }) => (
          <tr key={key}>
            <th scope="row" dir="auto">
              {title}
            </th>
            <td>{number(expected)}</td>
            <td>{number(arrived)}</td>
            <td>{number(expected - arrived)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td>{number(report.expected)}</td>
          <td>{number(report.arrived)}</td>
          <td>{number(report.noShows)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

const Quarters = ({ report, zone }: { report: NightReport; zone: string }) => {
  const words = useWords(nightWords)
  const { date, number } = useFormat()
  const most = report.peak?.count ?? 1
  return (
    <section aria-label={words.arrivalsByQuarter}>
      <Title order={2} size="lg">
        {words.arrivalsByQuarter}
      </Title>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{words.from}</th>
            <th scope="col">{words.arrived}</th>
            <td aria-hidden="true" />
          </tr>
        </thead>
        <tbody>
          {report.quarters.map(({ startsAt, count }) => (
            <tr key={startsAt}>
              <th scope="row">{date(startsAt, zone, 'time')}</th>
              <td>{number(count)}</td>
              <td className={classes.barCell} aria-hidden="true">
                <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
