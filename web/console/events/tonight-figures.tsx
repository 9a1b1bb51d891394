import { Skeleton } from '@mantine/core'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useFormat } from '../../ui/format.ts'
import { useWords } from '../../ui/words.ts'
import classes from './events.module.css'
import { doorStatsQuery, stockQuery, waitingQuery } from './queries.ts'
import { stockLeft } from './rules.ts'
import { eventWords } from './words.ts'

/** What matters tonight. A figure that is not known says so instead of showing an old or invented one. */
export const TonightFigures = ({ slug }: { slug: string }) => {
  const words = useWords(eventWords)
  const { number } = useFormat()
  const stats = useQuery(doorStatsQuery(slug))
  const waiting = useQuery(waitingQuery(slug))
  const stock = useQuery(stockQuery(slug))
  return (
    <dl className={classes.figures}>
      <Figure label={words.expected} query={stats} show={({ expected }) => number(expected)} />
      <Figure label={words.arrived} query={stats} show={({ arrived }) => number(arrived)} />
      <Figure label={words.waiting} query={waiting} show={number} isUrgent={(waiting.data ?? 0) > 0} />
      <Figure
        label={words.left}
        query={stock}
        show={(options) => {
          const left = stockLeft(options)
          return left === null ? words.unlimited : number(left)
        }}
        isInWords={stock.data !== undefined && stockLeft(stock.data) === null}
      />
    </dl>
  )
}

interface FigureProps<T> {
  label: string
  query: UseQueryResult<T>
  show: (value: T) => string
  isUrgent?: boolean
  isInWords?: boolean
}

const Figure = <T,>({ label, query, show, isUrgent = false, isInWords = false }: FigureProps<T>) => {
  const words = useWords(eventWords)
  return (
    <div className={classes.figure} data-urgent={isUrgent || undefined} data-in-words={isInWords || undefined}>
      <dt>{label}</dt>
      <dd>
        {query.isPending ? (
          <Skeleton height={28} width={48} />
        ) : query.isError ? (
          <span className={classes.unknown}>{words.unknown}</span>
        ) : (
          show(query.data)
        )}
      </dd>
    </div>
  )
}
