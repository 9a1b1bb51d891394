import { z } from 'zod'
import { organizerOfEvent } from '../../access/access.ts'
import { ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { Timestamp, named, showTimestamp } from '../../http/wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { HISTORY_KINDS, type HistoryEntry, readHistory } from './read-history.ts'

const PartyHistory = named(
  'GuestPartyHistory',
  z.object({
    entries: z.array(
      z.object({
        kind: z.enum(HISTORY_KINDS),
        at: Timestamp,
        by: z.string().nullable(),
        attendee_name: z.string().nullable(),
      }),
    ),
  }),
  {
    entries: [
      { kind: 'changed', at: '2026-11-21T10:00:00.000Z', by: 'Mara Manager', attendee_name: null },
      { kind: 'created', at: '2026-11-20T10:00:00.000Z', by: 'Olga Owner', attendee_name: null },
    ],
  },
)

const showEntry = ({ kind, at, by, attendeeName }: HistoryEntry) => ({
  kind,
  at: showTimestamp(at),
  by,
  attendee_name: attendeeName,
})

const partyHistory = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_parties/:public_id/history',
  operationId: 'getGuestPartyHistory',
  says: 'What became of a party, newest first: who added and changed it, when its tickets were mailed, and who came in.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.party,
  answers: { 200: PartyHistory },
  handle: async ({ event, params }) => ok({ entries: (await readHistory(event, params.public_id)).map(showEntry) }),
})

export const historyEndpoints = [partyHistory]
