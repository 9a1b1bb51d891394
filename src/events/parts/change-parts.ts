import type { EventScope, Tx } from '../../access/scopes.ts'
import { readTransactionTime } from '../../definitions/records.ts'
import { endExpiredHolds } from '../../inventory/holds/records.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { followUpEventChange } from '../set-up/event-changed.ts'
import { lockEvent } from '../set-up/records.ts'
import { touchEvent } from './records.ts'

export interface PartsTransaction {
  readonly tx: Tx
  readonly eventId: number
  readonly now: Date
  /** Says that something has changed; otherwise nobody is told. */
  changed(): void
}

/**
 * Changes what an event consists of. Whoever claims of the event waits until it is done, because claims lock the event
 * first of all; and a hold whose time is over keeps nobody from a change.
 */
export const inPartsTransaction = <T>(
  scope: EventScope,
  part: 'tickets' | 'standing_areas' | 'places' | 'questions',
  work: (changing: PartsTransaction) => Promise<T>,
): Promise<T> =>
  scope.transaction(async (tx) => {
    const event = requireFound(await lockEvent(tx, scope.event.id))
    await endExpiredHolds(tx, event.id)
    let isChanged = false
    const changed = () => {
      isChanged = true
    }
    const result = await work({ tx, eventId: event.id, now: await readTransactionTime(tx), changed })
    if (isChanged) {
      await touchEvent(tx, event.id)
      await followUpEventChange(scope, tx, { act: 'updated', event, keys: [part], notify: false })
    }
    return result
  })
