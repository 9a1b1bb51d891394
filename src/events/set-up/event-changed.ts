import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type EventKind, announceEvent } from '../announce.ts'
import { type StoredEvent, renewWalletPasses } from './records.ts'

/** What was done to an event, and to which of its keys. */
export interface EventChange {
  act: 'created' | 'updated' | 'published' | 'withdrawn' | 'cancelled' | 'reinstated' | 'archived' | 'restored'
  event: StoredEvent
  keys: readonly string[]
  /** Whether those who have tickets shall be told. */
  notify: boolean
}

/** What a pass in a wallet shows of its event. */
const KEYS_ON_PASSES = new Set(['title', 'venue_id', 'starts_at', 'doors_open_at', 'ends_at', 'cancelled'])

const KIND_OF: Partial<Record<EventChange['act'], EventKind>> = {
  created: 'event.created',
  published: 'event.published',
  cancelled: 'event.cancelled',
}

/**
 * Called for each change of an event and of what it is made of, within its transaction: whoever has to be told beside
 * the shop and the door, which see it in the rows, is told from here.
 */
export const eventChanged = async (
  scope: CallerScope,
  tx: Tx,
  { act, event, keys, notify }: EventChange,
): Promise<void> => {
  scope.note?.add({ event_id: event.id, ...(keys.length > 0 && { keys }), ...(notify && { notify }) })
  if (keys.some((key) => KEYS_ON_PASSES.has(key))) await renewWalletPasses(tx, event.id)
  announceEvent(scope, tx, KIND_OF[act] ?? 'event.updated', { id: event.id, keys })
}
