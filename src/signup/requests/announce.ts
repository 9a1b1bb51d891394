import type { EventScope, Tx } from '../../access/scopes.ts'
import type { Order } from '../../admissions/rules.ts'
import { partyTold } from '../../guest-list/announce.ts'
import { showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { type KindOf, type Publication, atEvent, publish, publishFor } from '../../webhooks/publish.ts'
import { type SignupRequest, partySize, statusOf, totalPartySize } from './rules.ts'

interface EventToldOf {
  id: number
  slug: string
}

/** What was asked for or decided: the request itself, or only companions who were added to it. */
export interface Told {
  request: SignupRequest
  /** How many, when it is about companions who came later. */
  addition: number | null
  /** The party that came of it. */
  order?: Order | null
}

/** Somebody asked to come; where the house lets guests in by itself, that is told along with it. */
export const announceSignup = (tx: Tx, event: EventToldOf, told: Told): Promise<void> =>
  publish(tx, [signupTold('guest_signup.requested', event, told), ...approvalTold(event, told)])

/** Staff let guests in, several requests at once perhaps. */
export const announceApprovals = (tx: Tx, scope: EventScope, approved: () => Told[]): Promise<void> =>
  publishFor(scope, tx, () => approved().flatMap((told) => approvalTold(scope.event, told)))

export const announceRejection = (tx: Tx, scope: EventScope, told: Told): Promise<void> =>
  publishFor(scope, tx, () => [signupTold('guest_signup.rejected', scope.event, told)])

/** An approval makes a party, and whoever follows the guest list hears of that as of any other. */
const approvalTold = (event: EventToldOf, told: Told): Publication[] =>
  told.order
    ? [signupTold('guest_signup.approved', event, told), partyTold('guest_party.created', event, told.order)]
    : []

const signupTold = (kind: KindOf<'guest_signup'>, event: EventToldOf, { request, addition, order }: Told) =>
  atEvent(kind, event, {
    guest_request: showRequestTold(request),
    addition: addition === null ? null : { companions: addition },
    order_id: order?.publicId ?? null,
  })

/** Addresses, telephone numbers and answers stay in the house: they are read where they may be, with a token. */
const showRequestTold = (request: SignupRequest) => ({
  public_id: request.publicId,
  form_id: request.linkPublicId,
  name: request.name,
  party_size: partySize(request),
  total_party_size: totalPartySize(request),
  status: statusOf(request),
  created_at: showTimestamp(request.createdAt),
  reviewed_at: showTimestampOrNull(request.reviewedAt),
  order_public_id: request.orderPublicId,
})
