import { z } from 'zod'
import type { EventScope, Tx } from '../../access/scopes.ts'
import type { Order } from '../../admissions/rules.ts'
import { partyWebhookMessage } from '../../guest-list/announce.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import {
  type WebhookKindOf,
  type WebhookMessage,
  webhookMessageAboutEvent,
  publishWebhooks,
  publishWebhooksOfCaller,
} from '../../webhooks/publish.ts'
import { EventInWebhook, defineWebhook } from '../../webhooks/webhook.ts'
import { REQUEST_STATUSES, type SignupRequest, partySize, requestStatusOf, approvedPartySize } from './rules.ts'

interface EventToldOf {
  id: number
  slug: string
}

const RequestInMessage = named(
  'WebhookSignupRequest',
  z.object({
    public_id: z.string(),
    form_id: z.string(),
    name: z.string(),
    party_size: z.int(),
    total_party_size: z.int(),
    status: z.enum(REQUEST_STATUSES),
    created_at: Timestamp,
    reviewed_at: Timestamp.nullable(),
    order_public_id: z.string().nullable(),
  }),
  {
    public_id: 'H2vXc9RsWq5NzYb7KdTm4F',
    form_id: 'B5nYw8ZrKd3TqVx2MfHc7P',
    name: 'Ada Lovelace',
    party_size: 2,
    total_party_size: 2,
    status: 'pending',
    created_at: '2026-11-20T10:00:00.000Z',
    reviewed_at: null,
    order_public_id: null,
  },
)

const SignupMessage = named(
  'SignupMessage',
  z.object({
    event: EventInWebhook,
    guest_request: RequestInMessage,
    addition: z.object({ companions: z.int() }).nullable(),
    order_id: z.string().nullable(),
  }),
  { event: exampleOf(EventInWebhook)!, guest_request: exampleOf(RequestInMessage)!, addition: null, order_id: null },
)

export const signupWebhooks = [
  defineWebhook('guest_signup.requested', 'A guest signed up, or would like to bring more: `addition`.', SignupMessage),
  defineWebhook(
    'guest_signup.approved',
    'A signup or an addition was approved, by staff or by the link’s own rules; `order_id` is the party it made.',
    SignupMessage,
  ),
  defineWebhook('guest_signup.rejected', 'A signup or an addition was rejected.', SignupMessage),
]

/** What was asked for or decided: the request itself, or only companions who were added to it. */
export interface RequestForWebhook {
  request: SignupRequest
  /** How many, when it is about companions who came later. */
  addition: number | null
  /** The party that came of it. */
  order?: Order | null
}

/** Somebody asked to come; where Foyer lets guests in by itself, that is told along with it. */
export const announceSignup = (tx: Tx, event: EventToldOf, told: RequestForWebhook): Promise<void> =>
  publishWebhooks(tx, [signupTold('guest_signup.requested', event, told), ...approvalTold(event, told)])

/** Staff let guests in, several requests at once perhaps. */
export const announceApprovals = (tx: Tx, scope: EventScope, approved: () => RequestForWebhook[]): Promise<void> =>
  publishWebhooksOfCaller(scope, tx, () => approved().flatMap((told) => approvalTold(scope.event, told)))

export const announceRejection = (tx: Tx, scope: EventScope, told: RequestForWebhook): Promise<void> =>
  publishWebhooksOfCaller(scope, tx, () => [signupTold('guest_signup.rejected', scope.event, told)])

/** An approval makes a party, and whoever follows the guest list hears of that as of any other. */
const approvalTold = (event: EventToldOf, told: RequestForWebhook): WebhookMessage[] =>
  told.order
    ? [signupTold('guest_signup.approved', event, told), partyWebhookMessage('guest_party.created', event, told.order)]
    : []

const signupTold = (
  kind: WebhookKindOf<'guest_signup'>,
  event: EventToldOf,
  { request, addition, order }: RequestForWebhook,
) =>
  webhookMessageAboutEvent<z.output<typeof SignupMessage>>(kind, event, {
    guest_request: showRequestTold(request),
    addition: addition === null ? null : { companions: addition },
    order_id: order?.publicId ?? null,
  })

/** Addresses, telephone numbers and answers stay in Foyer: they are read where they may be, with a token. */
const showRequestTold = (request: SignupRequest): z.output<typeof RequestInMessage> => ({
  public_id: request.publicId,
  form_id: request.linkPublicId,
  name: request.name,
  party_size: partySize(request),
  total_party_size: approvedPartySize(request),
  status: requestStatusOf(request),
  created_at: showTimestamp(request.createdAt),
  reviewed_at: showTimestampOrNull(request.reviewedAt),
  order_public_id: request.orderPublicId,
})
