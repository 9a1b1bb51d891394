import { organizer } from '../access/access.ts'
import { RawAnswer, ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { openStreamWithinLimits } from '../http/limit-streams.ts'
import { STREAM_HEADERS } from '../http/state-stream.ts'
import { findAccountChanges } from './records.ts'
import { streamAccountChanges } from './stream-account-changes.ts'
import { Changes, showChanges } from './wire.ts'

const changes = endpoint({
  method: 'GET',
  path: '/admin/changes',
  operationId: 'getChanges',
  says: 'A version for each topic that the caller may read. A version that differs from the one before says that what the topic is about should be read anew; it tells nothing else, and what is of other people’s events does not change it.',
  access: organizer('read'),
  answers: { 200: Changes },
  handle: async ({ account }) => ok(showChanges(await findAccountChanges(account), account)),
})

const changeStream = endpoint({
  method: 'GET',
  path: '/admin/changes/stream',
  operationId: 'streamChanges',
  says: 'The same as server-sent events `changes` where text/event-stream is asked for: at once and then when a version has changed, at most two a second.',
  access: organizer('read'),
  answers: { 200: Changes },
  media: ['text/event-stream'],
  handle: async ({ account, headers, stream, readmit, closing }) => {
    // A HEAD would never end what nobody reads.
    if (stream.method === 'GET' && headers.accept?.includes('text/event-stream')) {
      const told = await openStreamWithinLimits(account, () => streamAccountChanges({ account, readmit, closing }))
      return new RawAnswer(200, STREAM_HEADERS, told)
    }
    return ok(showChanges(await findAccountChanges(account), account))
  },
})

export const changeEndpoints = [changes, changeStream]
