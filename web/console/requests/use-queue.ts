import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { useEventSummary } from '../../ui/event-summaries.ts'
import { refusalSentence } from '../../ui/refusal-words.ts'
import {
  type RequestListFilter,
  postApprovals,
  postApproval,
  linksQuery,
  fetchRequestPage,
  postRejection,
} from './queries.ts'
import { EMPTY_QUEUE, queueReducer, nextPageNumber } from './queue.ts'
import type { DecisionState } from './rules.ts'

const PER_PAGE = 100
const PER_PAGE_MAX = 250
const HEAD = 25
/** As many as the server takes at once. */
const TOGETHER = 500
/** Rejections go one by one; so many are on their way at a time. */
const REJECTIONS_AT_ONCE = 4

export interface DecisionProgress {
  done: number
  of: number
}

/** The requests of one list: read as far as somebody looks, decided where they stand. */
export const useRequestQueue = (asked: RequestListFilter) => {
  const { slug, linkId, status } = asked
  const queries = useQueryClient()
  const [queue, change] = useReducer(queueReducer, EMPTY_QUEUE)
  const latest = useRef(queue)
  useEffect(() => {
    latest.current = queue
  })
  const reading = useRef<Promise<boolean> | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [hasRead, setHasRead] = useState(false)

  /** Whoever asks while a page is on its way waits for that one. */
  const readMore = useCallback(
    (perPage = PER_PAGE): Promise<boolean> => {
      const readPageMore = async (): Promise<boolean> => {
        try {
          const page = await fetchRequestPage(
            { slug, linkId, status },
            nextPageNumber(latest.current, perPage),
            perPage,
          )
          // Known at once, because the next page is asked for before React shows this one.
          latest.current = queueReducer(latest.current, { type: 'page read', page })
          change({ type: 'page read', page })
          setError(null)
          return page.next_page !== null
        } catch (refusal) {
          setError(refusal)
          return false
        } finally {
          reading.current = null
          setHasRead(true)
        }
      }
      if (reading.current) return reading.current
      if (!latest.current.hasMore) return Promise.resolve(false)
      reading.current = readPageMore()
      return reading.current
    },
    [slug, linkId, status],
  )
  useEffect(() => {
    const start = async () => {
      await readMore()
    }
    void start()
  }, [readMore])

  const readAll = useCallback(async (): Promise<readonly string[]> => {
    while (await readMore(PER_PAGE_MAX));
    return latest.current.keys
  }, [readMore])

  useArrivals(asked, hasRead, (page) => change({ type: 'head read', page }))

  const decide = useCallback(
    (decisions: Iterable<readonly [string, DecisionState]>) =>
      change({ type: 'decided', decisions: new Map(decisions) }),
    [],
  )
  const refreshLinks = useCallback(
    () => void queries.invalidateQueries({ queryKey: linksQuery(slug).queryKey }),
    [queries, slug],
  )

  const decideOne = useCallback(
    async (key: string, kind: 'approved' | 'rejected'): Promise<DecisionState> => {
      decide([[key, { kind: 'deciding' }]])
      const decision = await attempt(
        () => (kind === 'approved' ? postApproval(slug, key) : postRejection(slug, key)),
        kind,
      )
      decide([[key, decision]])
      refreshLinks()
      return decision
    },
    [slug, decide, refreshLinks],
  )

  const approveAll = useCallback(
    async (
      keys: readonly string[],
      onProgress: (progress: DecisionProgress) => void,
    ): Promise<Map<string, DecisionState>> => {
      const decided = new Map<string, DecisionState>()
      for (let from = 0; from < keys.length; from += TOGETHER) {
        const part = keys.slice(from, from + TOGETHER)
        decide(part.map((key) => [key, { kind: 'deciding' }]))
        const outcomes = await approvePart(slug, part)
        for (const [key, decision] of outcomes) decided.set(key, decision)
        decide(outcomes)
        onProgress({ done: from + part.length, of: keys.length })
      }
      refreshLinks()
      return decided
    },
    [slug, decide, refreshLinks],
  )

  const rejectAll = useCallback(
    async (
      keys: readonly string[],
      onProgress: (progress: DecisionProgress) => void,
    ): Promise<Map<string, DecisionState>> => {
      const decided = new Map<string, DecisionState>()
      const left = [...keys]
      const work = async () => {
        for (let key = left.shift(); key !== undefined; key = left.shift()) {
          decided.set(key, await decideOne(key, 'rejected'))
          onProgress({ done: decided.size, of: keys.length })
        }
      }
      await Promise.all(Array.from({ length: REJECTIONS_AT_ONCE }, work))
      return decided
    },
    [decideOne],
  )

  const showArrivals = useCallback(() => change({ type: 'arrivals shown' }), [])
  return { queue, error, hasRead, readMore, readAll, decideOne, approveAll, rejectAll, showArrivals }
}

const attempt = async (work: () => Promise<unknown>, kind: 'approved' | 'rejected'): Promise<DecisionState> => {
  try {
    await work()
    return { kind }
  } catch (refusal) {
    return { kind: 'failed', message: refusalSentence(refusal) }
  }
}

const approvePart = async (slug: string, keys: readonly string[]): Promise<[string, DecisionState][]> => {
  try {
    const { results } = await postApprovals(slug, [...keys])
    return results.map(({ public_id, result, message }) => [
      public_id,
      result === 'approved' ? { kind: 'approved' } : { kind: 'failed', message: message ?? '' },
    ])
  } catch (refusal) {
    return keys.map((key) => [key, { kind: 'failed', message: refusalSentence(refusal) }])
  }
}

/** Whenever the count of those who wait changes, the newest are looked at again. */
const useArrivals = (
  { slug, linkId, status }: RequestListFilter,
  hasRead: boolean,
  onHead: (page: Awaited<ReturnType<typeof fetchRequestPage>>) => void,
) => {
  const { summary } = useEventSummary(slug)
  const waiting = summary?.requests_waiting
  const hear = useRef(onHead)
  useEffect(() => {
    hear.current = onHead
  })
  useEffect(() => {
    let isCurrent = hasRead && status === 'pending' && waiting !== undefined
    const look = async () => {
      if (!isCurrent) return
      const page = await fetchRequestPage({ slug, linkId, status }, 1, HEAD).catch(() => null)
      if (page && isCurrent) hear.current(page)
    }
    void look()
    return () => {
      isCurrent = false
    }
  }, [slug, linkId, status, hasRead, waiting])
}
