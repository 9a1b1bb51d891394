import { recordAudits } from '../../access/audit.ts'
import type { EventScope, Tx } from '../../access/scopes.ts'
import { endAdmissionsOfOrders } from '../../admissions/records.ts'
import { Invalid, NotFound, type Refusal } from '../../kernel/refusals.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { publishWebhooksOfCaller } from '../../webhooks/publish.ts'
import { partyWebhookMessage } from '../announce.ts'
import { findPartiesOfOrders, lockPartiesWithEvent, recordPartyCancellations } from '../records.ts'
import { type Party, isCancellable } from '../rules.ts'

export type RefusalsByPublicId = Map<string, Refusal>

interface Change {
  refuse: (party: Party) => Refusal | null
  apply: (tx: Tx, parties: Party[], refused: RefusalsByPublicId) => Promise<void>
  kind?: 'guest_party.cancelled' | 'guest_party.updated'
}

/**
 * Does the same to several parties in one transaction. A party for which it cannot be done says so and keeps nobody else
 * from it. The log has an entry for each, so that a party's own history knows of it.
 */
export const changeParties = (
  event: EventScope,
  publicIds: readonly string[],
  change: Change,
): Promise<RefusalsByPublicId> =>
  event.transaction(async (tx) => {
    const eventId = event.event.id
    const locked = await lockPartiesWithEvent(tx, eventId, publicIds)
    const known = new Map(locked.map((party) => [party.publicId, party]))
    // Where there is not enough for all of them, whoever was named first has it.
    const found = [...new Set(publicIds)].flatMap((id) => known.get(id) ?? [])
    const refused: RefusalsByPublicId = new Map()
    for (const id of publicIds) {
      const party = known.get(id)
      const refusal = party ? change.refuse(party) : new NotFound()
      if (refusal) refused.set(id, refusal)
    }
    await change.apply(
      tx,
      found.filter(({ publicId }) => !refused.has(publicId)),
      refused,
    )
    const done = found.filter(({ publicId }) => !refused.has(publicId))
    await addHistory(event, tx, done)
    const { kind } = change
    if (kind && done.length > 0 && event.caller.hasWebhooks) {
      const ids = done.map(({ id }) => id)
      const changed = await findPartiesOfOrders(tx, eventId, ids)
      await publishWebhooksOfCaller(event, tx, () =>
        changed.map((party) => partyWebhookMessage(kind, event.event, party)),
      )
    }
    return refused
  })

const addHistory = async ({ note, caller, event }: EventScope, tx: Tx, parties: readonly Party[]): Promise<void> => {
  if (!note) return
  note.add({ parties: parties.length })
  await recordAudits(
    tx,
    parties.map(({ publicId }) => ({
      action: note.action,
      subject: { event_slug: event.slug, public_id: publicId },
      by: caller,
    })),
  )
}

export const cancelParties = (event: EventScope, publicIds: readonly string[]): Promise<RefusalsByPublicId> =>
  changeParties(event, publicIds, {
    kind: 'guest_party.cancelled',
    refuse: (party) => (isCancellable(party) ? null : new Invalid('This party can no longer be cancelled')),
    apply: async (tx, parties) => {
      const ids = parties.map(({ id }) => id)
      await endAdmissionsOfOrders(tx, event.event.id, ids)
      await recordPartyCancellations(tx, ids)
    },
  })

/** Their tickets leave by mail once more. */
export const resendTicketsOfParties = (event: EventScope, publicIds: readonly string[]): Promise<RefusalsByPublicId> =>
  changeParties(event, publicIds, {
    refuse: (party) => {
      if (party.status !== 'paid') return new Invalid('This party can no longer be changed')
      return party.deliveryEmail === null ? new Invalid('No delivery address') : null
    },
    apply: (tx, parties) =>
      queueTicketMails(
        tx,
        parties.map(({ id }) => id),
        'delivered_again',
      ),
  })
