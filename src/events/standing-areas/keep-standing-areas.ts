import type { EventScope, Tx } from '../../access/scopes.ts'
import { computeChange, requireVersion } from '../../definitions/change.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings, updateThing } from '../../definitions/records.ts'
import { MUST_EXIST_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { standingAreaDefinition } from '../definitions.ts'
import { inPartsTransaction } from '../parts/change-parts.ts'
import { deletePart, findTakenKeysAndNextPosition, movePart } from '../parts/records.ts'
import { findTickets } from '../tickets/records.ts'
import {
  type AreaUses,
  type StandingArea,
  findStandingArea,
  findAreaUses,
  lockStandingArea,
  replaceTicketsOfArea,
} from './records.ts'
import { areaCapacityFaults, reasonNotToDelete } from './rules.ts'
import type { NewStandingAreaInput, StandingAreaChangesInput } from './wire.ts'

export const createStandingArea = (scope: EventScope, input: NewStandingAreaInput): Promise<StandingArea> =>
  inPartsTransaction(scope, 'standing_areas', async ({ tx, eventId, now, changed }) => {
    const { keys, next } = await findTakenKeysAndNextPosition(tx, 'standing_areas', eventId)
    refuseUnless(input.key === null || !keys.has(input.key), { key: [TAKEN_MESSAGE] })
    await requireStandingTickets(tx, eventId, input.ticket_ids)
    const areas = assignMissingKeys([input], ({ name }) => name, 'area', keys)
    const beside = () => ({ event_id: eventId, position: next })
    const [id] = await insertThings(tx, 'standing_areas', standingAreaDefinition, areas, { now, beside })
    await replaceTicketsOfArea(tx, eventId, id!, input.ticket_ids)
    scope.note?.add({ id: id! })
    changed()
    return requireFound(await findStandingArea(tx, eventId, id!))
  })

/** Changes what was sent and keeps the rest; nobody who stands there is moved. */
export const changeStandingArea = (
  scope: EventScope,
  id: number,
  sent: StandingAreaChangesInput,
): Promise<StandingArea> =>
  inPartsTransaction(scope, 'standing_areas', async ({ tx, eventId, now, changed }) => {
    const area = requireFound(await lockStandingArea(tx, eventId, id))
    requireVersion(area, sent.lock_version, 'standing area')
    const { columns, keys } = computeChange(standingAreaDefinition, area, sent, now)
    if (keys.length === 0) return area

    if (keys.includes('key')) {
      const taken = await findTakenKeysAndNextPosition(tx, 'standing_areas', eventId)
      refuseUnless(!taken.keys.has(sent.key!), { key: [TAKEN_MESSAGE] })
    }
    const faults = areaCapacityFaults(area.claimedCount, { ...area.thing, ...sent })
    if (Object.keys(faults).length > 0) throw new Invalid(faults)
    if (keys.includes('ticket_ids')) {
      await requireStandingTickets(tx, eventId, sent.ticket_ids!)
      requireLinkedTickets(await findAreaUses(tx, eventId, id), sent.ticket_ids!)
    }

    await updateThing(tx, 'standing_areas', id, columns)
    if (keys.includes('ticket_ids')) await replaceTicketsOfArea(tx, eventId, id, sent.ticket_ids!)
    changed()
    return requireFound(await findStandingArea(tx, eventId, id))
  })

const requireStandingTickets = async (tx: Tx, eventId: number, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  const tickets = new Map((await findTickets(tx, eventId)).map((ticket) => [ticket.id, ticket]))
  for (const id of ids) {
    const ticket = tickets.get(id)
    refuseUnless(ticket, { ticket_ids: [MUST_EXIST_MESSAGE] })
    refuseUnless(ticket.thing.inventory_kind === 'standing', { ticket_ids: ['must be of inventory_kind standing'] })
  }
}

/** A link that issues a ticket into an area needs the ticket to open it. */
const requireLinkedTickets = ({ linkedTicketIds }: AreaUses, ids: readonly number[]): void => {
  const missing = linkedTicketIds.filter((id) => !ids.includes(id))
  refuseUnless(missing.length === 0, { ticket_ids: [`must include ${missing.join(', ')}: signup links issue it here`] })
}

export const moveStandingArea = (
  scope: EventScope,
  id: number,
  { position, lock_version: known }: { position: number; lock_version: number | null },
): Promise<StandingArea> =>
  inPartsTransaction(scope, 'standing_areas', async ({ tx, eventId, changed }) => {
    const area = requireFound(await lockStandingArea(tx, eventId, id))
    requireVersion(area, known, 'standing area')
    await movePart(tx, 'standing_areas', eventId, id, position - 1)
    const moved = requireFound(await findStandingArea(tx, eventId, id))
    if (moved.position === area.position) return moved
    await updateThing(tx, 'standing_areas', id, {})
    changed()
    return requireFound(await findStandingArea(tx, eventId, id))
  })

export const removeStandingArea = (scope: EventScope, id: number): Promise<void> =>
  inPartsTransaction(scope, 'standing_areas', async ({ tx, eventId, changed }) => {
    requireFound(await lockStandingArea(tx, eventId, id))
    const reason = reasonNotToDelete(await findAreaUses(tx, eventId, id))
    if (reason) throw new Invalid(reason)
    await deletePart(tx, 'standing_areas', eventId, id)
    changed()
  })
