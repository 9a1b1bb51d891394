import { z } from 'zod'
import { organizer } from '../../access/access.ts'
import { RawAnswer, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { strictQueryChoice } from '../../http/fields.ts'
import { openStreamWithinLimits } from '../../http/limit-streams.ts'
import { STREAM_HEADERS } from '../../http/state-stream.ts'
import { findBoardChanges } from './records.ts'
import { streamChanges } from './stream-changes.ts'
import { TaskChanges, showBoardChanges } from './wire.ts'

const taskStream = endpoint({
  method: 'GET',
  path: '/admin/tasks/stream',
  operationId: 'streamTaskChanges',
  says: 'What changes on the board, as server-sent events where text/event-stream is asked for; goes on after Last-Event-ID. With `with=viewers` also who looks at the board, as events `viewers`: at once and then as people come and go.',
  access: organizer('read'),
  query: z.object({ with: strictQueryChoice('', ['', 'viewers']) }),
  answers: { 200: TaskChanges },
  media: ['text/event-stream'],
  handle: async ({ account, query, headers, stream, readmit, closing }) => {
    const after = readEventId(headers['last-event-id'])
    // A HEAD would never end what nobody reads.
    if (stream.method === 'GET' && headers.accept?.includes('text/event-stream')) {
      const withViewers = query.with === 'viewers'
      const changes = await openStreamWithinLimits(account, () =>
        streamChanges({ account, after, withViewers, readmit, closing }),
      )
      return new RawAnswer(200, STREAM_HEADERS, changes)
    }
    return ok(showBoardChanges(await findBoardChanges(account, after)))
  },
})

/** A number we never gave out is as good as one from before our time: the board is read anew. */
const readEventId = (header: string | string[] | undefined): number | null => {
  if (header === undefined || header === '') return null
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : Number.MAX_SAFE_INTEGER
}

export const liveEndpoints = [taskStream]
