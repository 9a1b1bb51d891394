import { z } from 'zod'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { type ApprovalResult, isApproved } from './approve-requests.ts'
import {
  type RequestStatus,
  type SignupRequest,
  approvedAdditions,
  partySize,
  requestStatusOf,
  approvedPartySize,
  waitingAddition,
} from './rules.ts'

const status = z.enum(['pending', 'approved', 'rejected'])

export const SignupRequestOnWire = named(
  'SignupRequest',
  z.object({
    public_id: z.string(),
    form_id: z.string(),
    name: z.string(),
    email: z.string(),
    company: z.string().nullable(),
    phone: z.string().nullable(),
    companions: z.int(),
    companion_names: z.array(z.string()),
    answers: z.array(
      z.object({
        id: z.int(),
        label: z.string(),
        type: z.string(),
        value: z.union([z.string(), z.boolean(), z.array(z.string())]),
      }),
    ),
    party_size: z.int(),
    total_party_size: z.int(),
    status,
    created_at: Timestamp,
    reviewed_at: Timestamp.nullable(),
    order_public_id: z.string().nullable(),
    pending_addition: z
      .object({ companions: z.int(), companion_names: z.array(z.string()), created_at: Timestamp })
      .nullable(),
    additions: z.array(z.object({ companions: z.int(), order_public_id: z.string() })),
  }),
  {
    public_id: 'H2vXc9RsWq5NzYb7KdTm4F',
    form_id: 'B5nYw8ZrKd3TqVx2MfHc7P',
    name: 'Ada Lovelace',
    email: 'ada@engine.example',
    company: 'Engine Works',
    phone: null,
    companions: 1,
    companion_names: ['Charles'],
    answers: [{ id: 12, label: 'How did you hear of us?', type: 'select', value: 'Friends' }],
    party_size: 2,
    total_party_size: 3,
    status: 'approved',
    created_at: '2026-11-20T10:00:00.000Z',
    reviewed_at: '2026-11-20T12:30:00.000Z',
    order_public_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
    pending_addition: { companions: 1, companion_names: ['Mary'], created_at: '2026-11-21T09:00:00.000Z' },
    additions: [{ companions: 1, order_public_id: 'Zt7Wk3MxPq9RvNc2YbHd5s' }],
  },
)

export const SignupRequests = named(
  'SignupRequests',
  z.object({
    status,
    pending_count: z.int(),
    next_page: z.int().nullable(),
    requests: z.array(SignupRequestOnWire),
  }),
  { status: 'pending', pending_count: 1, next_page: null, requests: [exampleOf(SignupRequestOnWire)!] },
)

export const showRequest = (request: SignupRequest): z.output<typeof SignupRequestOnWire> => {
  const waiting = waitingAddition(request)
  return {
    public_id: request.publicId,
    form_id: request.linkPublicId,
    name: request.name,
    email: request.email,
    company: request.company,
    phone: request.phone,
    companions: request.companions,
    companion_names: request.companionNames,
    answers: request.answers,
    party_size: partySize(request),
    total_party_size: approvedPartySize(request),
    status: requestStatusOf(request),
    created_at: showTimestamp(request.createdAt),
    reviewed_at: showTimestampOrNull(request.reviewedAt),
    order_public_id: request.orderPublicId,
    pending_addition: waiting && {
      companions: waiting.companions,
      companion_names: waiting.companionNames,
      created_at: showTimestamp(waiting.createdAt),
    },
    additions: approvedAdditions(request).map(({ companions, orderPublicId }) => ({
      companions,
      order_public_id: orderPublicId!,
    })),
  }
}

export const SignupApprovals = named(
  'SignupApprovals',
  z.object({
    approved_count: z.int(),
    refused_count: z.int(),
    results: z.array(
      z.object({
        public_id: z.string(),
        result: z.enum(['approved', 'refused']),
        message: z.string().nullable(),
        guest_request: SignupRequestOnWire.nullable(),
      }),
    ),
  }),
  {
    approved_count: 1,
    refused_count: 1,
    results: [
      {
        public_id: exampleOf(SignupRequestOnWire)!.public_id,
        result: 'approved',
        message: null,
        guest_request: exampleOf(SignupRequestOnWire)!,
      },
      {
        public_id: 'V8wKt2MzQc6RnXb4YpHd9S',
        result: 'refused',
        message: 'Not enough places available',
        guest_request: null,
      },
    ],
  },
)

export const showApprovals = (results: readonly ApprovalResult[]): z.output<typeof SignupApprovals> => {
  const approved = results.filter(isApproved).length
  return {
    approved_count: approved,
    refused_count: results.length - approved,
    results: results.map(({ publicId, outcome }) =>
      outcome instanceof Refusal
        ? { public_id: publicId, result: 'refused', message: outcome.message, guest_request: null }
        : { public_id: publicId, result: 'approved', message: null, guest_request: showRequest(outcome) },
    ),
  }
}

export interface RequestPage {
  status: RequestStatus
  pendingCount: number
  nextPage: number | null
  requests: SignupRequest[]
}

export const showRequests = (page: RequestPage): z.output<typeof SignupRequests> => ({
  status: page.status,
  pending_count: page.pendingCount,
  next_page: page.nextPage,
  requests: page.requests.map(showRequest),
})
