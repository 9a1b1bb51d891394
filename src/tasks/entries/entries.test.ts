import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const openTask = async (task: object = {}) => {
  const venue = await openVenue()
  const member = (email: string) => venue.report.people[email]!.membership_id
  const { body } = await venue.office.post('/admin/tasks', { task: { title: 'x', ...task } })
  const path = `/admin/tasks/${body.id}`
  const history = async () =>
    (await venue.office.get(`${path}/comments`)).body.entries.map(
      ({ kind, details, author }: { kind: string; details: object; author: string }) => [kind, details, author],
    )
  return {
    ...venue,
    path,
    member,
    history,
    comment: (text: unknown, client = venue.office) => client.post(`${path}/comments`, { comment: { body: text } }),
  }
}

test('history begins with the creation and tells every change of status and assignee', async () => {
  const { office, path, member, history, client, report } = await openTask()
  const mara = client(report.api_tokens['mara write'])
  await mara.patch(path, { task: { assignee_id: member('olga@neue-halle.example'), status: 'in_progress' } })
  await office.patch(`${path}/position`, { position: { status: 'done' } })
  await office.patch(`${path}/position`, { position: { status: 'done' } })
  await office.patch(path, { task: { title: 'only the title', assignee_id: null } })

  expect(await history()).toEqual([
    ['created', {}, 'Olga Owner'],
    ['status', { from: 'open', to: 'in_progress' }, 'Mara Manager'],
    ['assignment', { name: 'Olga Owner' }, 'Mara Manager'],
    ['status', { from: 'in_progress', to: 'done' }, 'Olga Owner'],
    ['assignment', { name: null }, 'Olga Owner'],
  ])
})

test('a task that is given to someone at once says so', async () => {
  const { history } = await openTask({ status: 'done' })
  expect(await history()).toEqual([['created', {}, 'Olga Owner']])
  const venue = await openVenue()
  const assignee = venue.report.people['mara@neue-halle.example']!.membership_id
  const { body } = await venue.office.post('/admin/tasks', { task: { title: 'x', assignee_id: assignee } })
  const { entries } = (await venue.office.get(`/admin/tasks/${body.id}/comments`)).body
  expect(entries.map((entry: { kind: string; details: object }) => [entry.kind, entry.details])).toEqual([
    ['created', {}],
    ['assignment', { name: 'Mara Manager' }],
  ])
  expect(entries[0]).toMatchObject({ body: null, body_html: null, attachments: [] })
})

test('entries stand in the order of the times they show, and those of one moment in the order they were made', async () => {
  const { office, comment, path, app } = await openTask()
  for (const text of ['first', 'second', 'third', 'fourth']) await comment(text)
  // A comment that waited for another begins before it and gets its number after it.
  const moments: Record<string, string> = {
    first: '20:00:02',
    second: '20:00:01',
    third: '20:00:03',
    fourth: '20:00:01',
  }
  for (const [text, moment] of Object.entries(moments)) {
    await app.database.pool.query('update task_entries set created_at = $1 where body = $2', [
      `2030-01-01T${moment}Z`,
      text,
    ])
  }
  const { entries } = (await office.get(`${path}/comments`)).body
  expect(entries.map(({ body }: { body: string | null }) => body)).toEqual([null, 'second', 'fourth', 'first', 'third'])
  const times = entries.map(({ created_at: at }: { created_at: string }) => at)
  expect(times).toEqual(times.toSorted())
})

test('a comment is told with its author, and leaves the task’s version alone', async () => {
  const { office, comment, path, partner } = await openTask({ event_slug: 'winter-ball' })
  const reply = await comment('<p>They come on <strong onclick="x">Friday</strong>.</p><script>x</script>')
  expect(reply.status).toBe(201)
  expect(reply.headers.get('location')).toBe(`http://localhost:3000${path}/comments`)
  expect(reply.body).toMatchObject({
    kind: 'comment',
    body: 'They come on Friday.',
    body_html: '<p>They come on <strong>Friday</strong>.</p>',
    attachments: [],
    details: {},
    author: 'Olga Owner',
  })
  expect((await comment('hi', partner)).body).toMatchObject({ body: 'hi', body_html: 'hi', author: 'Cem Partner' })
  expect((await office.get(path)).body.lock_version).toBe(0)
  const { entries } = (await office.get(`${path}/comments`)).body
  expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual(['created', 'comment', 'comment'])
  expect(new Set(entries.map((entry: { id: string }) => entry.id)).size).toBe(3)
})

test.each([
  ['nothing', ''],
  ['blanks', '  \n '],
  ['empty markup', '<p><br></p><div> </div>'],
  ['only a script', '<script>alert(1)</script>'],
  ['null', null],
  ['a missing body', undefined],
  ['an attachment that is none', '<action-text-attachment sgid="x"></action-text-attachment>'],
])('a comment of %s is refused', async (_what, text) => {
  const { comment, history } = await openTask()
  expect(await comment(text)).toRefuse(422, { body: ["can't be blank"] })
  expect(await history()).toHaveLength(1)
})

test('a comment has at most 10,000 characters of text', async () => {
  const { comment } = await openTask()
  expect((await comment(`<p>${'é'.repeat(10_000)}</p>`)).status).toBe(201)
  expect(await comment('a'.repeat(10_001))).toRefuse(422, { body: ['is too long (maximum is 10000 characters)'] })
})

test('comments are read with a read token, written with a write token, and never changed', async () => {
  const { comment, reader, path, office } = await openTask()
  expect(await comment('hi', reader)).toRefuse(401)
  expect((await reader.get(`${path}/comments`)).status).toBe(200)
  const { id } = (await comment('hi')).body
  for (const method of ['PATCH', 'DELETE', 'PUT']) {
    expect([404, 405]).toContain((await office.ask(method, `${path}/comments/${id}`, { body: {} })).status)
  }
  for (const text of ['hi', '', 'a'.repeat(10_001), { html: 'x' }]) {
    expect(await office.post('/admin/tasks/nothing/comments', { comment: { body: text } })).toRefuse(404)
  }
  expect(await office.post('/admin/tasks/nothing/comments', {})).toRefuse(404)
  expect(await office.post(`${path}/comments`, {})).toRefuse(400)
})

test('an archived task can be commented on', async () => {
  const { comment, office, path } = await openTask({ status: 'done' })
  await office.post(`${path}/archive`)
  expect((await comment('for the record')).status).toBe(201)
  expect((await office.get(`${path}/comments`)).body.entries).toHaveLength(2)
})

test('the author of an entry is nobody once the person was removed', async () => {
  const { comment, app, history } = await openTask({ event_slug: 'winter-ball' })
  const { rows } = await app.database.pool.query<{ id: number }>(
    "insert into people (name, email) values ('Gone Soon', 'gone@soon.example') returning id",
  )
  const entry = (await comment('hi')).body
  await app.database.pool.query('update task_entries set author_id = $1 where public_id = $2', [rows[0]!.id, entry.id])
  expect((await history()).at(-1)).toEqual(['comment', {}, 'Gone Soon'])
  await app.database.pool.query('delete from people where id = $1', [rows[0]!.id])
  expect((await history()).at(-1)).toEqual(['comment', {}, null])
})

test('repeating a comment with its key says it once', async () => {
  const { office, path, history } = await openTask()
  const headers = { 'idempotency-key': 'c1' }
  const first = await office.post(`${path}/comments`, { comment: { body: 'hi' } }, { headers })
  const again = await office.post(`${path}/comments`, { comment: { body: 'hi' } }, { headers })
  expect(again.body).toEqual(first.body)
  expect(await history()).toHaveLength(2)
})
