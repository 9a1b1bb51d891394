import {
  NO_ROOM_MESSAGE,
  type OrderableTicket,
  chooseStandingArea,
  isEligibleForGuestList,
} from '../../admissions/rules.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../../kernel/messages.ts'

export const LINK_NAME_MAX = 200
export const COMPANIONS_MAX = 19
export const QUOTA_DEFAULT = 50

export const APPROVAL_MODES = ['manual', 'automatic'] as const
export const FIELD_MODES = ['hidden', 'optional', 'required'] as const
export type ApprovalMode = (typeof APPROVAL_MODES)[number]
export type FieldMode = (typeof FIELD_MODES)[number]

/** What staff decide about a link. */
export interface LinkSettings {
  name: string | null
  enabled: boolean
  approvalMode: ApprovalMode
  ticketId: number
  standingAreaId: number | null
  maxCompanions: number
  capacity: number
  companyField: FieldMode
  phoneField: FieldMode
  companionNamesField: FieldMode
  asksQuestions: boolean
}

export interface Link extends LinkSettings {
  id: number
  publicId: string
  sealedToken: Buffer
  /** Live admissions issued through the link, companions and additions included. */
  admissionCount: number
}

/** As far as guests notice them on its page. */
export type PageSettings = Omit<LinkSettings, 'ticketId' | 'standingAreaId'>

export const LINK_DEFAULTS: PageSettings = {
  name: null,
  enabled: true,
  approvalMode: 'manual',
  maxCompanions: 0,
  capacity: QUOTA_DEFAULT,
  companyField: 'optional',
  phoneField: 'hidden',
  companionNamesField: 'hidden',
  asksQuestions: false,
}

/** Never below zero, also when the capacity was lowered to stop the link. */
export const remainingCapacity = ({ capacity, admissionCount }: Pick<Link, 'capacity' | 'admissionCount'>) =>
  Math.max(0, capacity - admissionCount)

export const asksCompanionNames = ({ maxCompanions, companionNamesField }: PageSettings) =>
  maxCompanions > 0 && companionNamesField !== 'hidden'

/** Nobody picks a seat on a signup page, so numbered tickets are not for links. */
const isForLinks = (ticket: OrderableTicket | null): ticket is OrderableTicket =>
  isEligibleForGuestList(ticket) && ticket.inventoryKind !== 'places'

export type LinkSupply =
  | { ticket: OrderableTicket; area: { id: number; name: string } | null; faults: null }
  | { ticket: null; area: null; faults: ErrorMap }

/** What the link would issue, or what is wrong with the ticket and the area it names. */
export const validateLinkSupply = (
  ticket: OrderableTicket | null,
  asked: { ticketId: number | null; standingAreaId: number | null },
): LinkSupply => {
  const refuse = (field: string, message: string): LinkSupply => ({
    ticket: null,
    area: null,
    faults: { [field]: [message] },
  })
  if (asked.ticketId === null) return refuse('ticket_id', BLANK_MESSAGE)
  if (!isForLinks(ticket)) return refuse('ticket_id', NOT_INCLUDED_MESSAGE)

  const { area, fault } = chooseStandingArea(ticket, asked.standingAreaId)
  return fault === null ? { ticket, area, faults: null } : refuse('event_capacity_pool_id', fault)
}

/** The same at the moment of issuing: the area the link names, and none of its own accord. */
export const supplyAtIssue = (ticket: OrderableTicket | null, link: LinkSettings): LinkSupply => {
  const supply = validateLinkSupply(ticket, link)
  return supply.faults === null ? supply : { ...supply, faults: { base: [NO_ROOM_MESSAGE] } }
}
