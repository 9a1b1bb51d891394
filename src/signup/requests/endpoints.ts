import { z } from 'zod'
import { organizerOfEvent } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryChoice, queryName, queryPageLength, queryPageNumber } from '../../http/fields.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { approveRequest } from './approve-request.ts'
import { approveRequests } from './approve-requests.ts'
import { RequestsToApprove } from './inputs.ts'
import { listRequests } from './list-requests.ts'
import { findRequest } from './records.ts'
import { rejectRequest } from './reject-request.ts'
import { REQUESTS_PER_PAGE, REQUESTS_PER_PAGE_MAX, REQUEST_STATUSES } from './rules.ts'
import {
  SignupApprovals,
  SignupRequestOnWire,
  SignupRequests,
  showApprovals,
  showRequest,
  showRequests,
} from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

export const signupRequestsEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_requests',
  operationId: 'listSignupRequests',
  says: 'Signup requests, newest first, 25 a page, or `per_page` up to 250. Pending are those with something to decide: new ones, and approved ones with added companions.',
  access: organizerOfEvent('read'),
  query: z.object({
    form_id: queryName(),
    status: queryChoice('pending', REQUEST_STATUSES),
    page: queryPageNumber(),
    per_page: queryPageLength(REQUESTS_PER_PAGE, REQUESTS_PER_PAGE_MAX),
  }),
  answers: { 200: SignupRequests },
  handle: async ({ event, query }) =>
    ok(
      showRequests(
        await listRequests(event, {
          formId: query.form_id,
          status: query.status,
          page: query.page,
          perPage: query.per_page,
        }),
      ),
    ),
})

export const signupRequestEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_requests/:public_id',
  operationId: 'getSignupRequest',
  says: 'One signup request, whatever was decided about it.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) =>
    ok(showRequest(requireFound(await findRequest(event.rows, event.event.id, params.public_id)))),
})

export const signupRequestApprovalEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_requests/:public_id/approval',
  operationId: 'approveSignupRequest',
  says: 'Approves what waits, the request or the companions added to it: issues the party and mails its tickets.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) => ok(showRequest(await approveRequest(event, params.public_id))),
})

export const signupRequestRejectionEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_requests/:public_id/rejection',
  operationId: 'rejectSignupRequest',
  says: 'Rejects what waits, the request or only the companions added to it; no mail is sent.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) => ok(showRequest(await rejectRequest(event, params.public_id))),
})

export const signupRequestApprovalsEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_requests/approvals',
  operationId: 'approveSignupRequests',
  says: 'Approves up to 500 requests in the order they are given. Each is judged like a single approval and has its own result: one that is refused stays waiting and leaves the others approved.',
  access: organizerOfEvent('write'),
  body: RequestsToApprove,
  example: { public_ids: ['$public_id'] },
  exampleSetup: EXAMPLE_SETUPS.request,
  answers: { 200: SignupApprovals },
  creates: true,
  handle: async ({ event, body }) => ok(showApprovals(await approveRequests(event, body.public_ids))),
})

export const requestEndpoints = [
  signupRequestsEndpoint,
  signupRequestEndpoint,
  signupRequestApprovalEndpoint,
  signupRequestApprovalsEndpoint,
  signupRequestRejectionEndpoint,
]
