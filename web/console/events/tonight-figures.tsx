import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type EventSummary, useEventSummary } from '../../ui/event-summaries.ts'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './events.module.css'
import { doorStatsQuery } from './queries.ts'
import { eventWords } from './words.ts'

/** What matters tonight. A figure that is not known says so instead of showing an old or invented one. */
export const TonightFigures = ({ slug }: { slug: string }) => {
  const { summary, isPending, isError } = useEventSummary(slug)
  if (summary === null) return <PastFigures slug={slug} />
  return <ComingFigures summary={isError ? null : summary} isPending={isPending} />
}

interface ComingFiguresProps {
  /** Null: could not be read. */
  summary: EventSummary | null | undefined
  isPending: boolean
}

const ComingFigures = ({ summary, isPending }: ComingFiguresProps) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const show = (value: number | undefined) => (value === undefined ? null : number(value))
  const left = summary ? summary.stock_left : undefined
  return (
    <dl className={classes.figures}>
      <Figure label={words.expected} value={show(summary?.expected)} isPending={isPending} />
      <Figure label={words.arrived} value={show(summary?.arrived)} isPending={isPending} />
      <Figure
        label={words.waiting}
        value={show(summary?.requests_waiting)}
        isPending={isPending}
        isUrgent={(summary?.requests_waiting ?? 0) > 0}
      />
      <Figure
        label={words.left}
        value={left === null ? words.unlimited : show(left)}
        isPending={isPending}
        isInWords={left === null}
      />
    </dl>
  )
}

/** Of an event that is over: who was expected, and who came. */
const PastFigures = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const { data, isPending } = useQuery(doorStatsQuery(slug))
  return (
    <dl className={classes.figures}>
      <Figure label={words.expected} value={data ? number(data.expected) : null} isPending={isPending} />
      <Figure label={words.arrived} value={data ? number(data.arrived) : null} isPending={isPending} />
    </dl>
  )
}

interface FigureProps {
  label: string
  value: string | null
  isPending: boolean
  isUrgent?: boolean
  isInWords?: boolean
}

const Figure = ({ label, value, isPending, isUrgent = false, isInWords = false }: FigureProps) => {
  const words = useWords(eventWords)
  return (
    <div className={classes.figure} data-urgent={isUrgent || undefined} data-in-words={isInWords || undefined}>
      <dt>{label}</dt>
      <dd>
        {value ??
          (isPending ? <Skeleton height={28} width={48} /> : <span className={classes.unknown}>{words.unknown}</span>)}
      </dd>
    </div>
  )
}
