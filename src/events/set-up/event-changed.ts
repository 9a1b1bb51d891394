import type { CallerScope, Tx } from '../../access/scopes.ts'
import type { StoredEvent } from './records.ts'

/** What was done to an event, and to which of its keys. */
export interface EventChange {
  act: 'created' | 'updated' | 'published' | 'withdrawn' | 'cancelled' | 'reinstated' | 'archived' | 'restored'
  event: StoredEvent
  keys: readonly string[]
  /** Whether those who have tickets shall be told. */
  notify: boolean
}

/**
 * Called once for each change of an event, within its transaction: whoever has to be told beside the shop and the door,
 * which see it in the rows, is told from here.
 */
export const eventChanged = async (
  scope: CallerScope,
  _tx: Tx,
  { event, keys, notify }: EventChange,
): Promise<void> => {
  scope.note?.add({ event_id: event.id, ...(keys.length > 0 && { keys }), ...(notify && { notify }) })
}
