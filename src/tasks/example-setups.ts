import type { PrecedingCall, ExampleSetup } from '../http/example-setup.ts'

const newTask = (as: 'id' | 'task_id', status = 'open'): PrecedingCall => ({
  call: 'POST /admin/tasks',
  body: { task: { title: 'Order wristbands', status } },
  take: [{ key: 'id', as }],
})

/** The bytes of "Bring candles.", a file whose length and MD5 are known beforehand. */
const NOTE = { type: 'text/plain', base64: 'QnJpbmcgY2FuZGxlcy4=' }
const announcedNote: PrecedingCall = {
  call: 'POST /admin/task_uploads',
  body: {
    blob: { filename: 'note.txt', byte_size: 14, checksum: 'sBdH8bSaFnjK64ngEdIA4A==', content_type: NOTE.type },
  },
}
const LINK = { key: 'url', after: '/uploads/', as: 'signed_link' }

/** What the examples of these endpoints take to work on the demo venue. */
export const EXAMPLE_SETUPS = {
  task: { before: [newTask('id')] },
  change: { before: [newTask('id')], body: { task: { status: 'in_progress', due_on: null, lock_version: 0 } } },
  move: { before: [newTask('task_id')], body: { position: { status: 'done', lock_version: 0 } } },
  archival: { before: [newTask('task_id', 'done')], body: { lock_version: 0 } },
  restoration: {
    before: [newTask('task_id', 'done'), { call: 'POST /admin/tasks/$task_id/archive', body: { lock_version: 0 } }],
    body: { lock_version: 1 },
  },
  comments: { before: [newTask('task_id')] },
  download: {
    before: [
      { ...announcedNote, take: [{ key: 'signed_id', as: 'signed_id' }, LINK] },
      { call: 'PUT /uploads/$signed_link', file: NOTE },
    ],
  },
} satisfies Record<string, ExampleSetup>
