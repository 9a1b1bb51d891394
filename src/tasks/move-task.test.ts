import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { positionAfterMove } from './rules.ts'

type Venue = Awaited<ReturnType<typeof openVenue>>

const openBoard = async (...columns: [status: string, ...titles: string[]][]) => {
  const venue = await openVenue()
  const ids: Record<string, string> = {}
  for (const [status, ...titles] of columns) {
    for (const title of titles) {
      const { body } = await venue.office.post('/admin/tasks', { task: { title, status } })
      ids[title] = body.id
    }
  }
  const move = (title: string, position: object) =>
    venue.office.patch(`/admin/tasks/${ids[title]}/position`, { position })
  return { ...venue, ids, move, path: (title: string) => `/admin/tasks/${ids[title]}` }
}

const column = async ({ office }: Pick<Venue, 'office'>, status: string) => {
  const { tasks } = (await office.get('/admin/tasks')).body
  const inside = tasks.filter((task: { status: string }) => task.status === status)
  expect(inside.map((task: { position: number }) => task.position)).toEqual(
    inside.map((_: unknown, n: number) => n + 1),
  )
  return inside.map((task: { title: string }) => task.title).join(' ')
}

test('without a neighbour a task goes last in its new column', async () => {
  const board = await openBoard(['open', 'a', 'b', 'c'], ['done', 'x'])
  const reply = await board.move('b', { status: 'done' })
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({ title: 'b', status: 'done', position: 2, lock_version: 1 })
  expect(await column(board, 'open')).toBe('a c')
  expect(await column(board, 'done')).toBe('x b')
})

test('before_id puts it directly before that task, in any column and either direction', async () => {
  const board = await openBoard(['open', 'a', 'b', 'c', 'd'], ['done', 'x', 'y'])
  await board.move('a', { status: 'open', before_id: board.ids['d'] })
  expect(await column(board, 'open')).toBe('b c a d')
  await board.move('d', { status: 'open', before_id: board.ids['b'] })
  expect(await column(board, 'open')).toBe('d b c a')
  await board.move('d', { status: 'open', before_id: '' })
  expect(await column(board, 'open')).toBe('b c a d')
  await board.move('c', { status: 'done', before_id: board.ids['y'] })
  expect(await column(board, 'done')).toBe('x c y')
  expect(await column(board, 'open')).toBe('b a d')
})

test('the neighbours keep their version and their time of change', async () => {
  const board = await openBoard(['open', 'a', 'b', 'c'])
  const before = (await board.office.get(board.path('b'))).body
  await board.move('c', { status: 'open', before_id: board.ids['a'] })
  expect((await board.office.get(board.path('b'))).body).toEqual({ ...before, position: 3 })
})

test('moving a task to where it stands is no change', async () => {
  const board = await openBoard(['open', 'a', 'b'])
  expect((await board.move('a', { status: 'open', before_id: board.ids['b'] })).body.lock_version).toBe(0)
  expect((await board.move('b', { status: 'open' })).body.lock_version).toBe(0)
})

test('a destination that cannot be is refused, and nothing moves', async () => {
  const board = await openBoard(['open', 'a', 'b'], ['done', 'x', 'old'])
  const foreign = await openBoard(['done', 'theirs'])
  await board.office.post(`${board.path('old')}/archive`)

  const invalid = { before_id: ['is invalid'] }
  expect(await board.move('a', { status: 'done', before_id: board.ids['b'] })).toRefuse(422, invalid)
  expect(await board.move('a', { status: 'open', before_id: board.ids['a'] })).toRefuse(422, invalid)
  expect(await board.move('a', { status: 'done', before_id: board.ids['old'] })).toRefuse(422, invalid)
  expect(await board.move('a', { status: 'done', before_id: foreign.ids['theirs'] })).toRefuse(422, invalid)
  expect(await board.move('a', { status: 'done', before_id: 'nothing' })).toRefuse(422, invalid)
  expect(await board.move('a', { status: 'later' })).toRefuse(422, { status: ['is not included in the list'] })
  expect(await board.move('a', {})).toRefuse(422, { status: ['is not included in the list'] })
  expect(await board.office.patch(`${board.path('a')}/position`, {})).toRefuse(400)
  expect(await board.office.patch('/admin/tasks/nothing/position', {})).toRefuse(404)
  expect(
    await board.office.patch(`/admin/tasks/${foreign.ids['theirs']}/position`, { position: { status: 'open' } }),
  ).toRefuse(404)
  expect(await column(board, 'open')).toBe('a b')
  expect(await column(board, 'done')).toBe('x')
})

test('a status changed by an edit moves the task to the end of that column', async () => {
  const board = await openBoard(['open', 'a', 'b'], ['done', 'x'])
  const reply = await board.office.patch(board.path('a'), { task: { status: 'done', title: 'a!', lock_version: 0 } })
  expect(reply.body).toMatchObject({ title: 'a!', status: 'done', position: 2 })
  expect(reply.body.lock_version).toBeGreaterThan(0)
  expect(await column(board, 'open')).toBe('b')
})

test('a done task is archived, leaves its column, and comes back at the end of it', async () => {
  const board = await openBoard(['done', 'a', 'b', 'c'])
  const archived = await board.office.post(`${board.path('a')}/archive`, { lock_version: 0 })
  expect(archived.status).toBe(200)
  expect(archived.body).toMatchObject({ status: 'done', lock_version: 1 })
  expect(archived.body.archived_at).toMatch(/Z$/)
  expect(await column(board, 'done')).toBe('b c')

  expect((await board.office.post(`${board.path('a')}/archive`)).body).toEqual(archived.body)
  expect((await board.office.get(board.path('a'))).body).toEqual(archived.body)

  const restored = await board.office.ask('DELETE', `${board.path('a')}/archive`, { body: { lock_version: 1 } })
  expect(restored.body).toMatchObject({ archived_at: null, status: 'done', position: 3, lock_version: 2 })
  expect((await board.office.delete(`${board.path('a')}/archive`)).body).toEqual(restored.body)
  expect(await column(board, 'done')).toBe('b c a')
})

test('an archived task keeps what it says, whose it is and what it is about', async () => {
  const board = await openBoard()
  const assignee = board.report.people['mara@neue-halle.example']!.membership_id
  const { body: task } = await board.office.post('/admin/tasks', {
    task: {
      title: 'x',
      description: '<p>a <b>b</b></p>',
      status: 'done',
      due_on: '2030-01-31',
      event_slug: 'winter-ball',
      assignee_id: assignee,
    },
  })
  const path = `/admin/tasks/${task.id}`
  await board.office.post(`${path}/comments`, { comment: { body: 'hi' } })
  const { entries } = (await board.office.get(`${path}/comments`)).body
  const { body: archived } = await board.office.post(`${path}/archive`)
  const { archived_at, updated_at } = archived
  expect(archived).toEqual({ ...task, archived_at, updated_at, lock_version: 1 })
  expect((await board.reader.get(path)).body).toEqual(archived)
  expect((await board.reader.get(`${path}/comments`)).body.entries).toEqual(entries)
  expect((await board.office.delete(`${path}/archive`)).body).toMatchObject({
    event: task.event,
    assignee: task.assignee,
  })
})

test('what is not done is not archived, and a stale version archives and restores nothing', async () => {
  const board = await openBoard(['open', 'a'], ['done', 'x'])
  expect(await board.office.post(`${board.path('a')}/archive`)).toRefuse(422, {
    base: ['Only done tasks can be archived'],
  })
  expect(await board.office.post(`${board.path('x')}/archive`, { lock_version: 5 })).toRefuse(409)
  expect(await board.office.post(`${board.path('x')}/archive`, { lock_version: 'x' })).toRefuse(422)
  await board.office.post(`${board.path('x')}/archive`, {})
  expect(await board.office.ask('DELETE', `${board.path('x')}/archive`, { body: { lock_version: 0 } })).toRefuse(409)
  expect((await board.office.get(board.path('x'))).body.archived_at).not.toBeNull()
})

test('an archived task is restored before it moves, but can be edited', async () => {
  const board = await openBoard(['done', 'a'])
  await board.office.post(`${board.path('a')}/archive`)
  const refusal = { base: ['Restore this task before moving it'] }
  expect(await board.move('a', { status: 'open' })).toRefuse(422, refusal)
  expect(await board.move('a', { status: 'done' })).toRefuse(422, refusal)
  expect(await board.office.patch(board.path('a'), { task: { status: 'open', title: 'y' } })).toRefuse(422, refusal)
  expect((await board.office.patch(board.path('a'), { task: { status: 'done', title: 'z' } })).body.title).toBe('z')
})

test('a deleted task is gone, and the column closes', async () => {
  const board = await openBoard(['open', 'a', 'b', 'c'])
  const reply = await board.office.delete(board.path('b'))
  expect([reply.status, reply.text]).toEqual([204, ''])
  expect(await board.office.get(board.path('b'))).toRefuse(404)
  expect(await board.office.get(`${board.path('b')}/comments`)).toRefuse(404)
  expect(await board.office.delete(board.path('b'))).toRefuse(404)
  expect(await board.reader.delete(board.path('a'))).toRefuse(401)
  expect(await column(board, 'open')).toBe('a c')
})

test.each([
  ['to the end of another column', { status: 'open', position: 2 }, { status: 'done', before: null, columnSize: 3 }, 4],
  [
    'before the first of another column',
    { status: 'open', position: 2 },
    { status: 'done', before: { position: 1 }, columnSize: 3 },
    1,
  ],
  [
    'down its own column',
    { status: 'open', position: 2 },
    { status: 'open', before: { position: 5 }, columnSize: 6 },
    4,
  ],
  ['up its own column', { status: 'open', position: 5 }, { status: 'open', before: { position: 2 }, columnSize: 6 }, 2],
  ['to the end of its own column', { status: 'open', position: 2 }, { status: 'open', before: null, columnSize: 6 }, 6],
] as const)('a move %s lands where the reader expects it', (_where, task, to, position) => {
  expect(positionAfterMove(task, to)).toBe(position)
})
