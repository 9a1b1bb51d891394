import type { EventScope } from '../../access/scopes.ts'
import { computeChange, requireVersion } from '../../definitions/change.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings, updateThing } from '../../definitions/records.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { TICKET_COLORS } from '../../kernel/public-ids.ts'
import { Invalid, requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { ticketDefinition } from '../definitions.ts'
import { inPartsTransaction } from '../parts/change-parts.ts'
import { deletePart, findTakenKeysAndNextPosition, movePart } from '../parts/records.ts'
import { type Ticket, findTicket, findTicketUses, lockTicket, replaceAccessCodes } from './records.ts'
import { ticketChangeFaults, reasonNotToDelete } from './rules.ts'
import type { NewTicketInput, TicketChangesInput } from './wire.ts'

/** A new ticket, last in the order of the shop. */
export const createTicket = (scope: EventScope, input: NewTicketInput): Promise<Ticket> =>
  inPartsTransaction(scope, 'tickets', async ({ tx, eventId, now, changed }) => {
    const { keys, next } = await findTakenKeysAndNextPosition(tx, 'tickets', eventId)
    refuseUnless(input.key === null || !keys.has(input.key), { key: [TAKEN_MESSAGE] })
    const color = input.color ?? TICKET_COLORS[next % TICKET_COLORS.length]!
    const tickets = assignMissingKeys([{ ...input, color }], ({ title }) => title, 'ticket', keys)
    const beside = () => ({ event_id: eventId, position: next })
    const [id] = await insertThings(tx, 'tickets', ticketDefinition, tickets, { now, beside })
    await replaceAccessCodes(tx, eventId, id!, input.access_codes)
    scope.note?.add({ id: id! })
    changed()
    return requireFound(await findTicket(tx, eventId, id!))
  })

/** Changes what was sent and keeps the rest; orders that are there stay as they are. */
export const changeTicket = (scope: EventScope, id: number, sent: TicketChangesInput): Promise<Ticket> =>
  inPartsTransaction(scope, 'tickets', async ({ tx, eventId, now, changed }) => {
    const ticket = requireFound(await lockTicket(tx, eventId, id))
    requireVersion(ticket, sent.lock_version, 'ticket')
    const { columns, keys } = computeChange(ticketDefinition, ticket, sent, now)
    if (keys.length === 0) return ticket

    if (keys.includes('key')) {
      const taken = await findTakenKeysAndNextPosition(tx, 'tickets', eventId)
      refuseUnless(!taken.keys.has(sent.key!), { key: [TAKEN_MESSAGE] })
    }
    const faults = ticketChangeFaults({ ...ticket, uses: await findTicketUses(tx, eventId, id) }, keys, sent)
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    await updateThing(tx, 'tickets', id, columns)
    if (keys.includes('access_codes')) await replaceAccessCodes(tx, eventId, id, sent.access_codes!)
    changed()
    return requireFound(await findTicket(tx, eventId, id))
  })

export const moveTicket = (
  scope: EventScope,
  id: number,
  { position, lock_version: known }: { position: number; lock_version: number | null },
): Promise<Ticket> =>
  inPartsTransaction(scope, 'tickets', async ({ tx, eventId, changed }) => {
    const ticket = requireFound(await lockTicket(tx, eventId, id))
    requireVersion(ticket, known, 'ticket')
    await movePart(tx, 'tickets', eventId, id, position - 1)
    const moved = requireFound(await findTicket(tx, eventId, id))
    if (moved.position === ticket.position) return moved
    await updateThing(tx, 'tickets', id, {})
    changed()
    return requireFound(await findTicket(tx, eventId, id))
  })

/** Only what nobody has, holds or refers to goes. */
export const removeTicket = (scope: EventScope, id: number): Promise<void> =>
  inPartsTransaction(scope, 'tickets', async ({ tx, eventId, changed }) => {
    requireFound(await lockTicket(tx, eventId, id))
    const reason = reasonNotToDelete(await findTicketUses(tx, eventId, id))
    if (reason) throw new Invalid(reason)
    await deletePart(tx, 'tickets', eventId, id)
    changed()
  })
