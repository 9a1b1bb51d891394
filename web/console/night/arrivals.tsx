import { Skeleton, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy, useMemo } from 'react'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './night.module.css'
import { comparableNightQuery } from './queries.ts'
import { type Event, type Night, arrivalsByMinute, arrivedUntil, doorsOf, isOver, plotSeriesOf } from './rules.ts'
import { nightWords } from './words.ts'

const ArrivalsPlot = lazy(() => import('./arrivals-plot.tsx'))

const MINUTE_MS = 60_000
const NOTHING: Night['arrivals'] = []

interface ArrivalsProps {
  event: Event
  night: Night
  now: number
}

/** Arrivals per minute, beside those of the last comparable night. */
export const Arrivals = ({ event, night, now }: ArrivalsProps) => {
  const words = useWords(nightWords)
  const { date, number } = useFormat()
  const comparable = useQuery(comparableNightQuery(event))
  const doors = doorsOf(event)
  const minute = Math.floor(now / MINUTE_MS)
  const before = comparable.data ?? null
  const tonight = useMemo(() => arrivalsByMinute(night.arrivals, doors), [night.arrivals, doors])
  const past = useMemo(
    () => arrivalsByMinute(before?.night.arrivals ?? NOTHING, before ? doorsOf(before.event) : 0),
    [before],
  )
  const series = useMemo(
    () =>
      plotSeriesOf(tonight, before ? past : null, {
        doors,
        now: minute * MINUTE_MS,
        isOver: isOver(event, minute * MINUTE_MS),
      }),
    [tonight, past, before, doors, minute, event],
  )
  const pastCount = before && arrivedUntil(past, Math.floor((now - doors) / MINUTE_MS))
  const sentence = pastCount === null ? null : words.comparedArrived(number(pastCount))

  return (
    <section className={classes.panel} aria-label={words.arrivals} data-panel="arrivals">
      <Title order={2} size="lg">
        {words.arrivals}
      </Title>
      <Suspense fallback={<Skeleton height={220} radius="md" />}>
        <ArrivalsPlot
          series={series}
          zone={event.time_zone}
          label={`${words.arrivals}. ${words.plot(number(night.arrived), sentence)}`}
        />
      </Suspense>
      <ul className={classes.legend}>
        <li data-line="tonight">{words.tonightLine}</li>
        {before && (
          <li data-line="before">
            <span dir="auto">
              {before.event.title}, {date(before.event.starts_at, before.event.time_zone, 'dayAndYear')}
            </span>
          </li>
        )}
      </ul>
      <p className={classes.quiet}>
        {comparable.isPending
          ? words.lookingBack
          : comparable.isError
            ? words.comparisonFailed
            : (sentence ?? words.noComparison)}
      </p>
    </section>
  )
}
