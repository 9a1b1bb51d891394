import type { EventScope } from '../../access/scopes.ts'
import { endAdmissionsOfOrders } from '../../admissions/records.ts'
import { planForManyRows } from '../../database/prepared.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import { publishWebhooksOfCaller } from '../../webhooks/publish.ts'
import { partyWebhookMessage } from '../announce.ts'
import { findPartiesOfOrders, lockEvent, recordPartyCancellations } from '../records.ts'
import { type GuestImport, type UndoObstacles, lockImport, lockImportedParties, recordImportUndone } from './records.ts'

/** Cancels every party of an import, within a day and as long as nothing has become of any of them. */
export const undoImport = (event: EventScope, publicId: string): Promise<GuestImport> =>
  event.transaction(async (tx) => {
    await lockEvent(tx, event.event.id)
    const one = requireFound(await lockImport(tx, event.event.id, publicId))
    if (one.status !== 'applied') throw new Invalid('This import has not been applied, or was undone already')
    if (one.undoableUntil === null) throw new Invalid('An import can be undone for a day; cancel its parties instead')

    const { orderIds, hindrances } = await lockImportedParties(tx, event.event.id, one.id)
    const reasons = sentencesOf(hindrances)
    if (reasons.length > 0) throw new Invalid({ base: [`This import can no longer be undone: ${reasons.join('; ')}`] })

    await planForManyRows(tx.db)
    await endAdmissionsOfOrders(tx, event.event.id, orderIds)
    await recordPartyCancellations(tx, orderIds)
    const undone = await recordImportUndone(tx, one.id)
    if (event.caller.hasWebhooks) {
      const parties = await findPartiesOfOrders(tx, event.event.id, orderIds)
      await publishWebhooksOfCaller(event, tx, () =>
        parties.map((party) => partyWebhookMessage('guest_party.cancelled', event.event, party)),
      )
    }
    return undone
  })

const sentencesOf = ({ cameIn, cancelled, changed }: UndoObstacles): string[] =>
  [
    [cameIn, 'came in'],
    [cancelled, 'cancelled'],
    [changed, 'changed'],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`${count === 1 ? 'one party' : `${count} parties`} ${what}`]))
