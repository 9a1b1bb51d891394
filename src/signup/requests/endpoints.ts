import { z } from 'zod'
import { organizerOfEvent } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryChoice, queryPageNumber, queryText } from '../../http/fields.ts'
import { found } from '../../kernel/refusals.ts'
import { approveRequest } from './approve-request.ts'
import { listRequests } from './list-requests.ts'
import { findRequest } from './records.ts'
import { rejectRequest } from './reject-request.ts'
import { REQUEST_STATUSES } from './rules.ts'
import { SignupRequestOnWire, SignupRequests, showRequest, showRequests } from './wire.ts'
import { TRIALS } from '../trials.ts'

export const signupRequests = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_requests',
  operationId: 'listSignupRequests',
  says: 'Signup requests, newest first, 25 a page. Pending are those with something to decide: new ones, and approved ones with added companions.',
  access: organizerOfEvent('read'),
  query: z.object({ form_id: queryText(), status: queryChoice('pending', REQUEST_STATUSES), page: queryPageNumber() }),
  answers: { 200: SignupRequests },
  handle: async ({ event, query }) =>
    ok(showRequests(await listRequests(event, { formId: query.form_id, status: query.status, page: query.page }))),
})

export const signupRequest = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_requests/:public_id',
  operationId: 'getSignupRequest',
  says: 'One signup request, whatever was decided about it.',
  access: organizerOfEvent('read'),
  trial: TRIALS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) =>
    ok(showRequest(found(await findRequest(event.rows, event.event.id, params.public_id)))),
})

export const signupRequestApproval = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_requests/:public_id/approval',
  operationId: 'approveSignupRequest',
  says: 'Approves what waits, the request or the companions added to it: issues the party and mails its tickets.',
  access: organizerOfEvent('write'),
  trial: TRIALS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) => ok(showRequest(await approveRequest(event, params.public_id))),
})

export const signupRequestRejection = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_requests/:public_id/rejection',
  operationId: 'rejectSignupRequest',
  says: 'Rejects what waits, the request or only the companions added to it; no mail is sent.',
  access: organizerOfEvent('write'),
  trial: TRIALS.request,
  answers: { 200: SignupRequestOnWire },
  handle: async ({ event, params }) => ok(showRequest(await rejectRequest(event, params.public_id))),
})

export const requestEndpoints = [signupRequests, signupRequest, signupRequestApproval, signupRequestRejection]
