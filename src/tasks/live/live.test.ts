import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../../test/kit/network/event-stream.ts'
import { openSecondApp } from '../../../test/kit/venue/second-app.ts'
import { openVenueIn } from '../../../test/kit/venue/venue-in.ts'
import { openTestApp, openVenue } from '../../../test/kit/venue/venue.ts'

type Venue = Awaited<ReturnType<typeof openVenue>>

const listen = async (origin: string, token: string | undefined, headers: Record<string, string> = {}) => {
  const stream = await openEventStream(`${origin}/admin/tasks/stream`, { authorization: `Bearer ${token}`, ...headers })
  onTestFinished(() => stream.close())
  return stream
}

const openBoard = async () => {
  const venue = await openVenue()
  const token = (description: string) => venue.report.api_tokens[description]
  const watch = (description = 'office read', headers = {}) => listen(venue.origin, token(description), headers)
  const create = async (task: object) =>
    (await venue.office.post('/admin/tasks', { task: { title: 'x', ...task } })).body
  return { ...venue, watch, create }
}

const cemIsAssigned = async ({ app, report }: Venue, slugs: string[]) => {
  const member = report.people['cem@partner.example']!.membership_id
  await app.database.pool.query('delete from assignments where account_id = $1 and membership_id = $2', [
    report.account.id,
    member,
  ])
  await app.database.pool.query(
    'insert into assignments (account_id, membership_id, event_id) select account_id, $2, id from events where account_id = $1 and slug = any($3)',
    [report.account.id, member, slugs],
  )
}

test('everything that happens to a task is told within a second', async () => {
  const { watch, create, office } = await openBoard()
  const stream = await watch()
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  expect((await stream.next()).event).toBe('ready')

  const { id } = await create({})
  const steps = [
    () => office.patch(`/admin/tasks/${id}`, { task: { title: 'y' } }),
    () => office.patch(`/admin/tasks/${id}/position`, { position: { status: 'done' } }),
    () => office.post(`/admin/tasks/${id}/comments`, { comment: { body: 'hi' } }),
    () => office.post(`/admin/tasks/${id}/archive`),
    () => office.delete(`/admin/tasks/${id}/archive`),
    () => office.delete(`/admin/tasks/${id}`),
  ]
  for (const step of steps) await step()
  for (const kind of ['created', 'updated', 'moved', 'commented', 'archived', 'restored', 'deleted']) {
    const said = await stream.next(1_000)
    expect(said).toMatchObject({ event: 'task', data: { kind, task_id: id } })
  }
})

test('what was refused or changed nothing is not told', async () => {
  const { watch, create, office } = await openBoard()
  const { id } = await create({})
  const stream = await watch()
  await stream.next()
  await office.patch(`/admin/tasks/${id}`, { task: { title: '' } })
  await office.patch(`/admin/tasks/${id}`, { task: { title: 'x' } })
  await office.patch(`/admin/tasks/${id}`, { task: { title: 'y', lock_version: 9 } })
  const last = await create({})
  expect((await stream.next()).data).toEqual({ kind: 'created', task_id: last.id })
})

test('whoever comes back is told what was missed', async () => {
  const { watch, create } = await openBoard()
  const stream = await watch()
  await stream.next()
  await create({})
  const { id } = await stream.next()
  await stream.close()
  const [one, two] = [await create({}), await create({})]

  const again = await watch('office read', { 'last-event-id': id })
  expect((await again.next()).event).toBe('ready')
  expect((await again.next()).data.task_id).toBe(one.id)
  expect((await again.next()).data.task_id).toBe(two.id)
})

test('whoever was away for longer than is remembered, or remembers nonsense, looks at the whole board', async () => {
  const { watch, create, moveClock, workOffJobs, reader } = await openBoard()
  await create({})
  const { last_event_id: id } = (await reader.get('/admin/tasks/stream')).body
  await create({})
  await moveClock('25 hours')
  await workOffJobs()
  await moveClock('-25 hours')

  for (const known of [id, '999999', 'nonsense']) {
    const stream = await watch('office read', { 'last-event-id': known })
    await stream.next()
    expect((await stream.next()).event).toBe('reload')
  }
  expect((await reader.get('/admin/tasks/stream', { headers: { 'last-event-id': id } })).body).toMatchObject({
    changes: [],
    reload: true,
  })
})

test('without asking for events the same is read as JSON', async () => {
  const { create, reader } = await openBoard()
  const start = (await reader.get('/admin/tasks/stream')).body
  expect(start).toEqual({ changes: [], last_event_id: '0', reload: false })
  const { id } = await create({})
  const { body } = await reader.get('/admin/tasks/stream', { headers: { 'last-event-id': start.last_event_id } })
  expect(body).toEqual({ changes: [{ id: '1', kind: 'created', task_id: id }], last_event_id: '1', reload: false })
})

test('a co-organizer is told of assigned events only, and of a task that leaves them only that it left', async () => {
  const { watch, create, office } = await openBoard()
  const stream = await watch('cem write')
  await stream.next()
  await create({})
  await create({ event_slug: 'spring-night' })
  const { id } = await create({ event_slug: 'winter-ball' })
  expect((await stream.next()).data).toEqual({ kind: 'created', task_id: id })

  await office.patch(`/admin/tasks/${id}`, { task: { event_slug: 'spring-night', title: 'secret' } })
  expect((await stream.next()).data).toEqual({ kind: 'left', task_id: id })
  await office.patch(`/admin/tasks/${id}`, { task: { title: 'more secret' } })
  await office.patch(`/admin/tasks/${id}`, { task: { event_slug: 'winter-ball' } })
  expect((await stream.next()).data).toEqual({ kind: 'updated', task_id: id })
  expect(stream.waiting).toEqual([])
})

test('assignments count as they are now, and a change of them shows another board', async () => {
  const venue = await openBoard()
  const stream = await venue.watch('cem write')
  await stream.next()
  await venue.create({ event_slug: 'winter-ball' })
  expect((await stream.next()).event).toBe('task')

  await cemIsAssigned(venue, ['spring-night'])
  expect((await stream.next()).event).toBe('reload')
  await venue.create({ event_slug: 'winter-ball' })
  const { id } = await venue.create({ event_slug: 'spring-night' })
  let said = await stream.next()
  while (said.event === 'reload') said = await stream.next()
  expect(said.data.task_id).toBe(id)
})

test('a stream ends when its credential dies', async () => {
  const { watch, app, report, create } = await openBoard()
  const [revoked, deactivated] = [await watch('mara write'), await watch('cem write')]
  await Promise.all([revoked.next(), deactivated.next()])
  const { pool } = app.database
  await pool.query(
    "update credentials set revoked_at = foyer_now() where account_id = $1 and description = 'mara write'",
    [report.account.id],
  )
  await pool.query('update memberships set deactivated_at = foyer_now() where account_id = $1 and id = $2', [
    report.account.id,
    report.people['cem@partner.example']!.membership_id,
  ])
  await create({ event_slug: 'winter-ball' })
  await Promise.all([revoked.ended(), deactivated.ended()])
  expect([...revoked.waiting, ...deactivated.waiting].filter(({ event }) => event === 'task')).toEqual([])
})

test('other accounts and strangers hear nothing', async () => {
  const { origin, create } = await openBoard()
  const foreign = await openBoard()
  const stream = await foreign.watch()
  await stream.next()
  await create({})
  const own = await foreign.create({})
  expect((await stream.next()).data.task_id).toBe(own.id)
  expect((await fetch(`${origin}/admin/tasks/stream`, { headers: { accept: 'text/event-stream' } })).status).toBe(401)
})

test('what happens in one process is told in another', async () => {
  const { app, report, create } = await openBoard()
  const other = await openSecondApp({ app })
  onTestFinished(other.close)
  const stream = await listen(other.origin, report.api_tokens['office read'])
  await stream.next()
  const { id } = await create({})
  expect((await stream.next(1_000)).data).toEqual({ kind: 'created', task_id: id })
})

test('asking only for the headers opens no stream', async () => {
  const { reader } = await openBoard()
  const reply = await reader.ask('HEAD', '/admin/tasks/stream', { headers: { accept: 'text/event-stream' } })
  expect([reply.status, reply.text]).toEqual([200, ''])
})

test('a stopping server ends its streams, and a lost database connection costs nobody anything', async () => {
  const running = await openTestApp()
  const { report } = await openVenueIn(running)
  const token = report.api_tokens['office write']
  const stream = await listen(running.origin, token)
  await stream.next()

  await running.app.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const create = () =>
    fetch(`${running.origin}/admin/tasks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ task: { title: 'x' } }),
    })
  await expect.poll(async () => (await create()).status, { timeout: 30_000 }).toBe(201)
  expect((await stream.next()).data.kind).toBe('created')

  const start = performance.now()
  await running.close()
  await stream.ended()
  expect(performance.now() - start).toBeLessThan(2_000)
})
