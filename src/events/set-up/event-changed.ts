import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type EventWebhookKind, publishEventWebhook } from '../announce.ts'
import type { StoredEvent } from './records.ts'

/** What was done to an event, and to which of its keys. */
export interface EventChange {
  act: 'created' | 'updated' | 'published' | 'withdrawn' | 'cancelled' | 'reinstated' | 'archived' | 'restored'
  event: StoredEvent
  keys: readonly string[]
  /** Whether those who have tickets shall be told. */
  notify: boolean
}

const KIND_OF: Partial<Record<EventChange['act'], EventWebhookKind>> = {
  created: 'event.created',
  published: 'event.published',
  cancelled: 'event.cancelled',
}

/**
 * Called for each change of an event and of what it is made of, within its transaction: whoever has to be told beside
 * the shop and the door, which see it in the rows, is told from here.
 */
export const followUpEventChange = async (
  scope: CallerScope,
  tx: Tx,
  { act, event, keys, notify }: EventChange,
): Promise<void> => {
  scope.note?.add({ event_id: event.id, ...(keys.length > 0 && { keys }), ...(notify && { notify }) })
  publishEventWebhook(scope, tx, KIND_OF[act] ?? 'event.updated', { id: event.id, keys })
}
