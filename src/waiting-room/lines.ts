import type { ShopScope } from '../access/access.ts'
import type { AppServices } from '../access/app.ts'
import { coalesce } from '../database/coalesce.ts'
import { findRoughAvailability } from '../inventory/availability.ts'
import type { TicketAvailability } from '../inventory/rules.ts'
import { describeError } from '../kernel/log.ts'
import { type QueueVisit, advanceQueue } from './visit-line.ts'
import { type QueueReading, readQueue, touchWaitingRoom } from './records.ts'
import { TURNS_CALLED_PER_SECOND, TURN_CALL_INTERVAL_MS, OPEN_TURNS_MAX, isTouchDue } from './rules.ts'

/** What this process knows and does about the sale of one event. */
interface SaleDesk {
  /** Looks that arrive together are one statement. */
  look: (ask: { scope: ShopScope; digest: Buffer | null }) => Promise<QueueReading>
  /** Visits that arrive together are one transaction. */
  visit: (ask: { scope: ShopScope; asked: Buffer; isNew: boolean }) => Promise<QueueVisit>
  /** Whether somebody is served without a line: false once more come than are let in. */
  admits: (nowMs: number) => boolean
  /** What is left, as of a moment ago. */
  findLeft: (scope: ShopScope) => Promise<TicketAvailability[]>
  /** Has it written down that somebody still asks. */
  note: (scope: ShopScope, look: QueueReading) => void
}

const DESKS_MAX = 1_000
const desks = new WeakMap<AppServices, Map<string, SaleDesk>>()

export const saleStateOf = (scope: ShopScope, eventId: number): SaleDesk => {
  // What is part of somebody's transaction cannot be shared with others.
  if (scope.isWithinTransaction) return openDesk(eventId)
  const { app, account } = scope
  const opened = desks.get(app) ?? new Map<string, SaleDesk>()
  desks.set(app, opened)
  const name = `${account.id}/${eventId}`
  const desk = opened.get(name) ?? openDesk(eventId)
  if (opened.size >= DESKS_MAX) opened.clear()
  opened.set(name, desk)
  return desk
}

const openDesk = (eventId: number): SaleDesk => ({
  look: coalesce((asks) =>
    readQueue(
      asks[0]!.scope.keyLookups,
      eventId,
      asks.map(({ digest }) => digest),
    ),
  ),
  visit: coalesce((asks) => asks[0]!.scope.transaction((tx) => advanceQueue(tx, eventId, asks)), { concurrency: 1 }),
  admits: openBucket(),
  findLeft: keepBriefly((scope) => findRoughAvailability(scope.rows, [eventId], OPEN_TURNS_MAX)),
  note: noteOnce(eventId),
})

/** A bucket that refills as fast as a line moves. */
const openBucket = () => {
  let left = TURNS_CALLED_PER_SECOND
  let at = 0
  return (nowMs: number) => {
    left = Math.min(TURNS_CALLED_PER_SECOND, left + (Math.max(0, nowMs - at) * TURNS_CALLED_PER_SECOND) / 1_000)
    at = nowMs
    if (left < 1) return false
    left--
    return true
  }
}

const keepBriefly = <T>(find: (scope: ShopScope) => Promise<T>) => {
  let kept: { at: number; value: Promise<T> } | null = null
  return (scope: ShopScope): Promise<T> => {
    const at = scope.app.clock.now().getTime()
    if (kept && Math.abs(at - kept.at) < TURN_CALL_INTERVAL_MS) return kept.value
    const value = find(scope)
    kept = { at, value }
    // Nobody is told of a failure but those who asked for it.
    value.catch(() => (kept = null))
    return value
  }
}

const noteOnce = (eventId: number) => {
  let isUnderWay = false
  return (scope: ShopScope, { line }: QueueReading) => {
    if (isUnderWay || !isTouchDue(line)) return
    isUnderWay = true
    touchWaitingRoom(scope.rows, eventId)
      .catch((error: unknown) => scope.app.log.warn(describeError(error), 'a waiting room could not be kept'))
      .finally(() => (isUnderWay = false))
  }
}
