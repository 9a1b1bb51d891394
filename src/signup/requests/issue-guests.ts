import type { Tx } from '../../access/scopes.ts'
import { type NewAdmission, type NewOrder, issueOrder } from '../../admissions/issue-order.ts'
import { NO_BILLING, NO_ROOM_MESSAGE, type Order, type OrderableTicket } from '../../admissions/rules.ts'
import { remainingCapacity, supplyAtIssue } from '../links/rules.ts'
import { type ApprovalRecord, type LinkAtDecision, recordAdditionApproval, recordApprovals } from './reviews/records.ts'
import {
  type Addition,
  type SignupRequest,
  answerValuesById,
  newAdmissionsOfAddition,
  newAdmissionsOfRequest,
} from './rules.ts'

/** What a party is issued from: the link as it is now, and whoever lets the guests in. */
export interface IssueContext {
  eventId: number
  link: LinkAtDecision
  ticket: OrderableTicket | null
  creator: { personId: number; name: string }
}

export type IssueResult<T> = { refused: string; granted: null } | { refused: null; granted: T }

/** The party of a request as it would be written, or null where the link has no room for it. */
export const partyOfRequest = (grounds: IssueContext, request: SignupRequest): NewOrder | null =>
  partyOf(grounds, request, newAdmissionsOfRequest(request))

export const approvalRecordOf = (request: SignupRequest, { link }: IssueContext, order: Order): ApprovalRecord => ({
  requestId: request.id,
  linkId: link.id,
  orderId: order.id,
  admissions: order.admissions.length,
})

/** For one who came alone: party and approval at once. */
export const issueAndApproveRequest = async (
  tx: Tx,
  grounds: IssueContext,
  request: SignupRequest,
): Promise<IssueResult<Order>> => {
  const issued = await issueParty(tx, partyOfRequest(grounds, request))
  if (issued.refused === null) await recordApprovals(tx, [approvalRecordOf(request, grounds, issued.granted)])
  return issued
}

/** Companions that came later get a party of their own, to the same address. */
export const issueAdditionParty = async (
  tx: Tx,
  grounds: IssueContext,
  request: SignupRequest,
  addition: Addition,
): Promise<IssueResult<Order>> => {
  const issued = await issueParty(tx, partyOf(grounds, request, newAdmissionsOfAddition(addition)))
  if (issued.refused !== null) return issued

  await recordAdditionApproval(tx, {
    additionId: addition.id,
    linkId: grounds.link.id,
    orderId: issued.granted.id,
    admissions: issued.granted.admissions.length,
  })
  return issued
}

const issueParty = async (tx: Tx, party: NewOrder | null): Promise<IssueResult<Order>> => {
  const { order } = party ? await issueOrder(tx, party) : { order: null }
  return order ? { refused: null, granted: order } : { refused: NO_ROOM_MESSAGE, granted: null }
}

const partyOf = (
  { eventId, link, ticket, creator }: IssueContext,
  guest: SignupRequest,
  admissions: NewAdmission[],
): NewOrder | null => {
  const supply = supplyAtIssue(ticket, link)
  if (supply.faults || admissions.length > remainingCapacity(link)) return null
  return {
    eventId,
    origin: 'guest_list',
    status: 'paid',
    customerName: guest.name,
    deliveryEmail: guest.email,
    deliversToCreator: false,
    staffNote: null,
    customerPhone: guest.phone,
    customerCompany: guest.company,
    billing: NO_BILLING,
    answers: answerValuesById(guest),
    language: guest.language,
    creator,
    ticket: supply.ticket,
    standingArea: supply.area,
    places: [],
    admissions,
  }
}
