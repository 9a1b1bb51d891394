import { expect, test } from 'vitest'
import { openTool } from '../../test/kit/venue/assistant.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const as = async (venue: Venue, token: string) => {
  const { does: tasks, fails } = await openTool(venue, token, 'manage_tasks')
  return { tasks, fails }
}

test('an assistant puts a task on the board, gives it away, discusses it and clears it up', async () => {
  const venue = await openVenue()
  const { tasks, fails } = await as(venue, 'office write')

  const { people } = await tasks('assignees', { event_title: 'winter ball' })
  expect(people.map(({ name }: { name: string }) => name)).toContain('Cem Partner')
  const task = await tasks('create', {
    title: 'Order wristbands',
    description: '500 pieces',
    due_on: '2030-01-31',
    event_title: 'winter ball',
    assignee_name: 'cem partner',
  })
  expect(task).toMatchObject({
    status: 'open',
    event: { slug: 'winter-ball' },
    assignee: { name: 'Cem Partner' },
    due_on: '2030-01-31',
  })
  const { task_id } = task

  expect(await tasks('list', { event_title: 'none' })).toMatchObject({ count: 0 })
  expect(await tasks('list', { assignee_name: 'Cem Partner', event_title: 'winter-ball' })).toMatchObject({ count: 1 })
  expect(await tasks('list', { query: 'WRIST' })).toMatchObject({ tasks: [{ task_id }] })

  const edited = { task_id, due_on: '', assignee_name: '', lock_version: task.lock_version }
  expect(await tasks('update', edited)).toMatchObject({ due_on: null, assignee: null, title: 'Order wristbands' })
  expect(await fails('update', edited)).toMatchObject({ status: 409 })
  expect(await tasks('update', { task_id, assignee_name: 'Cem Partner' })).toMatchObject({
    assignee: { name: 'Cem Partner' },
  })
  expect(await tasks('list', { assignee_name: 'cem partner' })).toMatchObject({ tasks: [{ task_id }] })
  expect(await tasks('list', { assignee_name: 'me' })).toMatchObject({ count: 0 })
  expect(await tasks('update', { task_id, assignee_name: 'none' })).toMatchObject({ assignee: null })
  expect(await tasks('move', { task_id, status: 'in_progress' })).toMatchObject({ status: 'in_progress' })
  expect(await tasks('comment', { task_id, comment: 'They come on Friday.' })).toMatchObject({
    kind: 'comment',
    author: 'Olga Owner',
  })
  expect(await tasks('comments', { task_id })).toMatchObject({
    count: 7,
    entries: [{ body: 'They come on Friday.' }, {}, {}, {}, {}, {}, { kind: 'created' }],
  })

  expect(await fails('archive', { task_id })).toMatchObject({ status: 422 })
  await tasks('update', { task_id, status: 'done' })
  expect((await tasks('archive', { task_id })).archived_at).not.toBeNull()
  expect(await tasks('list', { archived: true })).toMatchObject({ count: 1 })
  expect(await tasks('restore', { task_id })).toMatchObject({ archived_at: null, status: 'done' })
  expect(await tasks('list', { hide_done: true })).toMatchObject({ count: 0 })

  expect(await tasks('remove', { task_id })).toMatchObject({ dry_run: true })
  expect(await tasks('show', { task_id })).toMatchObject({ task_id })
  expect(await tasks('remove', { task_id, confirmed: true })).toEqual({ done: true })
  expect(await fails('show', { task_id })).toMatchObject({ status: 404 })
})

test('a co-organizer has tasks of assigned events, and names that fit nobody are answered with choices', async () => {
  const venue = await openVenue()
  const { tasks, fails } = await as(venue, 'cem write')
  expect(await fails('create', { title: 'Everything' })).toMatchObject({
    errors: { event_title: ["can't be blank"] },
  })
  expect(await fails('create', { title: 'There', event_title: 'Spring Night' })).toMatchObject({ status: 404 })
  const mine = await tasks('create', { title: 'Here', event_title: 'Winter Ball', assignee_name: 'me' })
  expect(mine.assignee).toMatchObject({ name: 'Cem Partner' })
  const nobody = await fails('update', {
    task_id: mine.task_id,
    event_title: 'winter-ball',
    assignee_name: 'Sami Scanner',
  })
  expect(nobody.errors).toEqual({ assignee_name: ['is none of the choices'] })
  expect(nobody.choices).toContainEqual(expect.objectContaining({ name: 'Mara Manager' }))
})
