import { z } from 'zod'
import { named } from '../../http/wire.ts'
import type { BoardChange, BoardChanges } from './records.ts'

const KINDS = ['created', 'updated', 'moved', 'archived', 'restored', 'deleted', 'commented', 'left'] as const

export const TaskChanges = named(
  'TaskChanges',
  z.object({
    changes: z.array(z.object({ id: z.string(), kind: z.enum(KINDS), task_id: z.string() })),
    last_event_id: z.string(),
    reload: z.boolean(),
  }),
  { changes: [{ id: '42', kind: 'moved', task_id: '4XkPz8sQm2VfRb6NwYc9Td' }], last_event_id: '42', reload: false },
)

export const showBoardChanges = (news: BoardChanges): z.output<typeof TaskChanges> => ({
  changes: news.isIncomplete
    ? []
    : news.changes.map(({ number, kind, taskPublicId }) => ({ id: String(number), kind, task_id: taskPublicId })),
  last_event_id: String(news.last),
  reload: news.isIncomplete,
})

/** One message of the stream. */
export const formatServerSentEvent = (kind: 'ready' | 'reload' | 'task' | 'viewers', id: number, data: object) =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`

export const formatChangeEvent = ({ number, kind, taskPublicId }: BoardChange) =>
  formatServerSentEvent('task', number, { kind, task_id: taskPublicId })
