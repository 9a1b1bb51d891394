import type { EventScope, Rows } from '../../access/scopes.ts'
import { Conflict } from '../../kernel/refusals.ts'
import { createLinkInTransaction } from './create-link.ts'
import type { LinkChange } from './inputs.ts'
import { findLinks, findTicketIdsForLinks, lockEvent } from './records.ts'
import { type Link, LINK_DEFAULTS } from './rules.ts'
import { applyLinkChange } from './update-link.ts'

/** Integrations of the time when an event had one form still ask for "the" link; several are none. */
export const findOnlyLink = async (rows: Rows, eventId: number): Promise<Link | null> => {
  const [link, ...others] = await findLinks(rows, eventId)
  if (others.length > 0) throw new Conflict('Several signup links exist; use guest_list_forms')
  return link ?? null
}

/** The ticket a first link would be for: where there is no choice, it need not be named. */
export const suggestTicketId = async (rows: Rows, eventId: number): Promise<number | null> =>
  (await findTicketIdsForLinks(rows, eventId))[0] ?? null

/** Changes the one link, or makes the first one; two who do that at once make one. */
export const createOrChangeOnlyLink = (event: EventScope, change: LinkChange): Promise<Link> =>
  event.transaction(async (tx) => {
    const eventId = event.event.id
    await lockEvent(tx, eventId)
    const link = await findOnlyLink(tx, eventId)
    if (link) return applyLinkChange(tx, eventId, link, change)

    const tickets = change.ticket_id === undefined ? await findTicketIdsForLinks(tx, eventId) : []
    return createLinkInTransaction(tx, event.app, eventId, {
      name: change.name ?? LINK_DEFAULTS.name,
      enabled: change.enabled ?? LINK_DEFAULTS.enabled,
      ticket_id: change.ticket_id ?? (tickets.length === 1 ? tickets[0]! : null),
      event_capacity_pool_id: change.event_capacity_pool_id ?? null,
      approval_mode: change.approval_mode ?? LINK_DEFAULTS.approvalMode,
      max_companions: change.max_companions ?? LINK_DEFAULTS.maxCompanions,
      capacity: change.capacity ?? LINK_DEFAULTS.capacity,
      company_field: change.company_field ?? LINK_DEFAULTS.companyField,
      phone_field: change.phone_field ?? LINK_DEFAULTS.phoneField,
      companion_names_field: change.companion_names_field ?? LINK_DEFAULTS.companionNamesField,
      asks_questions: change.asks_questions ?? LINK_DEFAULTS.asksQuestions,
    })
  })
