import { expect, test } from 'vitest'
import { embed, uploadFile } from '../../test/kit/venue/uploads.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { taskEndpoints } from './endpoints.ts'

const openBoard = async () => {
  const venue = await openVenue()
  const create = async (task: object) => (await venue.office.post('/admin/tasks', { task })).body
  const ball = await create({ title: 'ball', event_slug: 'winter-ball', status: 'done' })
  const spring = await create({ title: 'spring', event_slug: 'spring-night', status: 'done' })
  const general = await create({ title: 'house', status: 'done' })
  const member = (email: string) => venue.report.people[email]!.membership_id
  const cem = member('cem@partner.example')
  const assign = (slug: string) =>
    venue.app.database.pool.query(
      'insert into assignments (account_id, membership_id, event_id) select account_id, $2, id from events where account_id = $1 and slug = $3',
      [venue.report.account.id, cem, slug],
    )
  const unassign = () =>
    venue.app.database.pool.query('delete from assignments where account_id = $1 and membership_id = $2', [
      venue.report.account.id,
      cem,
    ])
  return { ...venue, create, ball, spring, general, member, cem, assign, unassign }
}

test('a co-organizer sees the tasks of assigned events and no others', async () => {
  const { partner, ball, spring, general } = await openBoard()
  const { tasks } = (await partner.get('/admin/tasks')).body
  expect(tasks.map((task: { title: string }) => task.title)).toEqual(['ball'])
  expect((await partner.get('/admin/tasks?event_slug=none')).body.tasks).toEqual([])
  expect(await partner.get('/admin/tasks?event_slug=spring-night')).toRefuse(404)
  expect(await partner.get('/admin/task_assignees?event_slug=spring-night')).toRefuse(404)
  expect((await partner.get(`/admin/tasks/${ball.id}`)).status).toBe(200)

  for (const { id } of [spring, general]) {
    const path = `/admin/tasks/${id}`
    expect(await partner.get(path)).toRefuse(404)
    expect(await partner.patch(path, { task: { title: 'mine' } })).toRefuse(404)
    expect(await partner.patch(path, {})).toRefuse(404)
    expect(await partner.patch(`${path}/position`, { position: { status: 'open' } })).toRefuse(404)
    expect(await partner.post(`${path}/archive`)).toRefuse(404)
    expect(await partner.delete(`${path}/archive`)).toRefuse(404)
    expect(await partner.get(`${path}/comments`)).toRefuse(404)
    expect(await partner.post(`${path}/comments`, { comment: { body: 'hi' } })).toRefuse(404)
    expect(await partner.delete(path)).toRefuse(404)
  }
})

/** Bodies that each of the endpoints takes, or that none does. */
const BODIES = [
  undefined,
  {},
  { task: { title: 'mine', lock_version: 9 } },
  { task: { title: '', lock_version: 'x' } },
  { position: { status: 'open', lock_version: 9 } },
  { position: {} },
  { comment: { body: 'hi' } },
  { comment: { body: 'a'.repeat(10_001) } },
  { lock_version: 9 },
  { lock_version: 'x' },
]

test('at every address, what is missing and what is out of reach answer alike, to whoever asks with whatever', async () => {
  const board = await openBoard()
  const foreign = await openBoard()
  const upload = async (venue: typeof board, { id }: { id: string }) => {
    const target = { origin: venue.origin, client: venue.office }
    const file = await uploadFile(target, Buffer.from('plan'))
    await venue.office.patch(`/admin/tasks/${id}`, { task: { description: embed(file.attachable_sgid) } })
    return file.signed_id
  }
  const [near, far] = [await upload(board, board.spring), await upload(foreign, foreign.ball)]
  const [nearId, farId] = [board.spring.id, foreign.ball.id]
  const before = [await board.office.get('/admin/tasks'), await foreign.office.get('/admin/tasks')]
  const addresses = taskEndpoints.filter(({ path }) => path.includes('/:'))
  expect(addresses).toHaveLength(10)

  const ask = async (client: typeof board.office, { method, path }: Endpoint, name: string, body?: object) => {
    const { status, text, headers } = await client.ask(method, path.replace(/:[a-z_]+/, name), {
      ...(body && { body }),
    })
    return { status, text, headers: [...headers].filter(([header]) => !['date', 'x-request-id'].includes(header)) }
  }
  for (const address of addresses) {
    const isFile = address.path.includes(':signed_id')
    const [outOfReach, ofOthers] = isFile ? [near, far] : [nearId, farId]
    const missing = outOfReach.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A'))
    const bodies = address.body ? BODIES : [undefined]
    const askers = [
      [board.partner, outOfReach],
      [board.partner, ofOthers],
      [board.office, ofOthers],
      [board.reader, ofOthers],
      [board.door, ofOthers],
      [board.stranger, ofOthers],
    ] as const
    for (const body of bodies) {
      const what = `${address.method} ${address.path} ${JSON.stringify(body)?.slice(0, 80)}`
      await Promise.all(
        askers.map(async ([client, name]) => {
          const answer = await ask(client, address, name, body)
          expect(answer, what).toEqual(await ask(client, address, missing, body))
          expect([401, 404], what).toContain(answer.status)
        }),
      )
    }
  }
  const after = [await board.office.get('/admin/tasks'), await foreign.office.get('/admin/tasks')]
  expect(after.map((reply) => reply.body)).toEqual(before.map((reply) => reply.body))
}, 60_000)

test('a co-organizer works on those tasks like everybody else', async () => {
  const { partner, ball, cem } = await openBoard()
  const path = `/admin/tasks/${ball.id}`
  expect((await partner.patch(path, { task: { title: 'done well', assignee_id: cem } })).status).toBe(200)
  expect((await partner.post(`${path}/comments`, { comment: { body: 'ready' } })).body.author).toBe('Cem Partner')
  expect((await partner.post(`${path}/archive`)).status).toBe(200)
  expect((await partner.delete(`${path}/archive`)).status).toBe(200)
  expect((await partner.patch(`${path}/position`, { position: { status: 'open' } })).status).toBe(200)
  expect((await partner.get('/admin/tasks?assignee_id=me')).body.tasks).toHaveLength(1)
  expect((await partner.delete(path)).status).toBe(204)
})

test('a co-organizer’s task is always about one of their events', async () => {
  const { partner, ball, office } = await openBoard()
  const blank = { event_slug: ["can't be blank"] }
  expect(await partner.post('/admin/tasks', { task: { title: 'x' } })).toRefuse(422, blank)
  // Not theirs, or nobody's: the same answer.
  const noSuchEvent = { base: ['Not found'], event_slug: ['must exist'] }
  for (const event_slug of ['spring-night', 'no-such-night']) {
    expect(await partner.post('/admin/tasks', { task: { title: 'x', event_slug } })).toRefuse(404, noSuchEvent)
    expect(await partner.patch(`/admin/tasks/${ball.id}`, { task: { event_slug } })).toRefuse(404, noSuchEvent)
  }
  expect((await partner.post('/admin/tasks', { task: { title: 'x', event_slug: 'winter-ball' } })).status).toBe(201)
  expect(await partner.patch(`/admin/tasks/${ball.id}`, { task: { event_slug: null } })).toRefuse(422, blank)
  expect(await partner.patch(`/admin/tasks/${ball.id}`, { task: { event_slug: '' } })).toRefuse(422, blank)
  expect((await office.get(`/admin/tasks/${ball.id}`)).body.event.slug).toBe('winter-ball')
})

test('before_id of a task out of reach is refused', async () => {
  const { partner, ball, general, office } = await openBoard()
  const position = { status: 'done', before_id: general.id }
  expect(await partner.patch(`/admin/tasks/${ball.id}/position`, { position })).toRefuse(422, {
    before_id: ['is invalid'],
  })
  expect((await office.patch(`/admin/tasks/${ball.id}/position`, { position })).status).toBe(200)
})

test('assignments apply to the next request of a token that was issued before, archived tasks included', async () => {
  const { partner, office, spring, ball, assign, unassign } = await openBoard()
  await assign('spring-night')
  expect((await partner.get(`/admin/tasks/${spring.id}`)).status).toBe(200)
  await office.post(`/admin/tasks/${ball.id}/archive`)
  expect((await partner.get('/admin/tasks?archived=true')).body.tasks).toHaveLength(1)
  await unassign()
  expect(await partner.get(`/admin/tasks/${ball.id}`)).toRefuse(404)
  expect((await partner.get('/admin/tasks')).body.tasks).toEqual([])
})

test('candidates are owners and managers, with an event its co-organizers too', async () => {
  const { office, partner, member, cem } = await openBoard()
  const people = (reply: { body: { people: { name: string }[] } }) => reply.body.people.map((person) => person.name)
  expect(people(await office.get('/admin/task_assignees'))).toEqual(['Mara Manager', 'Olga Owner'])
  const ofBall = await partner.get('/admin/task_assignees?event_slug=winter-ball')
  expect(people(ofBall)).toEqual(['Cem Partner', 'Mara Manager', 'Olga Owner'])
  expect(ofBall.body.people[0]).toEqual({ id: cem, name: 'Cem Partner' })
  expect(people(await office.get('/admin/task_assignees?event_slug=spring-night'))).toEqual([
    'Mara Manager',
    'Olga Owner',
  ])
  expect(member('olga@neue-halle.example')).toBe(ofBall.body.people[2].id)
})

test('nobody is given a task they cannot see', async () => {
  const { office, create, member, ball, general, cem } = await openBoard()
  const foreign = await openBoard()
  const invalid = { assignee_id: ['is invalid'] }
  const refused = [
    member('sami@neue-halle.example'),
    member('pia@promo.example'),
    member('dora@neue-halle.example'),
    foreign.member('mara@neue-halle.example'),
    cem,
  ]
  for (const id of refused) {
    expect(await office.post('/admin/tasks', { task: { title: 'x', assignee_id: id } })).toRefuse(422, invalid)
    expect(await office.patch(`/admin/tasks/${general.id}`, { task: { assignee_id: id } })).toRefuse(422, invalid)
  }
  expect((await office.patch(`/admin/tasks/${ball.id}`, { task: { assignee_id: cem } })).status).toBe(200)
  expect(await office.patch(`/admin/tasks/${ball.id}`, { task: { event_slug: 'spring-night' } })).toRefuse(422, invalid)
  expect(await office.patch(`/admin/tasks/${ball.id}`, { task: { event_slug: null } })).toRefuse(422, invalid)
  const moved = await office.patch(`/admin/tasks/${ball.id}`, { task: { event_slug: null, assignee_id: null } })
  expect(moved.status).toBe(200)
  expect((await create({ title: 'x', event_slug: 'winter-ball', assignee_id: cem })).assignee.name).toBe('Cem Partner')
})

test('a task of someone who lost access can still be edited, and shows whose it was', async () => {
  const { office, ball, cem, unassign } = await openBoard()
  await office.patch(`/admin/tasks/${ball.id}`, { task: { assignee_id: cem } })
  await unassign()
  const reply = await office.patch(`/admin/tasks/${ball.id}`, { task: { title: 'still editable', assignee_id: cem } })
  expect(reply.body).toMatchObject({ title: 'still editable', assignee: { id: cem, name: 'Cem Partner' } })
})

test('scanners, promoters and devices have no board', async () => {
  const { client, report, door } = await openBoard()
  for (const caller of [client(report.api_tokens['sami write']), client(report.api_tokens['pia write']), door]) {
    expect(await caller.get('/admin/tasks')).toRefuse(401)
    expect(await caller.post('/admin/tasks', { task: { title: 'x' } })).toRefuse(401)
  }
})

test('what a co-organizer made with a key is not shown again once the event is no longer theirs', async () => {
  const { partner, ball, assign, unassign, office } = await openBoard()
  const key = { headers: { 'idempotency-key': 'mine' } }
  const task = { task: { title: 'Ice for the bar', event_slug: 'winter-ball' } }
  const remark = { comment: { body: 'Ten bags' } }
  const made = await partner.post('/admin/tasks', task, key)
  const said = await partner.post(`/admin/tasks/${ball.id}/comments`, remark, key)
  expect([made.status, said.status]).toEqual([201, 201])

  await unassign()
  expect(await partner.post('/admin/tasks', task, key)).toRefuse(404)
  expect(await partner.post(`/admin/tasks/${ball.id}/comments`, remark, key)).toRefuse(404)
  expect((await office.get(`/admin/tasks/${ball.id}/comments`)).text).toContain('Ten bags')

  await assign('winter-ball')
  for (const [path, body, before] of [
    ['/admin/tasks', task, made],
    [`/admin/tasks/${ball.id}/comments`, remark, said],
  ] as const) {
    const again = await partner.post(path, body, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([before.text, 'true'])
  }
})
