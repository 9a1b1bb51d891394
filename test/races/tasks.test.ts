import { expect, test } from 'vitest'
import { embed, uploadFile } from '../kit/uploads.ts'
import { openVenue } from '../venue.ts'

const STATUSES = ['open', 'in_progress', 'done']

const openBoard = async (count: number) => {
  const venue = await openVenue()
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    ids.push(
      (await venue.office.post('/admin/tasks', { task: { title: `task ${n}`, status: STATUSES[n % 3] } })).body.id,
    )
  }
  return { ...venue, ids }
}

const positionsByColumn = (tasks: { status: string; position: number }[]) =>
  STATUSES.map((status) => tasks.filter((task) => task.status === status).map((task) => task.position))

test('of fifty writers who know one version, one writes', async () => {
  const { office, ids } = await openBoard(1)
  const path = `/admin/tasks/${ids[0]}`
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, n) => office.patch(path, { task: { title: `writer ${n}`, lock_version: 0 } })),
  )
  const statuses = replies.map((reply) => reply.status).toSorted()
  expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 409)])
  const winner = replies.find((reply) => reply.status === 200)!
  expect((await office.get(path)).body).toEqual(winner.body)
})

test('the control: writers who name no version overwrite each other', async () => {
  const { office, ids } = await openBoard(1)
  const path = `/admin/tasks/${ids[0]}`
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => office.patch(path, { task: { title: `writer ${n}` } })),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(20)
  expect((await office.get(path)).body.lock_version).toBe(20)
})

test('columns stay in order while everybody moves everything', async () => {
  const { office, partner, ids } = await openBoard(12)
  const moves = Array.from({ length: 120 }, (_, n) => {
    const [task, before] = [ids[(n * 7) % 12]!, ids[(n * 5 + 3) % 12]!]
    const path = `/admin/tasks/${task}`
    if (n % 10 === 9) return office.patch(path, { task: { status: STATUSES[n % 3] } })
    if (n % 11 === 10) return office.post('/admin/tasks', { task: { title: `new ${n}`, status: STATUSES[n % 3] } })
    if (n % 13 === 12)
      return partner.post('/admin/tasks', { task: { title: `theirs ${n}`, event_slug: 'winter-ball' } })
    return office.patch(`${path}/position`, {
      position: { status: STATUSES[n % 3], ...(n % 2 === 0 && before !== task && { before_id: before }) },
    })
  })
  const statuses = new Set((await Promise.all(moves)).map((reply) => reply.status))
  expect([...statuses].filter((status) => ![200, 201, 422].includes(status))).toEqual([])

  const { tasks } = (await office.get('/admin/tasks')).body
  for (const positions of positionsByColumn(tasks)) expect(positions).toEqual(positions.map((_, n) => n + 1))
  expect(new Set(tasks.map((task: { id: string }) => task.id)).size).toBe(tasks.length)
})

test('the control: without the lock on the board the same kind of moves tears a column', async () => {
  const { house, report, office } = await openBoard(12)
  const { pool } = house.database
  const account = report.account.id
  // The move as the room makes it, but with nobody holding the board.
  const append = async (id: number) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ status: string; position: number }>(
        'select status, position from tasks where account_id = $1 and id = $2',
        [account, id],
      )
      const { rows: last } = await client.query<{ size: number }>(
        'select coalesce(max(position), 0) as size from tasks where account_id = $1 and status = $2',
        [account, 'done'],
      )
      await client.query('select pg_sleep(0.02)')
      if (rows[0]!.status !== 'done') {
        await client.query('update tasks set status = $3, position = $4 where account_id = $1 and id = $2', [
          account,
          id,
          'done',
          last[0]!.size + 1,
        ])
      }
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const { rows } = await pool.query<{ id: number }>("select id from tasks where account_id = $1 and status <> 'done'", [
    account,
  ])
  await Promise.all(rows.map(({ id }) => append(id)))
  const { tasks } = (await office.get('/admin/tasks')).body
  const done = positionsByColumn(tasks)[2]!
  expect(new Set(done).size).toBeLessThan(done.length)
})

test('a draft that two tasks reach for at once belongs to one of them', async () => {
  const { office, origin, ids } = await openBoard(6)
  for (let round = 0; round < 5; round++) {
    const { attachable_sgid: sgid } = await uploadFile({ origin, client: office }, Buffer.from(`round ${round}`))
    const replies = await Promise.all(
      ids.map((id) => office.patch(`/admin/tasks/${id}`, { task: { description: embed(sgid) } })),
    )
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 422, 422, 422, 422, 422])
    const { tasks } = (await office.get('/admin/tasks')).body
    expect(tasks.filter((task: { attachments: unknown[] }) => task.attachments.length > 0)).toHaveLength(1)
    await Promise.all(ids.map((id) => office.patch(`/admin/tasks/${id}`, { task: { description: '' } })))
  }
})

test('deleting, commenting and moving one task at once ends with the task gone and nothing left of it', async () => {
  const { office, house, report } = await openBoard(0)
  for (let round = 0; round < 10; round++) {
    const { id } = (await office.post('/admin/tasks', { task: { title: 'x', status: 'done' } })).body
    const replies = await Promise.all([
      office.delete(`/admin/tasks/${id}`),
      office.post(`/admin/tasks/${id}/comments`, { comment: { body: 'hi' } }),
      office.patch(`/admin/tasks/${id}/position`, { position: { status: 'open' } }),
      office.post(`/admin/tasks/${id}/archive`),
      office.delete(`/admin/tasks/${id}`),
    ])
    for (const { status } of replies) expect([200, 201, 204, 404, 422]).toContain(status)
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
  }
  const { rows } = await house.database.pool.query('select 1 from task_entries where account_id = $1', [
    report.account.id,
  ])
  expect(rows).toEqual([])
})

test('changes are numbered in the order in which they can be seen', async () => {
  const { office, reader } = await openBoard(0)
  const seen: number[] = []
  let known = '0'
  const watching = (async () => {
    while (seen.length < 40) {
      const { body } = await reader.get('/admin/tasks/stream', { headers: { 'last-event-id': known } })
      seen.push(...body.changes.map((change: { id: string }) => Number(change.id)))
      known = body.last_event_id
    }
  })()
  await Promise.all(Array.from({ length: 40 }, (_, n) => office.post('/admin/tasks', { task: { title: `task ${n}` } })))
  await watching
  expect(seen).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
})
