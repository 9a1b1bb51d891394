import type { EventScope } from '../../access/scopes.ts'
import { found } from '../../kernel/refusals.ts'
import { findLink } from '../links/records.ts'
import { countWaiting, findRequests } from './records.ts'
import { REQUESTS_PER_PAGE, type RequestStatus } from './rules.ts'
import type { RequestPage } from './wire.ts'

export const listRequests = async (
  event: EventScope,
  { formId, status, page }: { formId: string; status: RequestStatus; page: number },
): Promise<RequestPage> => {
  const { rows } = event
  const eventId = event.event.id
  const linkId = formId === '' ? null : found(await findLink(rows, eventId, formId)).id

  const [requests, pendingCount] = await Promise.all([
    // One more than is shown tells whether there is a next page.
    findRequests(rows, eventId, {
      linkId,
      status,
      limit: REQUESTS_PER_PAGE + 1,
      offset: (page - 1) * REQUESTS_PER_PAGE,
    }),
    countWaiting(rows, eventId, linkId),
  ])
  return {
    status,
    pendingCount,
    nextPage: requests.length > REQUESTS_PER_PAGE ? page + 1 : null,
    requests: requests.slice(0, REQUESTS_PER_PAGE),
  }
}
