import type { AccountScope, EventScope, Tx } from '../../access/scopes.ts'
import { asImportedOrder, importOrders } from '../../admissions/import-orders.ts'
import type { NewOrder } from '../../admissions/issue-order.ts'
import { NO_ROOM_MESSAGE, SEATS_GONE_MESSAGE } from '../../admissions/rules.ts'
import { lockAllGuestEmails } from '../../admissions/records.ts'
import type { Shortage } from '../../inventory/rules.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { hasListeners, publishWebhooks } from '../../webhooks/publish.ts'
import { partyWebhookMessage } from '../announce.ts'
import { findNow, findPartiesOfOrders } from '../records.ts'
import { revalidateParties } from './analyze-import.ts'
import {
  type GuestImport,
  type SubmittedImport,
  claimImport,
  findImport,
  findImportRows,
  lockSubmission,
  recordImportApplied,
  recordImportFailed,
} from './records.ts'

export const APPLY_IMPORT_JOB: LaneJob<{ accountId: number; importId: number; submission: number }> = {
  name: 'guest-list.apply-import',
  lane: 'imports',
}

/** Takes an import for application by a job. Of two who submit it at once one is refused. */
export const submitImport = (event: EventScope, publicId: string, delivers: boolean): Promise<GuestImport> =>
  event.transaction(async (tx) => {
    const by = { personId: event.actor.personId, name: event.actor.name }
    const submitted = await claimImport(tx, event.event.id, publicId, { delivers, by })
    if (!submitted) throw new Invalid(refusalOf(requireFound(await findImport(tx, event.event.id, publicId))))
    await enqueue(tx.db, APPLY_IMPORT_JOB, {
      accountId: tx.accountId,
      importId: submitted.id,
      submission: submitted.submission,
    })
    return submitted
  })

const refusalOf = ({ status }: GuestImport): string => {
  if (status === 'applied') return 'This import has been applied already'
  if (status === 'undone') return 'This import has been undone; upload the file again'
  if (status === 'applying') return 'This import is being applied'
  if (status === 'failed') return 'This import has failed; upload the file again'
  return 'This import has errors; correct the file and upload it again'
}

/** Why an import cannot be applied, in a sentence for the person who submitted it. */
export class ImportFault extends Error {}

/**
 * Adds every party in one transaction, or none, and tells how many. Run again after a crash it finds its work done, or
 * does it.
 */
export const applyImport = (scope: AccountScope, importId: number, submission: number): Promise<number> =>
  scope.transaction(async (tx) => {
    const submitted = await lockSubmission(tx, importId, submission)
    return submitted ? addParties(tx, importId, submitted) : 0
  })

const addParties = async (
  tx: Tx,
  importId: number,
  { eventId, eventSlug, delivers, ...by }: SubmittedImport,
): Promise<number> => {
  const rows = await findImportRows(tx, importId)
  await lockAllGuestEmails(tx, eventId)
  // Nothing of an import is sent to whoever adds it, so their address is not needed.
  const actor = { personId: by.personId ?? 0, name: by.name ?? '', email: '' }
  const { orders, fault } = await revalidateParties(tx, eventId, rows, actor)
  if (fault) throw new ImportFault(`Line ${fault.line} no longer fits: ${fault.field} ${fault.message}`)

  const now = await findNow(tx)
  const creator = by.name === null ? null : { personId: by.personId, name: by.name }
  const issue = await importOrders(
    tx,
    eventId,
    orders.map((order) => ({ ...asImportedOrder(order, now), creator })),
    [],
  )
  if (issue.refused) throw new ImportFault(SHORTAGES[issue.refused])

  const ids = issue.orders.map(({ id }) => id)
  await recordImportApplied(
    tx,
    importId,
    rows.map(({ line }, n) => ({ line, orderId: ids[n]! })),
  )
  if (delivers) await queueTicketMails(tx, addressed(orders, ids), 'issued')
  if (await hasListeners(tx, 'guest_party.created')) {
    const parties = await findPartiesOfOrders(tx, eventId, ids)
    const event = { id: eventId, slug: eventSlug }
    await publishWebhooks(
      tx,
      parties.map((party) => partyWebhookMessage('guest_party.created', event, party)),
    )
  }
  return ids.length
}

const addressed = (orders: readonly NewOrder[], ids: readonly number[]) =>
  ids.filter((_, n) => orders[n]!.deliveryEmail !== null)

const SHORTAGES: Record<Shortage, string> = {
  event: `${NO_ROOM_MESSAGE} at the event`,
  ticket: `${NO_ROOM_MESSAGE} of a ticket`,
  area: `${NO_ROOM_MESSAGE} in a standing area`,
  places: SEATS_GONE_MESSAGE,
}

export const recordImportFailure = (
  scope: AccountScope,
  importId: number,
  submission: number,
  message: string,
): Promise<void> => scope.transaction((tx) => recordImportFailed(tx, importId, submission, message))
