import type { EventScope } from '../../access/scopes.ts'
import { changeOf, requireVersion } from '../../definitions/change.ts'
import { withKeys } from '../../definitions/name-things.ts'
import { insertThings, updateThing } from '../../definitions/records.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { TICKET_COLORS } from '../../kernel/public-ids.ts'
import { Invalid, found, refuseUnless } from '../../kernel/refusals.ts'
import { ticketDefinition } from '../definitions.ts'
import { changeParts } from '../parts/change-parts.ts'
import { deletePart, findTakenKeys, moveTo } from '../parts/records.ts'
import { type Ticket, findTicket, findUses, lockTicket, replaceAccessCodes } from './records.ts'
import { faultsOfChange, reasonToKeep } from './rules.ts'
import type { NewTicketInput, TicketChanges } from './wire.ts'

/** A new ticket, last in the order of the shop. */
export const createTicket = (scope: EventScope, input: NewTicketInput): Promise<Ticket> =>
  changeParts(scope, 'tickets', async ({ tx, eventId, now, changed }) => {
    const { keys, next } = await findTakenKeys(tx, 'tickets', eventId)
    refuseUnless(input.key === null || !keys.has(input.key), { key: [TAKEN_MESSAGE] })
    const color = input.color ?? TICKET_COLORS[next % TICKET_COLORS.length]!
    const tickets = withKeys([{ ...input, color }], ({ title }) => title, 'ticket', keys)
    const beside = () => ({ event_id: eventId, position: next })
    const [id] = await insertThings(tx, 'tickets', ticketDefinition, tickets, { now, beside })
    await replaceAccessCodes(tx, eventId, id!, input.access_codes)
    scope.note?.add({ id: id! })
    changed()
    return found(await findTicket(tx, eventId, id!))
  })

/** Changes what was sent and keeps the rest; orders that are there stay as they are. */
export const changeTicket = (scope: EventScope, id: number, sent: TicketChanges): Promise<Ticket> =>
  changeParts(scope, 'tickets', async ({ tx, eventId, now, changed }) => {
    const ticket = found(await lockTicket(tx, eventId, id))
    requireVersion(ticket, sent.lock_version, 'ticket')
    const { columns, keys } = changeOf(ticketDefinition, ticket, sent, now)
    if (keys.length === 0) return ticket

    if (keys.includes('key')) {
      const taken = await findTakenKeys(tx, 'tickets', eventId)
      refuseUnless(!taken.keys.has(sent.key!), { key: [TAKEN_MESSAGE] })
    }
    const faults = faultsOfChange({ ...ticket, uses: await findUses(tx, eventId, id) }, keys, sent)
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    await updateThing(tx, 'tickets', id, columns)
    if (keys.includes('access_codes')) await replaceAccessCodes(tx, eventId, id, sent.access_codes!)
    changed()
    return found(await findTicket(tx, eventId, id))
  })

export const moveTicket = (
  scope: EventScope,
  id: number,
  { position, lock_version: known }: { position: number; lock_version: number | null },
): Promise<Ticket> =>
  changeParts(scope, 'tickets', async ({ tx, eventId, changed }) => {
    const ticket = found(await lockTicket(tx, eventId, id))
    requireVersion(ticket, known, 'ticket')
    await moveTo(tx, 'tickets', eventId, id, position - 1)
    const moved = found(await findTicket(tx, eventId, id))
    if (moved.position === ticket.position) return moved
    await updateThing(tx, 'tickets', id, {})
    changed()
    return found(await findTicket(tx, eventId, id))
  })

/** Only what nobody has, holds or refers to goes. */
export const removeTicket = (scope: EventScope, id: number): Promise<void> =>
  changeParts(scope, 'tickets', async ({ tx, eventId, changed }) => {
    found(await lockTicket(tx, eventId, id))
    const reason = reasonToKeep(await findUses(tx, eventId, id))
    if (reason) throw new Invalid(reason)
    await deletePart(tx, 'tickets', eventId, id)
    changed()
  })
