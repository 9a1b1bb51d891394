import type { Tx } from '../access/scopes.ts'
import { findRoughAvailability } from '../inventory/availability.ts'
import {
  callNextPlaces,
  countOpenTurns,
  assignRandomRanks,
  findQueuePlaces,
  insertQueuePlaces,
  openAndLockQueue,
  endUncalledTurns,
  updateWaitingRoom,
  recordTurnsTakenUp,
} from './records.ts'
import {
  type QueueState,
  type QueuePlace,
  TURN_TAKE_UP_LIMIT_MS,
  OPEN_TURNS_MAX,
  TURN_DURATION_MS,
  isCallDue,
  isAbandoned,
  isDrawDue,
  hasBeenDrawn,
  totalAvailable,
  countNextCalls,
  queuePlaceStatusOf,
} from './rules.ts'

/** What somebody finds who stands in line: the line as it is now, their place in it, and whether it is their turn. */
export interface QueueVisit {
  line: QueueState
  place: QueuePlace
  hasTurn: boolean
}

interface Visitor {
  asked: Buffer
  /** A place that is not in the line yet. */
  isNew: boolean
}

/** Lets the newcomers stand in line, moves it on when that is due, and gives turns to those who came for theirs. */
export const advanceQueue = async (tx: Tx, eventId: number, visitors: readonly Visitor[]): Promise<QueueVisit[]> => {
  let line = await forgetDeserters(tx, eventId, await openAndLockQueue(tx, eventId))
  line = await draw(tx, eventId, line)
  line = await join(
    tx,
    eventId,
    line,
    visitors.filter(({ isNew }) => isNew),
  )
  const digests = visitors.map(({ asked }) => asked)
  const found = await findQueuePlaces(tx, eventId, digests)
  const places = new Map(found.map(({ tokenDigest, ...place }) => [tokenDigest.toString('hex'), place]))
  line = await call(tx, eventId, line, [...places.values()])

  // The line is over when nobody is left to be called: from now on everybody is served at once again.
  const isOver = hasBeenDrawn(line) && line.calledRank === line.lastRank
  await updateWaitingRoom(tx, eventId, { ...line, isOver })
  return digests.map((digest) => {
    const place = places.get(digest.toString('hex'))!
    return { line, place, hasTurn: queuePlaceStatusOf(place, line.now) === 'taken_up' }
  })
}

/** Nobody waits for those who have left. Should they come back, a turn is theirs as soon as one is free. */
const forgetDeserters = async (tx: Tx, eventId: number, line: QueueState): Promise<QueueState> => {
  if (!isAbandoned(line)) return line
  await endUncalledTurns(tx, eventId, line.calledRank)
  return { ...line, calledRank: line.lastRank }
}

/** Once drawn, the first are called at once. */
const draw = async (tx: Tx, eventId: number, line: QueueState): Promise<QueueState> => {
  if (!isDrawDue(line)) return line
  const lastRank = await assignRandomRanks(tx, eventId, line.lastRank)
  return { ...line, lastRank, drawnAt: line.now, calledAt: new Date(line.now.getTime() - 1_000) }
}

const join = async (tx: Tx, eventId: number, line: QueueState, newcomers: readonly Visitor[]): Promise<QueueState> => {
  if (newcomers.length === 0) return line
  const digests = newcomers.map(({ asked }) => asked)
  const placeCount = line.placeCount + newcomers.length
  if (!hasBeenDrawn(line)) {
    await insertQueuePlaces(tx, eventId, digests, null)
    return { ...line, placeCount }
  }
  await insertQueuePlaces(tx, eventId, digests, line.lastRank + 1)
  return { ...line, placeCount, lastRank: line.lastRank + newcomers.length }
}

/** Gives turns to those who are here and missed theirs, then calls the next, and notes who of them is here. */
const call = async (tx: Tx, eventId: number, line: QueueState, here: readonly QueuePlace[]): Promise<QueueState> => {
  if (!hasBeenDrawn(line)) return line
  const { now } = line
  const missed = here.filter((place) => queuePlaceStatusOf(place, now) === 'missed')
  const isDue = isCallDue(line)
  const free = missed.length > 0 || isDue ? await countFreeTurns(tx, eventId) : 0
  const late = missed.slice(0, free)
  const called = isDue ? await callNext(tx, eventId, line, free - late.length) : line
  const callEndsAt = new Date(now.getTime() + TURN_TAKE_UP_LIMIT_MS)
  for (const place of here) {
    const isNext = place.rank !== null && place.rank > line.calledRank && place.rank <= called.calledRank
    if (isNext) place.turnEndsAt = callEndsAt
  }
  await takeUp(tx, now, [...late, ...here.filter((place) => queuePlaceStatusOf(place, now) === 'called')])
  return called
}

/** What is left is counted after the turns: a turn that is used in between counts twice, and never not at all. */
const countFreeTurns = async (tx: Tx, eventId: number): Promise<number> => {
  const turns = await countOpenTurns(tx, eventId)
  const left = totalAvailable(await findRoughAvailability(tx, [eventId], OPEN_TURNS_MAX))
  return Math.max(0, Math.min(OPEN_TURNS_MAX, left) - turns)
}

const callNext = async (tx: Tx, eventId: number, line: QueueState, free: number): Promise<QueueState> => {
  const { count, calledAt } = countNextCalls(line, free)
  const endsAt = new Date(line.now.getTime() + TURN_TAKE_UP_LIMIT_MS)
  if (count > 0) await callNextPlaces(tx, eventId, { after: line.calledRank, count, endsAt })
  return { ...line, calledRank: line.calledRank + count, calledAt }
}

const takeUp = async (tx: Tx, now: Date, places: readonly QueuePlace[]): Promise<void> => {
  if (places.length === 0) return
  const endsAt = new Date(now.getTime() + TURN_DURATION_MS)
  await recordTurnsTakenUp(
    tx,
    places.map(({ id }) => id),
    endsAt,
  )
  for (const place of places) Object.assign(place, { takenUpAt: now, turnEndsAt: endsAt })
}
