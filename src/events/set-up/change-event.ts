import { isDeepStrictEqual } from 'node:util'
import type { EventScope, Tx } from '../../access/scopes.ts'
import { computeChange, requireVersion } from '../../definitions/change.ts'
import { refuseBodyAtPath } from '../../definitions/define.ts'
import { readTransactionTime, updateThing } from '../../definitions/records.ts'
import { endExpiredHolds } from '../../inventory/holds/records.ts'
import { atLeastMessage } from '../../kernel/messages.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { eventDefinition } from '../definitions.ts'
import { addFaqItems, addPerformers } from '../event-parts.ts'
import { storeUploadedImages } from '../images/attach-uploads.ts'
import { waitForOrdersUnderWay } from '../records.ts'
import { requireVenueExists } from './create-event.ts'
import { type EventChange, followUpEventChange } from './event-changed.ts'
import {
  type StoredEvent,
  type EventWithLists,
  deleteListItems,
  findPerformersAndFaqItems,
  findEventWithLists,
  findStoredEvent,
  lockEvent,
} from './records.ts'
import { queueCancellationMails } from './mail-cancellation.ts'
import { requireFreeSlug } from './slugs.ts'
import type { EventChangesInput } from './wire.ts'

/** Changes what was sent and keeps the rest; what changes nothing is no change. */
export const changeEvent = (scope: EventScope, asked: EventChangesInput): Promise<EventWithLists> =>
  scope.transaction(async (tx) => {
    const sent = await storeUploadedImages(scope, tx, asked)
    if (sent.slug !== undefined) await requireFreeSlug(tx, sent.slug, scope.event.id)
    const event = requireFound(await lockEvent(tx, scope.event.id))
    requireVersion(event, sent.lock_version, 'event')

    const now = await readTransactionTime(tx)
    const { columns, keys } = computeChange(eventDefinition, event, sent, now)
    await requireRoom(tx, event, sent.capacity)
    if (keys.includes('venue_id')) await requireVenueExists(tx, sent.venue_id!)
    const lists = await replaceLists(tx, event.id, sent, now)
    return finishChange(scope, tx, columns, { act: 'updated', event, keys: [...keys, ...lists], notify: false })
  })

/** A hold whose time is over takes no room, though its row is still there. */
const requireRoom = async (tx: Tx, { id, row }: StoredEvent, capacity: number | null | undefined): Promise<void> => {
  if (capacity === null || capacity === undefined || capacity >= row.claimed_count) return
  await endExpiredHolds(tx, id)
  const { claimed_count: claimed } = requireFound(await findStoredEvent(tx, id)).row
  refuseUnless(capacity >= claimed, { capacity: [atLeastMessage(claimed)] })
}

/** Writes the columns down and tells of it, where anything has changed at all. */
const finishChange = async (
  scope: EventScope,
  tx: Tx,
  columns: Record<string, unknown>,
  change: EventChange,
): Promise<EventWithLists> => {
  const isChanging = change.keys.length > 0
  if (isChanging) await updateThing(tx, 'events', change.event.id, columns)
  const changed = requireFound(await findEventWithLists(tx, change.event.id))
  if (isChanging) await followUpEventChange(scope, tx, { ...change, event: changed })
  return changed
}

const replaceLists = async (tx: Tx, eventId: number, sent: EventChangesInput, now: Date): Promise<string[]> => {
  if (!sent.performers && !sent.faq_items) return []
  const kept = await findPerformersAndFaqItems(tx, eventId)
  const replaced: string[] = []
  const adding = { tx, now, refuse: refuseBodyAtPath }
  if (sent.performers && !isDeepStrictEqual(sent.performers, kept.performers)) {
    await deleteListItems(tx, 'performers', eventId)
    await addPerformers(adding, eventId, sent.performers)
    replaced.push('performers')
  }
  if (sent.faq_items && !isDeepStrictEqual(sent.faq_items, kept.faqItems)) {
    await deleteListItems(tx, 'faq_items', eventId)
    await addFaqItems(adding, eventId, sent.faq_items)
    replaced.push('faq_items')
  }
  return replaced
}

/** What can be done to an event as a whole and taken back, and how its row keeps it. */
const STATES = {
  published: { column: 'published_at', done: 'published', undone: 'withdrawn' },
  cancelled: { column: 'cancelled_at', done: 'cancelled', undone: 'reinstated' },
  archived: { column: 'archived_at', done: 'archived', undone: 'restored' },
} as const

export type EventState = keyof typeof STATES

/** Doing it again changes nothing. */
export const setEventState = (
  scope: EventScope,
  state: EventState,
  isOn: boolean,
  { notify = false }: { notify?: boolean } = {},
): Promise<EventWithLists> =>
  scope.transaction(async (tx) => {
    if (state !== 'published') await waitForOrdersUnderWay(tx, scope.event.id)
    const event = requireFound(await lockEvent(tx, scope.event.id))
    const { column, done, undone } = STATES[state]
    const now = await readTransactionTime(tx)
    const since = event.row[column]
    // What is to be published later is published now.
    const isSo = since !== null && since <= now
    const keys = isSo === isOn && (isOn || since === null) ? [] : [state]
    const change = { act: isOn ? done : undone, event, keys, notify }
    const changed = await finishChange(scope, tx, { [column]: isOn ? now : null }, change)
    // Also where it was cancelled before, and nobody was told then; whoever was told is not told again.
    if (notify && changed.row.cancelled_at) {
      scope.note?.add({ event_id: event.id, notify })
      await queueCancellationMails(tx, event.id, changed.row.cancelled_at)
    }
    return changed
  })
