import type { AppServices } from '../../access/app.ts'
import type { EventScope, Tx } from '../../access/scopes.ts'
import { findOrderPreconditions } from '../../admissions/terms/records.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { newSignupToken } from '../tokens.ts'
import { type NewLinkInput, pageSettingsOf } from './inputs.ts'
import { insertLink, lockEvent } from './records.ts'
import { type Link, validateLinkSupply } from './rules.ts'

export const createLink = (event: EventScope, input: NewLinkInput): Promise<Link> =>
  event.transaction(async (tx) => {
    await lockEvent(tx, event.event.id)
    return createLinkInTransaction(tx, event.app, event.event.id, input)
  })

export const createLinkInTransaction = async (
  tx: Tx,
  app: Pick<AppServices, 'secrets'>,
  eventId: number,
  input: NewLinkInput,
  /** Areas that the link may be for although they are closed. */
  areas: readonly { id: number; name: string }[] = [],
): Promise<Link> => {
  const asked = { ticketId: input.ticket_id, standingAreaId: input.event_capacity_pool_id }
  const terms = await findOrderPreconditions(tx, eventId, { ticketId: asked.ticketId, placeIds: [] })
  const wanted = terms.ticket && { ...terms.ticket, standingAreas: [...terms.ticket.standingAreas, ...areas] }
  const { ticket, area, faults } = validateLinkSupply(wanted, asked)
  if (faults) throw new Invalid(faults)

  return insertLink(tx, eventId, newPublicId(), newSignupToken(app, 'link'), {
    ...pageSettingsOf(input),
    ticketId: ticket.id,
    standingAreaId: area?.id ?? null,
  })
}
