import { z } from 'zod'
import type { AppServices } from '../../access/app.ts'
import { envelope } from '../../http/body.ts'
import { optionalText } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { Attachment, showAttachment, showTextWithFiles } from '../attachments/wire.ts'
import { MARKUP_MAX } from '../rules.ts'
import type { TaskHistoryEntry } from './records.ts'

export const NewComment = envelope('comment', z.object({ body: optionalText(MARKUP_MAX) }))

export const TaskEntry = named(
  'TaskEntry',
  z.object({
    id: z.string(),
    kind: z.enum(['created', 'status', 'assignment', 'comment']),
    body: z.string().nullable(),
    body_html: z.string().nullable(),
    attachments: z.array(Attachment),
    details: z.object({
      from: z.string().optional(),
      to: z.string().optional(),
      name: z.string().nullable().optional(),
    }),
    author: z.string().nullable(),
    created_at: Timestamp,
  }),
  {
    id: 'Kp7wTz2XnR5vQb9YsMf3dH',
    kind: 'comment',
    body: 'They come on Friday.',
    body_html: '<p>They come on <strong>Friday</strong>.</p>',
    attachments: [],
    details: {},
    author: 'Mara Manager',
    created_at: '2030-01-31T20:00:00.000Z',
  },
)

export const TaskEntries = named('TaskEntries', z.object({ entries: z.array(TaskEntry) }), {
  entries: [exampleOf(TaskEntry)!],
})

export const showEntry = (app: AppServices, entry: TaskHistoryEntry): z.output<typeof TaskEntry> => ({
  id: entry.publicId,
  kind: entry.kind,
  body: entry.body,
  body_html: entry.bodyHtml === null ? null : showTextWithFiles(app, entry.bodyHtml, entry.files),
  attachments: entry.files.map((file) => showAttachment(app, file)),
  details: entry.details,
  author: entry.author,
  created_at: showTimestamp(entry.createdAt),
})
