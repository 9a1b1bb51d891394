import { expect, test } from 'vitest'
import { CallerScope } from '../access/scopes.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { digestOf } from '../access/tokens.ts'
import { notifyOwnersAndManagers } from './notify.ts'

const openInboxes = async () => {
  const venue = await openVenue()
  const member = (email: string) => venue.report.people[email]!.membership_id
  const withToken = (description: string) => venue.client(venue.report.api_tokens[description])
  const create = async (task: object, client = venue.office) => (await client.post('/admin/tasks', { task })).body
  const inbox = async (client: typeof venue.office) => (await client.get('/admin/notifications')).body
  const told = async (client: typeof venue.office) =>
    (await inbox(client)).notifications.map((each: { title: string }) => each.title)
  return {
    ...venue,
    create,
    inbox,
    told,
    olga: withToken('olga write'),
    mara: withToken('mara write'),
    cem: withToken('cem write'),
    ids: {
      olga: member('olga@neue-halle.example'),
      mara: member('mara@neue-halle.example'),
      cem: member('cem@partner.example'),
    },
  }
}

test('whoever is given a task by someone else finds it in their inbox', async () => {
  const { create, inbox, office, mara, ids } = await openInboxes()
  const task = await create({ title: 'Order wristbands', assignee_id: ids.mara })
  const { notifications, unread_count: unread } = await inbox(mara)
  expect(notifications).toEqual([
    {
      id: expect.any(String),
      kind: 'task_assigned',
      title: 'Olga Owner gave you “Order wristbands”',
      url: `http://localhost:3000/admin/tasks/${task.id}`,
      read_at: null,
      created_at: expect.stringMatching(/Z$/),
    },
  ])
  expect(unread).toBe(1)
  expect((await inbox(office)).notifications).toEqual([])
})

test('nobody is told of what they did themselves; the account’s token acts for its owner', async () => {
  const { create, told, office, olga, mara, ids } = await openInboxes()
  await create({ title: 'by the token', assignee_id: ids.olga })
  await create({ title: 'by herself', assignee_id: ids.olga }, olga)
  await create({ title: 'by mara for mara', assignee_id: ids.mara }, mara)
  expect(await told(olga)).toEqual([])
  expect(await told(mara)).toEqual([])
  await create({ title: 'by mara', assignee_id: ids.olga }, mara)
  expect(await told(olga)).toEqual(['Mara Manager gave you “by mara”'])
  expect(await told(office)).toEqual(await told(olga))
})

test('a notification is hidden while the task is someone else’s, and comes back with it', async () => {
  const { create, told, office, mara, ids } = await openInboxes()
  const { id } = await create({ title: 'x', assignee_id: ids.mara })
  await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: null } })
  expect(await told(mara)).toEqual([])
  await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: ids.mara } })
  expect(await told(mara)).toHaveLength(1)
})

test('a notification is hidden when the person may no longer see the task', async () => {
  const { create, told, cem, ids, app, report } = await openInboxes()
  await create({ title: 'x', event_slug: 'winter-ball', assignee_id: ids.cem })
  expect(await told(cem)).toHaveLength(1)
  await app.database.pool.query('delete from assignments where account_id = $1 and membership_id = $2', [
    report.account.id,
    ids.cem,
  ])
  expect(await told(cem)).toEqual([])
})

test('deleting the task removes its notifications, and comments notify nobody', async () => {
  const { create, told, office, mara, olga, ids, app, report } = await openInboxes()
  const { id } = await create({ title: 'x', assignee_id: ids.mara })
  await office.post(`/admin/tasks/${id}/comments`, { comment: { body: 'hi' } })
  await mara.post(`/admin/tasks/${id}/comments`, { comment: { body: 'hi' } })
  expect(await told(mara)).toHaveLength(1)
  expect(await told(olga)).toEqual([])
  await office.delete(`/admin/tasks/${id}`)
  expect(await told(mara)).toEqual([])
  const { rows } = await app.database.pool.query('select id from notifications where account_id = $1', [
    report.account.id,
  ])
  expect(rows).toEqual([])
})

test('a refused change notifies nobody', async () => {
  const { create, told, office, mara, ids } = await openInboxes()
  const { id } = await create({ title: 'x' })
  expect(await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: ids.mara, lock_version: 9 } })).toRefuse(409)
  expect(await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: ids.mara, title: '' } })).toRefuse(422)
  expect(await told(mara)).toEqual([])
})

test('one is marked as read, or all, each by their owner only', async () => {
  const { create, inbox, mara, olga, reader, ids } = await openInboxes()
  await create({ title: 'one', assignee_id: ids.mara })
  await create({ title: 'two', assignee_id: ids.mara })
  await create({ title: 'three', assignee_id: ids.mara })
  const [first] = (await inbox(mara)).notifications
  expect(first.title).toContain('three')

  expect(await olga.post(`/admin/notifications/${first.id}/reading`)).toRefuse(404)
  expect(await reader.post(`/admin/notifications/${first.id}/reading`)).toRefuse(401)
  const read = await mara.post(`/admin/notifications/${first.id}/reading`)
  expect(read.body.read_at).toMatch(/Z$/)
  expect((await mara.post(`/admin/notifications/${first.id}/reading`)).body).toEqual(read.body)
  expect((await inbox(mara)).unread_count).toBe(2)

  expect((await mara.post('/admin/notifications/reading')).status).toBe(204)
  const after = await inbox(mara)
  expect(after.unread_count).toBe(0)
  expect(after.notifications).toHaveLength(3)
  expect(await mara.post('/admin/notifications/nothing/reading')).toRefuse(404)
})

test('being given the same task again is news again', async () => {
  const { create, inbox, office, mara, ids } = await openInboxes()
  const { id } = await create({ title: 'x', assignee_id: ids.mara })
  await mara.post('/admin/notifications/reading')
  await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: ids.olga } })
  await office.patch(`/admin/tasks/${id}`, { task: { assignee_id: ids.mara } })
  const { notifications, unread_count: unread } = await inbox(mara)
  expect([notifications.length, unread]).toEqual([1, 1])
})

test('what was read a season ago is swept, what was told a year ago too, and nothing before', async () => {
  const { create, told, mara, ids, moveClock, workOffJobs } = await openInboxes()
  await create({ title: 'read', assignee_id: ids.mara })
  await mara.post('/admin/notifications/reading')
  await create({ title: 'unread', assignee_id: ids.mara })
  await moveClock('89 days')
  await workOffJobs()
  expect(await told(mara)).toHaveLength(2)
  await moveClock('2 days')
  await workOffJobs()
  expect(await told(mara)).toEqual(['Olga Owner gave you “unread”'])
  await moveClock('1 year')
  await workOffJobs()
  expect(await told(mara)).toEqual([])
  await moveClock('-1 year -91 days')
})

test('what waits for review reaches active owners and managers, and nobody else', async () => {
  const { told, olga, mara, cem, app, report } = await openInboxes()
  const introduction = await app.directory.findCaller({
    digest: digestOf(report.api_tokens['office write']!),
    eventSlug: 'winter-ball',
  })
  await new CallerScope(app, introduction!.caller).transaction((tx) =>
    notifyOwnersAndManagers(tx, {
      kind: 'signup_pending',
      subject: 'request-1',
      title: 'Zoë asks to be on the list of Winter Ball',
      path: '/admin/events/winter-ball/guest_requests',
      eventId: introduction!.event!.id,
    }),
  )
  expect(await told(olga)).toEqual(['Zoë asks to be on the list of Winter Ball'])
  expect(await told(mara)).toHaveLength(1)
  expect(await told(cem)).toEqual([])
  const { rows } = await app.database.pool.query(
    'select recipient_id from notifications where account_id = $1 order by 1',
    [report.account.id],
  )
  expect(rows).toHaveLength(2)
})

test('a notification leads to its event also after the event was given another slug', async () => {
  const { inbox, office, mara, app, report } = await openInboxes()
  const { caller, event } = (await app.directory.findCaller({
    digest: digestOf(report.api_tokens['office write']!),
    eventSlug: 'winter-ball',
  }))!
  await new CallerScope(app, caller).transaction((tx) =>
    notifyOwnersAndManagers(tx, {
      kind: 'signup_pending',
      subject: 'request-1',
      title: 'Zoë asks to be on the list of Winter Ball',
      path: '/admin/events/winter-ball/guest_requests',
      eventId: event!.id,
    }),
  )
  expect((await office.patch('/admin/events/winter-ball', { event: { slug: 'great-ball' } })).status).toBe(200)
  const [told] = (await inbox(mara)).notifications
  expect(told.url).toBe('http://localhost:3000/admin/events/great-ball/guest_requests')
  expect((await mara.get(new URL(told.url).pathname)).status).toBe(200)
  const read = await mara.post(`/admin/notifications/${told.id}/reading`)
  expect(read.body.url).toBe(told.url)
})

test('an inbox speaks the language of the account', async () => {
  const { create, told, office, mara, ids } = await openInboxes()
  expect((await office.patch('/admin/account', { account: { language: 'de' } })).status).toBe(200)
  await create({ title: 'Bändchen bestellen', assignee_id: ids.mara })
  expect(await told(mara)).toEqual(['Olga Owner hat dir „Bändchen bestellen“ gegeben'])
})
