import { organizerOfEvent } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { findPartySummaries } from './records.ts'
import { GuestPartySummaries, showSummaries } from './wire.ts'

const partySummaries = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_party_summaries',
  operationId: 'listGuestPartySummaries',
  says: 'The guest list for whoever searches it on their own: its live parties by lead name, each with what a list shows, and what they count. Codes and answers stand in the party itself.',
  access: organizerOfEvent('read'),
  answers: { 200: GuestPartySummaries },
  handle: async ({ event }) => ok(showSummaries(await findPartySummaries(event.rows, event.event.id))),
})

export const partySummaryEndpoints = [partySummaries]
