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
  const eventId = event.event.id
  const { requests, pendingCount } = await event.consistentRead(async (rows) => {
    const linkId = formId === '' ? null : found(await findLink(rows, eventId, formId)).id
    // One more than is shown tells whether there is a next page.
    const limits = { limit: REQUESTS_PER_PAGE + 1, offset: (page - 1) * REQUESTS_PER_PAGE }
    return {
      requests: await findRequests(rows, eventId, { linkId, status, ...limits }),
      pendingCount: await countWaiting(rows, eventId, linkId),
    }
  })
  return {
    status,
    pendingCount,
    nextPage: requests.length > REQUESTS_PER_PAGE ? page + 1 : null,
    requests: requests.slice(0, REQUESTS_PER_PAGE),
  }
}
