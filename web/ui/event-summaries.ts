import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api/api.ts'
import { type Schemas, dataOrThrow } from '../api/client.ts'
import { showTold } from './show-told.ts'
import { followWhileVisible } from './visible-stream.ts'

export type EventSummary = Schemas['EventSummary']

/** Coming events in figures; `useLiveSummaries` keeps them fresh. */
export const summariesQuery = queryOptions({
  queryKey: ['event summaries'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/event_summaries', { signal })),
})

/** The figures of one event; undefined as long as they are not known, null for one that is over or archived. */
export const useEventSummary = (slug: string) => {
  const query = useQuery(summariesQuery)
  const summary = query.data?.event_summaries.find(({ event_slug }) => event_slug === slug)
  return { ...query, summary: query.data ? (summary ?? null) : undefined }
}

const STREAM = '/admin/event_summaries/stream'

let listeners = 0
let stop: (() => void) | null = null

/** One stream for all views of the page. */
const listen = (queries: QueryClient): (() => void) =>
  followWhileVisible(STREAM, {
    onMessage: ({ event, data }) => {
      if (event === 'summaries') showTold(queries, summariesQuery.queryKey, data)
    },
  })

/** What matters tonight is told as it changes, as long as a view is there that shows it. */
export const useLiveSummaries = () => {
  const queries = useQueryClient()
  useEffect(() => {
    listeners += 1
    if (listeners === 1) stop = listen(queries)
    return () => {
      listeners -= 1
      if (listeners > 0) return
      stop?.()
      stop = null
    }
  }, [queries])
}
