import { z } from 'zod'
import { optionalText, requiredText } from '../../http/fields.ts'
import { named } from '../../http/wire.ts'
import type { TaskViewer } from './records.ts'

export const TaskViewers = named(
  'TaskViewers',
  z.object({
    task_viewers: z.array(
      z.object({ person: z.object({ id: z.int(), name: z.string() }), task_id: z.string().nullable() }),
    ),
  }),
  { task_viewers: [{ person: { id: 2, name: 'Mara Manager' }, task_id: '4XkPz8sQm2VfRb6NwYc9Td' }] },
)

const PAGE_NAME_MAX = 64

export const TaskViewerFields = z.object({ page: requiredText(PAGE_NAME_MAX), task_id: optionalText() })

export const showTaskViewers = (viewers: readonly TaskViewer[]): z.output<typeof TaskViewers> => ({
  task_viewers: viewers.map(({ membershipId, name, taskPublicId }) => ({
    person: { id: membershipId, name },
    task_id: taskPublicId,
  })),
})
