import { organizer, organizerOfEvent } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { RawAnswer, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { openStreamWithinLimits } from '../../http/limit-streams.ts'
import { STREAM_HEADERS } from '../../http/state-stream.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { NotFound } from '../../kernel/refusals.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'
import { readNight } from './read-night.ts'
import { recordConflictAcknowledgement, withdrawConflictAcknowledgement } from './records.ts'
import { streamNight } from './stream-night.ts'
import { Night, showNight } from './wire.ts'

const eventNight = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/night',
  operationId: 'getNight',
  says: 'How the evening goes: who is expected, who has arrived and who is inside, the devices, the arrivals by minute, and the conflicts that nobody has acknowledged.',
  access: organizerOfEvent('read'),
  answers: { 200: Night },
  handle: async ({ event }) => ok(showNight(await readNight(event))),
})

const nightStream = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/night/stream',
  operationId: 'streamNight',
  says: 'The same as server-sent events `night` where text/event-stream is asked for: at once and then after changes, at most one a second.',
  access: organizerOfEvent('read'),
  answers: { 200: Night },
  media: ['text/event-stream'],
  handle: async ({ event, headers, stream, readmit, closing }) => {
    // A HEAD would never end what nobody reads.
    if (stream.method === 'GET' && headers.accept?.includes('text/event-stream')) {
      const night = await openStreamWithinLimits(event, () => streamNight({ event, readmit, closing }))
      return new RawAnswer(200, STREAM_HEADERS, night)
    }
    return ok(showNight(await readNight(event)))
  },
})

const conflictAcknowledgement = endpoint({
  method: 'POST',
  path: '/admin/redemption_attempts/:id/acknowledgement',
  operationId: 'acknowledgeConflict',
  integerParams: ['id'],
  says: 'Says that somebody has seen to a synced conflict, which the night then shows no more. Again it changes nothing.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.acknowledgement,
  answers: { 204: null },
  handle: ({ account, params }) => changeConflict(account, params.id, recordConflictAcknowledgement),
})

const withdrawnAcknowledgement = endpoint({
  method: 'DELETE',
  path: '/admin/redemption_attempts/:id/acknowledgement',
  operationId: 'withdrawAcknowledgement',
  integerParams: ['id'],
  says: 'Takes back that somebody has seen to a synced conflict: the night shows it again. Again it changes nothing.',
  access: organizer('write'),
  exampleSetup: EXAMPLE_SETUPS.withdrawal,
  answers: { 204: null },
  handle: ({ account, params }) => changeConflict(account, params.id, withdrawConflictAcknowledgement),
})

const changeConflict = async (account: CallerScope, givenId: string, change: typeof recordConflictAcknowledgement) => {
  const id = parsePathId(givenId)
  account.note?.add({ redemption_attempt_id: id })
  await account.transaction(async (tx) => {
    if (!(await change(account, tx, id))) throw new NotFound()
  })
  return noContent()
}

export const nightEndpoints = [eventNight, nightStream, conflictAcknowledgement, withdrawnAcknowledgement]
