import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookiesOf, form, linkTo, withHeaders } from '../../test/kit/venue/sessions.ts'
import { makeJobsDue } from '../../test/kit/process/jobs.ts'
import { type Client, openClient } from '../../test/kit/venue/client.ts'
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

test('a person is told in fifty browsers at most, and the oldest give way', async () => {
  const { subscribe, endpoint, subscriptions, mara } = await openBrowser()
  const ids: string[] = []
  for (let n = 0; n < 52; n++) ids.push((await subscribe({ endpoint: `${endpoint}-${n}` })).body.id)
  expect(await subscriptions()).toBe(50)
  // The one that signs itself up again is the newest of them, however long it has been there.
  expect((await subscribe({ endpoint: `${endpoint}-2` })).body.id).toBe(ids[2])
  await subscribe({ endpoint: `${endpoint}-52` })
  expect(await subscriptions()).toBe(50)
  const statuses = []
  for (const n of [0, 1, 4, 51]) statuses.push((await mara.delete(`/admin/push_subscriptions/${ids[n]}`)).status)
  expect(statuses).toEqual([404, 404, 204, 204])
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

/** Mara, who signs in with her password like anybody at a browser, and a browser that shows what she is told. */
const openSignedIn = async () => {
  const email = `mara-${randomBytes(4).toString('hex')}@neue-halle.example`
  const password = 'ein gutes Passwort'
  const { report, client } = await openVenueIn(running, (file) => {
    file['people'].push({ name: 'Mara Neu', email, password, role: 'manager' })
    file['api_tokens'].push({ description: 'her script', permission: 'write', person: email })
  })
  const { membership_id: member } = report.people[email]!
  const [office, script, stranger] = [client('office write'), client('her script'), openClient(running.origin, {})]
  const browser = ++browsers
  const endpoint = `${service.address}/send/${browser}`
  const signIn = async (secret = password) =>
    withHeaders(stranger, {
      cookie: cookiesOf(await stranger.ask('POST', '/sign_in', form({ email, password: secret }))),
    })
  const subscribe = async (by: Client) => {
    const subscription = { endpoint, keys: service.keys }
    const { status, body } = await by.post('/admin/push_subscriptions', { push_subscription: subscription })
    expect(status).toBe(201)
    return body.id as string
  }
  const assign = (title: string) => office.post('/admin/tasks', { task: { title, assignee_id: member } })
  const told = async () => {
    await running.workOffJobs()
    return service.received
      .filter((push) => push.path === `/send/${browser}`)
      .map(({ message }) => (message as { title: string }).title.replace(/^.*“(.*)”$/, '$1'))
  }
  service.answerWith(201)
  return { report, email, member, office, script, stranger, signIn, subscribe, assign, told }
}

type SignedIn = Awaited<ReturnType<typeof openSignedIn>>

/** Has the link for a new password mailed first, so that nothing else has to be worked off for it later. */
const withLink = (by: (mara: SignedIn) => Promise<Client>) => async (mara: SignedIn) => {
  await mara.stranger.ask('POST', '/password', form({ email: mara.email }))
  await running.workOffJobs()
  return by(mara)
}

const replacePassword = async ({ stranger, email }: SignedIn, fields: Record<string, string>) => {
  const reply = await stranger.ask('POST', await linkTo(running, email), form(fields))
  expect(reply.headers.get('location')).toBe('/sign_in?saved=1')
}

const bySession = ({ signIn }: SignedIn) => signIn()
const byToken = async ({ script }: SignedIn) => script

test.each<[string, (mara: SignedIn) => Promise<Client>, (mara: SignedIn, by: Client) => Promise<unknown>]>([
  ['signing out', bySession, (_, browser) => browser.ask('POST', '/sign_out', form({}))],
  [
    'the end of its session',
    bySession,
    async ({ office }) => {
      const { body } = await office.get('/admin/sessions')
      await office.delete(`/admin/sessions/${body.sessions[0].id}`)
    },
  ],
  [
    'thirty days',
    bySession,
    ({ report }) =>
      running.app.database.pool.query(
        `update credentials set expires_at = foyer_now() where account_id = $1 and kind = 'session'`,
        [report.account.id],
      ),
  ],
  [
    'a new password',
    withLink(bySession),
    (mara) => replacePassword(mara, { password: 'ein neues Passwort', end_keys: '0' }),
  ],
  [
    'a new password that ends the token',
    withLink(byToken),
    (mara) => replacePassword(mara, { password: 'ein neues Passwort' }),
  ],
  [
    'a revocation of the token',
    byToken,
    async ({ office }) => {
      const { body } = await office.get('/admin/api_tokens')
      const { id } = body.api_tokens.find(({ description }: { description: string }) => description === 'her script')
      expect((await office.delete(`/admin/api_tokens/${id}`)).status).toBe(204)
    },
  ],
  [
    'another role, also once it is the old one again',
    byToken,
    async ({ office, member }) => {
      for (const role of ['scanner', 'manager']) {
        const changed = await office.patch(`/admin/memberships/${member}/role`, { membership: { role } })
        expect(changed.status).toBe(200)
      }
    },
  ],
])('after %s a browser is shown nothing more, not even what was waiting', async (_what, by, end) => {
  const mara = await openSignedIn()
  const { subscribe, assign, told } = mara
  const client = await by(mara)
  await subscribe(client)
  await assign('before')
  expect(await told()).toEqual(['before'])
  await assign('waiting')
  await end(mara, client)
  expect((await client.get('/admin/notifications')).status).toBe(401)
  await assign('after')
  expect(await told()).toEqual(['before'])
})

test('a browser that signs in again is shown everything again once it has subscribed again', async () => {
  const { signIn, subscribe, assign, told } = await openSignedIn()
  const first = await signIn()
  const id = await subscribe(first)
  await first.ask('POST', '/sign_out', form({}))
  const second = await signIn()
  await assign('not yet')
  expect(await told()).toEqual([])
  expect(await subscribe(second)).toBe(id)
  await assign('again')
  expect(await told()).toEqual(['again'])
})

test('a token that is revoked leaves alone what another credential signed up later', async () => {
  const { office, script, signIn, subscribe, assign, told } = await openSignedIn()
  await subscribe(script)
  await subscribe(await signIn())
  const { body } = await office.get('/admin/api_tokens')
  const { id } = body.api_tokens.find(({ description }: { description: string }) => description === 'her script')
  await office.delete(`/admin/api_tokens/${id}`)
  await assign('still')
  expect(await told()).toEqual(['still'])
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
