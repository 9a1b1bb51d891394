import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Schemas } from '../../api/client.ts'
import { readAnew } from '../../ui/read-anew.ts'
import { restAfterReading } from '../../ui/rest-after-reading.ts'
import { followWhileVisible } from '../../ui/visible-stream.ts'

type Versions = Schemas['Changes']['topics']
type Topic = keyof Versions

const STREAM = '/admin/changes/stream'
/** As long as nobody tells what changes, what is shown is asked for this often. */
const LOOK_AGAIN_MS = 15_000

/** What the first word of a query's key is about. */
const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  orders: ['orders'],
  vouchers: ['vouchers'],
  'voucher products': ['vouchers'],
  'voucher imports': ['vouchers'],
  memberships: ['team'],
  'scanner devices': ['devices'],
  'device pairing': ['devices'],
  'api tokens': ['tokens'],
  'webhook endpoints': ['webhooks'],
  'audit log': ['audit_log'],
  'payment methods': ['payment_methods'],
  account: ['account'],
  venues: ['account'],
  notifications: ['inbox'],
  'event summaries': ['signup', 'events'],
}

/** The same for the third word, where the first is `events` and the second names one. */
const TOPICS_OF_EVENT: Readonly<Record<string, readonly Topic[]>> = {
  orders: ['orders'],
  'signup links': ['signup'],
  tickets: ['events'],
  'standing areas': ['events'],
  questions: ['events'],
  places: ['events'],
  'ticket options': ['events'],
}

const ALL_TOPICS = [...Object.values(TOPICS), ...Object.values(TOPICS_OF_EVENT)].flat()

const topicsOf = ([first, , third]: QueryKey): readonly Topic[] => {
  if (first !== 'events') return (typeof first === 'string' && TOPICS[first]) || []
  // The list of events, and one event with all that is said of it.
  if (third === undefined) return ['events']
  return (typeof third === 'string' && TOPICS_OF_EVENT[third]) || []
}

/** Reads anew whatever is told to have changed, one reading at a time. */
const openReader = (queries: QueryClient) => {
  let due = new Set<Topic>()
  let isBusy = false
  let timer: ReturnType<typeof setTimeout> | null = null

  const read = async () => {
    timer = null
    isBusy = true
    while (due.size > 0) {
      const topics = due
      due = new Set()
      const began = performance.now()
      await readAnew(queries, { predicate: ({ queryKey }) => topicsOf(queryKey).some((topic) => topics.has(topic)) })
      const restMs = restAfterReading(performance.now() - began)
      if (due.size > 0) await new Promise((resolve) => setTimeout(resolve, restMs))
    }
    isBusy = false
  }

  return {
    add: (topics: readonly Topic[]) => {
      for (const topic of topics) due.add(topic)
      if (!isBusy && due.size > 0) timer ??= setTimeout(() => void read(), 0)
    },
    stop: () => {
      due.clear()
      if (timer) clearTimeout(timer)
    },
  }
}

const followChanges = (queries: QueryClient) => {
  const reader = openReader(queries)
  let known: Versions = {}
  let fallback: ReturnType<typeof setInterval> | null = null

  const lookNowAndThen = (isNeeded: boolean) => {
    if (fallback) clearInterval(fallback)
    fallback = isNeeded ? setInterval(() => reader.add(ALL_TOPICS), LOOK_AGAIN_MS) : null
  }
  const hear = (topics: Versions) => {
    // The first time all of them are new: what was read before somebody listened may be old already.
    reader.add((Object.keys(topics) as Topic[]).filter((topic) => topics[topic] !== known[topic]))
    known = topics
  }
  const leave = followWhileVisible(STREAM, {
    onMessage: ({ event, data }) => {
      if (event === 'changes') hear((data as Schemas['Changes']).topics)
    },
    onLine: (isOpen) => lookNowAndThen(!isOpen),
    onHidden: () => lookNowAndThen(false),
  })
  return () => {
    leave()
    lookNowAndThen(false)
    reader.stop()
  }
}

/** What changes elsewhere shows here within a second: one line for all rooms, and only while somebody can see them. */
export const useLiveChanges = (isWanted: boolean) => {
  const queries = useQueryClient()
  useEffect(() => (isWanted ? followChanges(queries) : undefined), [queries, isWanted])
}
