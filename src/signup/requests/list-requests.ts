import type { EventScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { findLink } from '../links/records.ts'
import { countWaitingRequests, findRequests } from './records.ts'
import type { RequestStatus } from './rules.ts'
import type { RequestPage } from './wire.ts'

export const listRequests = async (
  event: EventScope,
  { formId, status, page, perPage }: { formId: string; status: RequestStatus; page: number; perPage: number },
): Promise<RequestPage> => {
  const eventId = event.event.id
  const { requests, pendingCount } = await event.replicaRead(async (rows) => {
    const linkId = formId === '' ? null : requireFound(await findLink(rows, eventId, formId)).id
    // One more than is shown tells whether there is a next page.
    const limits = { limit: perPage + 1, offset: (page - 1) * perPage }
    return {
      requests: await findRequests(rows, eventId, { linkId, status, ...limits }),
      pendingCount: await countWaitingRequests(rows, eventId, linkId),
    }
  })
  return {
    status,
    pendingCount,
    nextPage: requests.length > perPage ? page + 1 : null,
    requests: requests.slice(0, perPage),
  }
}
