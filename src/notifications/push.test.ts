import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeJobsDue } from '../../test/kit/process/jobs.ts'
import { openPushService } from '../../test/kit/network/push-service.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'

let running: OpenApp
let service: Awaited<ReturnType<typeof openPushService>>

beforeAll(async () => {
  running = await openTestApp({ environment: { FOYER_PRIVATE_NETWORKS: 'on' } })
  service = await openPushService()
})
afterAll(async () => {
  await running.close()
  await service.close()
})

let browsers = 0

const openBrowser = async () => {
  const browser = ++browsers
  const { report, client } = await openVenueIn(running)
  const [office, mara] = [client('office write'), client('mara write')]
  const endpoint = `${service.address}/send/${browser}`
  const subscribe = (change: object = {}) =>
    mara.post('/admin/push_subscriptions', { push_subscription: { endpoint, keys: service.keys, ...change } })
  const assign = async (title: string) =>
    office.post('/admin/tasks', {
      task: { title, assignee_id: report.people['mara@neue-halle.example']!.membership_id },
    })
  const received = () => service.received.filter((push) => push.path === `/send/${browser}`)
  const subscriptions = async () =>
    (
      await running.app.database.pool.query('select 1 from push_subscriptions where account_id = $1', [
        report.account.id,
      ])
    ).rowCount
  service.answerWith(201)
  return { report, office, mara, client, endpoint, subscribe, assign, received, subscriptions }
}

test('a browser is shown what its person is told, and only it can read that', async () => {
  const { subscribe, assign, received, mara } = await openBrowser()
  const subscribed = await subscribe()
  expect(subscribed.status).toBe(201)
  const { body: task } = await assign('Order wristbands')
  expect(received()).toEqual([])
  await running.workOffJobs()

  expect(received()).toHaveLength(1)
  const [push] = received()
  expect(push!.message).toMatchObject({
    kind: 'task_assigned',
    title: 'Olga Owner gave you “Order wristbands”',
    url: `http://localhost:3000/admin/tasks/${task.id}`,
  })
  expect(push!.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    ttl: '86400',
    'user-agent': expect.stringMatching(/^Foyer\/\d+\.\d+\.\d+ \(\+http:\/\/localhost:3000\)$/),
  })
  const { body: key } = await mara.get('/admin/push_key')
  expect(push!.claims).toMatchObject({ aud: service.address, sub: 'http://localhost:3000', key: key.public_key })
  expect(push!.claims.exp * 1000).toBeLessThanOrEqual(Date.now() + 24 * 3600 * 1000)
})

test('one who assigns to themselves is not shown anything', async () => {
  const { subscribe, mara, report, received } = await openBrowser()
  await subscribe()
  const assignee = report.people['mara@neue-halle.example']!.membership_id
  await mara.post('/admin/tasks', { task: { title: 'mine', assignee_id: assignee } })
  await running.workOffJobs()
  expect(received()).toEqual([])
})

test('what was read or taken back before it was sent is not sent', async () => {
  const { subscribe, assign, received, office, mara } = await openBrowser()
  await subscribe()
  await assign('read')
  await mara.post('/admin/notifications/reading')
  const { body } = await assign('taken back')
  await office.patch(`/admin/tasks/${body.id}`, { task: { assignee_id: null } })
  await running.workOffJobs()
  expect(received()).toEqual([])
})

test.each([404, 410])('a browser that is gone (%i) is forgotten', async (status) => {
  const { subscribe, assign, received, subscriptions } = await openBrowser()
  await subscribe()
  service.answerWith(status)
  await assign('x')
  await running.workOffJobs()
  expect(received()).toHaveLength(1)
  expect(await subscriptions()).toBe(0)
})

test('a busy service is asked again later, and the browser stays', async () => {
  const { subscribe, assign, received, subscriptions } = await openBrowser()
  await subscribe()
  service.answerWith(503)
  await assign('x')
  await running.workOffJobs()
  expect([received().length, await subscriptions()]).toEqual([1, 1])
  service.answerWith(201)
  await makeJobsDue(running.app.database.pool)
  await running.workOffJobs()
  expect(received()).toHaveLength(2)
})

test('a browser subscribes once, with its newest keys, and leaves', async () => {
  const { subscribe, mara, office, subscriptions } = await openBrowser()
  const { body } = await subscribe()
  expect((await subscribe()).body.id).toBe(body.id)
  expect(await subscriptions()).toBe(1)
  expect(await office.delete(`/admin/push_subscriptions/${body.id}`)).toRefuse(404)
  expect((await mara.delete(`/admin/push_subscriptions/${body.id}`)).status).toBe(204)
  expect(await mara.delete(`/admin/push_subscriptions/${body.id}`)).toRefuse(404)
})

test.each([
  ['no address', { endpoint: '' }, { endpoint: ["can't be blank"] }],
  ['an address that is none', { endpoint: 'push' }, { endpoint: ['is invalid'] }],
  ['a file', { endpoint: 'file:///etc/passwd' }, { endpoint: ['is invalid'] }],
  ['no keys', { keys: null }, { keys: ['is invalid'] }],
  [
    'a point off the curve',
    { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'BTBZMqHH6r4Tts7J_aSIgg' } },
    { keys: ['is invalid'] },
  ],
  [
    'a short secret',
    {
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'abc',
      },
    },
    { keys: ['is invalid'] },
  ],
])('a subscription with %s is refused', async (_what, change, errors) => {
  const { subscribe } = await openBrowser()
  expect(await subscribe(change)).toRefuse(422, errors)
})

test('all processes show push services one key', async () => {
  const { office, mara } = await openBrowser()
  const keys = await Promise.all(
    [office, mara, office].map(async (each) => (await each.get('/admin/push_key')).body.public_key),
  )
  expect(new Set(keys).size).toBe(1)
  expect(Buffer.from(keys[0], 'base64url')).toHaveLength(65)
})
