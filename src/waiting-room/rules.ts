import type { TicketAvailability } from '../inventory/rules.ts'

/** So many are let in a second: what the database serves without anybody else noticing. */
export const TURNS_CALLED_PER_SECOND = 50
/** So many may have a turn at once that they have not used, and never more than there is left to sell. */
export const OPEN_TURNS_MAX = 500
/** How often the line moves. */
export const TURN_CALL_INTERVAL_MS = 250
/** A line that nobody asked about for a moment moves on by no more than this when somebody does. */
const CREDIT_MAX_MS = 5_000
/** Everybody in a line is told to ask sooner than this: where nobody does, they have left. */
const IDLE_MS = 2 * 60_000
/** While nothing is left to sell a line stands still; so often it is noted that somebody still asks. */
const NOTED_MS = 10_000

/** Whoever was called and does not come makes room for the next, and may still come later. */
export const TURN_TAKE_UP_LIMIT_MS = 30_000
/** Whoever came has so long to claim something; a refused claim may be tried again. */
export const TURN_DURATION_MS = 3 * 60_000

/** So long before the sale one may stand in line. */
export const QUEUE_OPENS_BEFORE_SALE_MS = 15 * 60_000
/** So long after its start those who come are still early comers. */
export const DRAW_AFTER_START_MS = 5_000

const RETRY_MAX_SECONDS = 30
const EARLY_RETRY_MAX_SECONDS = 60
/** After the draw everybody wants to know at once; they are told to ask spread over a while, at most so many a second. */
const ANSWERS_PER_SECOND = 1_000
const SPREAD_MAX_SECONDS = 20

/** A line as it stands at one moment. */
export interface QueueState {
  now: Date
  /** Null: the sale has been open all along. */
  salesStartsAt: Date | null
  drawnAt: Date | null
  placeCount: number
  lastRank: number
  calledRank: number
  calledAt: Date
}

/** A place of a line, where the token names one. */
export interface QueuePlace {
  id: number
  rank: number | null
  turnEndsAt: Date | null
  takenUpAt: Date | null
  usedAt: Date | null
}

export const hasSaleStarted = ({ now, salesStartsAt }: Pick<QueueState, 'now' | 'salesStartsAt'>) =>
  salesStartsAt === null || salesStartsAt <= now

/** Whether those who come now are early comers of the sale. */
export const isBeforeDraw = ({ now, salesStartsAt }: Pick<QueueState, 'now' | 'salesStartsAt'>) =>
  salesStartsAt !== null && now.getTime() < salesStartsAt.getTime() + DRAW_AFTER_START_MS

/** The draw of an earlier start does not count for one that was set later. */
export const hasBeenDrawn = ({ drawnAt, salesStartsAt }: Pick<QueueState, 'drawnAt' | 'salesStartsAt'>) =>
  drawnAt !== null && (salesStartsAt === null || drawnAt >= salesStartsAt)

/** When all of them can be let in together, nobody gains by waiting for more. */
export const isDrawDue = (line: QueueState) =>
  !hasBeenDrawn(line) &&
  hasSaleStarted(line) &&
  (!isBeforeDraw(line) || line.placeCount - line.lastRank <= TURNS_CALLED_PER_SECOND)

const creditMs = ({ now, calledAt }: Pick<QueueState, 'now' | 'calledAt'>) =>
  Math.min(CREDIT_MAX_MS, Math.max(0, now.getTime() - calledAt.getTime()))

export const isCallDue = (line: Pick<QueueState, 'now' | 'calledAt'>) => creditMs(line) >= TURN_CALL_INTERVAL_MS

/** How many more are called, and from which moment on the next ones are counted. */
export const countNextCalls = (
  line: Pick<QueueState, 'now' | 'calledAt' | 'calledRank' | 'lastRank'>,
  freeTurns: number,
): { count: number; calledAt: Date } => {
  const earned = (creditMs(line) * TURNS_CALLED_PER_SECOND) / 1_000
  const whole = Math.floor(earned)
  const count = Math.max(0, Math.min(whole, freeTurns, line.lastRank - line.calledRank))
  // What was not needed is not saved up; a part of a call is.
  const rest = ((earned - whole) * 1_000) / TURNS_CALLED_PER_SECOND
  return { count, calledAt: new Date(line.now.getTime() - rest) }
}

/** Whether all who were in line have left it: whoever comes next does not wait for them. */
export const isAbandoned = (line: QueueState) =>
  hasBeenDrawn(line) && line.now.getTime() - line.calledAt.getTime() > IDLE_MS

export const isTouchDue = ({ now, calledAt }: Pick<QueueState, 'now' | 'calledAt'>) =>
  now.getTime() - calledAt.getTime() > NOTED_MS

export type QueuePlaceStatus = 'waiting' | 'called' | 'taken_up' | 'missed' | 'lapsed' | 'used'

export const queuePlaceStatusOf = ({ turnEndsAt, takenUpAt, usedAt }: QueuePlace, now: Date): QueuePlaceStatus => {
  if (usedAt !== null) return 'used'
  if (turnEndsAt === null) return 'waiting'
  if (turnEndsAt > now) return takenUpAt === null ? 'called' : 'taken_up'
  return takenUpAt === null ? 'missed' : 'lapsed'
}

/** How many are in front of it and itself; null until the lots are drawn. It never grows. */
export const queuePositionOf = ({ rank }: Pick<QueuePlace, 'rank'>, { calledRank }: Pick<QueueState, 'calledRank'>) =>
  rank === null ? null : Math.max(1, rank - calledRank)

/** Nobody's turn comes sooner than this, so asking before it gains nothing. */
export const retryAfterOf = (position: number | null, line: QueueState, chance = Math.random()): number => {
  if (position !== null) return Math.min(RETRY_MAX_SECONDS, Math.max(1, Math.ceil(position / TURNS_CALLED_PER_SECOND)))
  const drawAt = (line.salesStartsAt ?? line.now).getTime() + DRAW_AFTER_START_MS
  const untilDraw = Math.max(0, drawAt - line.now.getTime()) / 1_000
  const spread = Math.min(SPREAD_MAX_SECONDS, line.placeCount / ANSWERS_PER_SECOND)
  return Math.min(EARLY_RETRY_MAX_SECONDS, Math.max(1, Math.ceil(untilDraw + chance * spread)))
}

/** What is left to sell of all tickets together; what nothing bounds is more than enough. */
export const totalAvailable = (tickets: readonly Pick<TicketAvailability, 'available'>[]): number =>
  tickets.reduce((sum, { available }) => sum + (available ?? OPEN_TURNS_MAX), 0)

/** Which of the tickets asked for are gone, where a claim would be refused in any case; null where it may succeed. */
export const findSoldOut = (
  tickets: readonly Pick<TicketAvailability, 'id' | 'available'>[],
  ticketIds: readonly number[] = [],
): number[] | null => {
  const gone = new Set(tickets.filter(({ available }) => available === 0).map(({ id }) => id))
  const asked = ticketIds.filter((id) => gone.has(id))
  return asked.length > 0 || totalAvailable(tickets) === 0 ? asked : null
}
