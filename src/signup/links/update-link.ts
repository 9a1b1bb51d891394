import type { EventScope, Tx } from '../../access/scopes.ts'
import type { OrderableTicket } from '../../admissions/rules.ts'
import { findOrderPreconditions } from '../../admissions/terms/records.ts'
import { Invalid, requireFound } from '../../kernel/refusals.ts'
import type { LinkChange } from './inputs.ts'
import { lockEvent, lockLink, updateLinkSettings } from './records.ts'
import { type Link, validateLinkSupply } from './rules.ts'

/** Changes the keys that were sent; refused, it changes none of them. */
export const updateLink = (event: EventScope, publicId: string, change: LinkChange): Promise<Link> =>
  event.transaction(async (tx) => {
    await lockEvent(tx, event.event.id)
    const link = requireFound(await lockLink(tx, event.event.id, publicId))
    return applyLinkChange(tx, event.event.id, link, change)
  })

export const applyLinkChange = async (tx: Tx, eventId: number, link: Link, change: LinkChange): Promise<Link> =>
  updateLinkSettings(tx, link.id, {
    ...(await supplyAfter(tx, eventId, link, change)),
    name: change.name === undefined ? link.name : change.name,
    enabled: change.enabled ?? link.enabled,
    approvalMode: change.approval_mode ?? link.approvalMode,
    maxCompanions: change.max_companions ?? link.maxCompanions,
    capacity: change.capacity ?? link.capacity,
    companyField: change.company_field ?? link.companyField,
    phoneField: change.phone_field ?? link.phoneField,
    companionNamesField: change.companion_names_field ?? link.companionNamesField,
    asksQuestions: change.asks_questions ?? link.asksQuestions,
  })

/**
 * An area that was closed since does not keep a link from being renamed, nor does it give way to another one, also where
 * somebody sends back all that was read. So only what changes is judged.
 */
const supplyAfter = async (tx: Tx, eventId: number, link: Link, change: LinkChange) => {
  const { ticket_id: ticketId = link.ticketId, event_capacity_pool_id: areaId = link.standingAreaId } = change
  if (ticketId === link.ticketId && areaId === link.standingAreaId) {
    return { ticketId, standingAreaId: areaId }
  }
  const terms = await findOrderPreconditions(tx, eventId, { ticketId, placeIds: [] })
  const { ticket, area, faults } = validateLinkSupply(terms.ticket, {
    ticketId,
    standingAreaId: standingAreaAfter(terms.ticket, link, change),
  })
  if (faults) throw new Invalid(faults)
  return { ticketId: ticket.id, standingAreaId: area?.id ?? null }
}

/** The area of the former ticket says nothing about another standing ticket; general admission has to be told so. */
const standingAreaAfter = (ticket: OrderableTicket | null, link: Link, change: LinkChange) => {
  if (change.event_capacity_pool_id !== undefined) return change.event_capacity_pool_id
  const isForeign = !ticket?.standingAreas.some(({ id }) => id === link.standingAreaId)
  return ticket?.inventoryKind === 'standing' && isForeign ? null : link.standingAreaId
}
