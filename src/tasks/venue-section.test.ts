import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'

const load = (...tasks: object[]) => openVenue((file) => (file['tasks'] = tasks))

test('a board is loaded in the order of the file', async () => {
  const { office, partner } = await load(
    {
      title: 'Order wristbands',
      description: '500 pieces, **blue**',
      event: 'winter-ball',
      assignee: 'mara@neue-halle.example',
      due_on: '2030-01-31',
    },
    { title: 'Print lists', description: '<p>Twice<script>x</script></p>', status: 'in_progress' },
    { title: 'Hire crew', event: 'spring-night' },
    { title: 'Renew insurance', status: 'done', archived: true },
    { title: 'Of someone who left', assignee: 'dora@neue-halle.example' },
  )
  const { tasks } = (await office.get('/admin/tasks')).body
  expect(
    tasks.map((task: { title: string; status: string; position: number }) => [task.title, task.status, task.position]),
  ).toEqual([
    ['Order wristbands', 'open', 1],
    ['Print lists', 'in_progress', 1],
    ['Hire crew', 'open', 2],
    ['Of someone who left', 'open', 3],
  ])
  expect(tasks[0]).toMatchObject({
    description: '500 pieces, **blue**',
    due_on: '2030-01-31',
    event: { slug: 'winter-ball', title: 'Winter Ball' },
    assignee: { name: 'Mara Manager' },
    lock_version: 0,
  })
  expect(tasks[1].description_html).toBe('<p>Twice</p>')
  expect((await office.get('/admin/tasks?archived=true')).body.tasks[0].title).toBe('Renew insurance')
  const { entries } = (await partner.get(`/admin/tasks/${tasks[0].id}/comments`)).body
  expect(entries.map((entry: { kind: string; author: string }) => [entry.kind, entry.author])).toEqual([
    ['created', 'Olga Owner'],
    ['assignment', 'Olga Owner'],
  ])
})

test('a loaded board goes on like any other', async () => {
  const { office } = await load({ title: 'a' }, { title: 'b' })
  const { body } = await office.post('/admin/tasks', { task: { title: 'c' } })
  expect(body.position).toBe(3)
})

test.each([
  ['an unknown event', { title: 'x', event: 'no-such-night' }, 'tasks[0].event: there is no event "no-such-night".'],
  [
    'an unknown person',
    { title: 'x', assignee: 'nobody@example.com' },
    'tasks[0].assignee: there is no person "nobody@example.com".',
  ],
  ['an archived open task', { title: 'x', archived: true }, 'tasks[0].archived: only done tasks are archived.'],
  ['a long title', { title: 'x'.repeat(201) }, 'tasks[0].title: has more than 200 characters.'],
  [
    'a long text',
    { title: 'x', description: 'x'.repeat(20_001) },
    'tasks[0].description: has more than 20000 characters.',
  ],
  ['no title', { description: 'x' }, 'tasks[0].title: is missing.'],
  ['an unknown key', { title: 'x', colour: 'red' }, 'tasks[0].colour: is an unknown key.'],
])('%s is told with its place', async (_what, task, sentence) => {
  await expect(load(task)).rejects.toThrow(sentence)
})
