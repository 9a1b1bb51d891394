import type { ShopScope } from '../access/access.ts'
import type { Tx } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { Invalid } from '../kernel/refusals.ts'
import { saleStateOf } from './lines.ts'
import { type QueueReading, recordUnusedTurns, recordUsedTurns } from './records.ts'
import {
  QUEUE_OPENS_BEFORE_SALE_MS,
  type QueueState,
  type QueuePlace,
  findSoldOut,
  hasSaleStarted,
  isCallDue,
  isDrawDue,
  queuePositionOf,
  retryAfterOf,
  queuePlaceStatusOf,
} from './rules.ts'
import type { PlaceInLine } from './wire.ts'
import { newQueueToken, digestOfQueueToken, unknownQueueTokenRefusal } from './tokens.ts'

export interface SaleEntryRequest {
  eventId: number
  queueToken: string | null
  /** What is to be claimed: whoever asks for what is gone is told so instead of waiting for it. */
  ticketIds?: readonly number[]
}

/** Somebody's turn, which the claim that it was given for uses up. Null: there is no line, so nothing is used up. */
export type Turn = { placeId: number } | null

export type EntryOutcome =
  | { kind: 'admitted'; turn: Turn }
  | { kind: 'waiting'; queue: PlaceInLine }
  /** Too early to stand in line. */
  | { kind: 'not_started' }
  /**
   * Nothing is left at all, or nothing of these tickets that are asked for. A place that was brought stays where it is,
   * in case something comes back.
   */
  | { kind: 'sold_out'; ticketIds: number[] }

/**
 * Whether somebody may claim something of an event now. While a waiting room is open that takes a turn; without one
 * it costs one look at a key, shared with all who ask at the same time.
 */
export const enterSale = async (scope: ShopScope, ask: SaleEntryRequest): Promise<EntryOutcome> => {
  const digest = digestOfQueueToken(ask.queueToken)
  if (!scope.app.settings.rateLimits) return { kind: 'admitted', turn: null }

  const desk = saleStateOf(scope, ask.eventId)
  const look = await desk.look({ scope, digest })
  const { line, place } = look
  if (digest && !place) throw unknownQueueTokenRefusal()
  if (place && queuePlaceStatusOf(place, line.now) === 'used') {
    throw new Invalid({ queue_token: ['has been used; ask again without it'] })
  }

  if (!hasSaleStarted(line)) {
    if (line.salesStartsAt!.getTime() - line.now.getTime() > QUEUE_OPENS_BEFORE_SALE_MS) return { kind: 'not_started' }
  } else {
    if (!look.isOpen && desk.admits(scope.app.clock.now().getTime())) return { kind: 'admitted', turn: null }
    const gone = findSoldOut(await desk.findLeft(scope), ask.ticketIds)
    if (gone) {
      desk.note(scope, look)
      return { kind: 'sold_out', ticketIds: gone }
    }
  }
  return standInLine(scope, ask, { look, digest })
}

const standInLine = async (
  scope: ShopScope,
  { eventId, queueToken }: SaleEntryRequest,
  { look, digest }: { look: QueueReading; digest: Buffer | null },
): Promise<EntryOutcome> => {
  const { line, place } = look
  const desk = saleStateOf(scope, eventId)
  // A turn that was taken up and not used is over; whoever had it stands in line anew.
  if (place && digest && queueToken !== null && queuePlaceStatusOf(place, line.now) !== 'lapsed') {
    const known = look.isOpen ? answerAtOnce(look, place, queueToken) : null
    if (known) return known
    return showVisit(await desk.visit({ scope, asked: digest, isNew: false }), queueToken)
  }
  const token = newQueueToken()
  return showVisit(await desk.visit({ scope, asked: digestOf(token), isNew: true }), token)
}

/** What a look alone can tell: as long as the line has not moved on, asking again changes nothing. */
const answerAtOnce = ({ line }: QueueReading, place: QueuePlace, token: string): EntryOutcome | null => {
  const standing = queuePlaceStatusOf(place, line.now)
  if (standing === 'taken_up') return { kind: 'admitted', turn: { placeId: place.id } }
  if (standing !== 'waiting' || isDrawDue(line) || (place.rank !== null && isCallDue(line))) return null
  return { kind: 'waiting', queue: placeInLine(token, place, line) }
}

const showVisit = (
  { line, place, hasTurn }: { line: QueueState; place: QueuePlace; hasTurn: boolean },
  token: string,
): EntryOutcome =>
  hasTurn
    ? { kind: 'admitted', turn: { placeId: place.id } }
    : { kind: 'waiting', queue: placeInLine(token, place, line) }

const placeInLine = (token: string, place: QueuePlace, line: QueueState): PlaceInLine => {
  const position = queuePositionOf(place, line)
  return { token, position, retryAfterSeconds: retryAfterOf(position, line) }
}

/**
 * In the transaction of the claims, before them: uses the turns up, and tells of each whether it could be. One that is
 * over, or that somebody else has just used with the same token, cannot.
 */
export const consumeTurns = async (tx: Tx, turns: readonly Turn[]): Promise<boolean[]> => {
  const ids = turns.flatMap((turn) => turn?.placeId ?? [])
  if (ids.length === 0) return turns.map(() => true)
  const used = new Set(await recordUsedTurns(tx, ids))
  // Of several claims in one transaction with the same turn, the first has it.
  return turns.map((turn) => turn === null || used.delete(turn.placeId))
}

/** In the same transaction: what the turns were used for could not be had, so they may be used again. */
export const giveBackTurns = async (tx: Tx, turns: readonly Turn[]): Promise<void> => {
  const ids = turns.flatMap((turn) => turn?.placeId ?? [])
  if (ids.length > 0) await recordUnusedTurns(tx, ids)
}

/** What a claim is refused with whose turn could not be used. */
export const turnOverRefusal = () => new Invalid({ queue_token: ['has been used, or its turn is over'] })
