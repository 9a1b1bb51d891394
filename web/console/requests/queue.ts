import { type DecisionState, type SignupRequest, isDecided } from './rules.ts'

/** The requests that were read, newest first, and what was decided about them since. */
export interface RequestQueueState {
  keys: readonly string[]
  requests: ReadonlyMap<string, SignupRequest>
  decisions: ReadonlyMap<string, DecisionState>
  /** Came in since, and wait above the list until somebody wants to see them. */
  arrivals: readonly SignupRequest[]
  waitingCount: number
  hasMore: boolean
  /** Pages to skip beyond what is read, after one that held nothing new. */
  pagesSkipped: number
}

export const EMPTY_QUEUE: RequestQueueState = {
  keys: [],
  requests: new Map(),
  decisions: new Map(),
  arrivals: [],
  waitingCount: 0,
  hasMore: true,
  pagesSkipped: 0,
}

export interface RequestPage {
  pending_count: number
  next_page: number | null
  requests: readonly SignupRequest[]
}

export type QueueAction =
  | { type: 'page read'; page: RequestPage }
  | { type: 'head read'; page: RequestPage }
  | { type: 'arrivals shown' }
  | { type: 'decided'; decisions: ReadonlyMap<string, DecisionState> }

export const queueReducer = (queue: RequestQueueState, action: QueueAction): RequestQueueState => {
  if (action.type === 'page read') return readPage(queue, action.page)
  if (action.type === 'head read') return readHead(queue, action.page)
  return action.type === 'decided' ? decide(queue, action.decisions) : showArrivals(queue)
}

const readPage = (queue: RequestQueueState, page: RequestPage): RequestQueueState => {
  const fresh = page.requests.filter(({ public_id }) => !queue.requests.has(public_id))
  return {
    ...queue,
    keys: [...queue.keys, ...fresh.map(({ public_id }) => public_id)],
    requests: withRequests(queue.requests, fresh),
    waitingCount: page.pending_count,
    hasMore: page.next_page !== null,
    pagesSkipped: fresh.length === 0 ? queue.pagesSkipped + 1 : 0,
  }
}

const readHead = (queue: RequestQueueState, page: RequestPage): RequestQueueState => {
  const newest = queue.requests.get(queue.keys[0] ?? '')?.created_at ?? ''
  const arrivals = page.requests.filter(
    ({ public_id, created_at }) => !queue.requests.has(public_id) && created_at >= newest,
  )
  return { ...queue, arrivals, waitingCount: page.pending_count }
}

const showArrivals = (queue: RequestQueueState): RequestQueueState => ({
  ...queue,
  keys: [...queue.arrivals.map(({ public_id }) => public_id), ...queue.keys],
  requests: withRequests(queue.requests, queue.arrivals),
  arrivals: [],
})

const decide = (queue: RequestQueueState, made: ReadonlyMap<string, DecisionState>): RequestQueueState => {
  const decisions = new Map([...queue.decisions, ...made])
  const before = countDecided(queue.decisions)
  return { ...queue, decisions, waitingCount: Math.max(0, queue.waitingCount - countDecided(decisions) + before) }
}

const withRequests = (known: ReadonlyMap<string, SignupRequest>, fresh: readonly SignupRequest[]) =>
  new Map([...known, ...fresh.map((request) => [request.public_id, request] as const)])

const countDecided = (decisions: ReadonlyMap<string, DecisionState>) =>
  decisions.values().filter(isDecided).toArray().length

/**
 * The page to read next. What was decided waits no more, so it does not count: the server's pages have moved up by as
 * much. What came in meanwhile moves them down, and is known already when it comes again.
 */
export const nextPageNumber = (queue: RequestQueueState, perPage: number): number =>
  Math.floor((queue.keys.length - countDecided(queue.decisions)) / perPage) + 1 + queue.pagesSkipped
