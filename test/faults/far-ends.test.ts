import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Client, openClient } from '../kit/venue/client.ts'
import { makeJobsDue } from '../kit/process/jobs.ts'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { openMailServer } from '../kit/network/mail-server.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { openPushService } from '../kit/network/push-service.ts'
import { type TcpProxy, openTcpProxy } from '../kit/network/tcp-proxy.ts'
import { announce, bring, embed } from '../kit/venue/uploads.ts'
import { openWebhookListener } from '../kit/network/webhook-listener.ts'

/** The full run takes every harm by itself. */
const IS_FULL = process.env['FOYER_FAULT_ROUNDS'] !== undefined
/** More than the worker does at once. */
const MAILS = 12
const QUICK_MS = 5_000
const TOLD_WITHIN_MS = 15_000

let far: Awaited<ReturnType<typeof openFarDatabase>>
let foyer: FoyerProcess
let ends: Awaited<ReturnType<typeof openEnds>>
let office: Client
// oxlint-disable-next-line typescript/no-explicit-any
let report: any

const portOf = (address: string) => Number(new URL(address).port)
const behind = (port: number) => openTcpProxy({ port, host: '127.0.0.1' })

/** Everybody Foyer talks to, each at the end of a wire of its own. */
const openEnds = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-store-'))
  const [mail, hook, push] = [await openMailServer(), await openWebhookListener(), await openPushService()]
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'foyer', configs: [] }],
  })
  const wires = {
    mail: await behind(mail.port),
    hook: await behind(portOf(hook.address)),
    push: await behind(portOf(push.address)),
    store: await behind((await store.run()).port),
  }
  return {
    mail,
    hook,
    push,
    wires,
    each: (work: (wire: TcpProxy, n: number) => void) => Object.values(wires).forEach(work),
    close: async () => {
      for (const wire of Object.values(wires)) await wire.close()
      await mail.close()
      hook.close()
      await push.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

beforeAll(async () => {
  far = await openFarDatabase('far-ends')
  ends = await openEnds()
  const environment = {
    ...far.environment,
    FOYER_PRIVATE_NETWORKS: 'on',
    SMTP_URL: `smtp://127.0.0.1:${ends.wires.mail.port}`,
    S3_ENDPOINT: `http://127.0.0.1:${ends.wires.store.port}`,
    S3_BUCKET: 'foyer',
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER',
  }
  const file = neueHalle('neue-halle')
  file['vouchers'] = [{ key: 'v', amount: '50.00' }]
  report = JSON.parse((await runFoyer(['load', '-'], environment, JSON.stringify(file))).stdout)
  foyer = await startFoyer(environment)
  office = openClient(foyer.origin, { token: report.api_tokens['office write'] })

  const url = `http://127.0.0.1:${ends.wires.hook.port}/heard`
  const kinds = ['voucher.adjusted']
  expect((await office.post('/admin/webhook_endpoints', { webhook_endpoint: { url, kinds } })).status).toBe(201)
  const mara = openClient(foyer.origin, { token: report.api_tokens['mara write'] })
  const endpoint = `http://127.0.0.1:${ends.wires.push.port}/browser`
  const subscribed = await mara.post('/admin/push_subscriptions', {
    push_subscription: { endpoint, keys: ends.push.keys },
  })
  expect(subscribed.status).toBe(201)
})

afterAll(async () => {
  await foyer.end()
  await ends.close()
  await far.close()
})

const mend = (wire: TcpProxy) => {
  wire.reset()
  wire.mend()
}

afterEach(() => ends.each(mend))

/** Webhooks are told apart by what was credited. */
const amounts: string[] = []
const amountOf = (name: string) => {
  if (!amounts.includes(name)) amounts.push(name)
  return `${10 + amounts.indexOf(name)}.37`
}

/** Work for everybody outside; every request itself is quick, whoever is away. */
const doThings = async (name: string) => {
  const asked: { status: number; ms: number }[] = []
  const timely = async (ask: Promise<{ status: number }>) => {
    const startedAt = performance.now()
    asked.push({ status: (await ask).status, ms: performance.now() - startedAt })
  }
  for (let n = 0; n < MAILS; n++) {
    const party = {
      customer_name: `Guest ${n}`,
      delivery_email: `${name}-${n}@guest.example`,
      ticket_id: report.events['winter-ball'].tickets.ga,
    }
    await timely(office.post('/admin/events/winter-ball/guest_parties', { guest_party: party }))
  }
  const assignee_id = report.people['mara@neue-halle.example'].membership_id
  await timely(office.post('/admin/tasks', { task: { title: `Task ${name}`, assignee_id } }))
  const adjustment = { direction: 'credit', amount: amountOf(name), reason: 'A present' }
  await timely(office.post(`/admin/vouchers/${report.vouchers.v.id}/adjustment`, adjustment))
  await timely(office.get('/admin/events'))
  for (const { status, ms } of asked) {
    expect([200, 201]).toContain(status)
    expect(ms).toBeLessThan(QUICK_MS)
  }
}

const arrived = (name: string) => ({
  mails: ends.mail.taken.filter(({ to }) => to.startsWith(`${name}-`)).map(({ to }) => to),
  hooks: ends.hook.heard.filter(({ text }) => text.includes(`"${amountOf(name)}"`)).length,
  pushes: ends.push.received.filter(({ message }) => message.title.includes(`Task ${name}`)).length,
})

const passTime = () => makeJobsDue(far.beside)

const everythingArrivesOnce = async (name: string) => {
  await vi.waitFor(
    async () => {
      await passTime()
      const { mails, hooks, pushes } = arrived(name)
      expect([new Set(mails).size, hooks > 0, pushes > 0]).toEqual([MAILS, true, true])
    },
    { timeout: 30_000, interval: 500 },
  )
  await vi.waitFor(
    async () => {
      await passTime()
      expect(await waitingJobs()).toBe(0)
    },
    { timeout: 30_000, interval: 200 },
  )
  const { mails, hooks, pushes } = arrived(name)
  expect({ mails: mails.length, hooks, pushes }).toEqual({ mails: MAILS, hooks: 1, pushes: 1 })
}

const waitingJobs = async () => (await far.beside.query('select count(*)::int as count from lane_jobs')).rows[0].count

/** A file whose bytes went to the store while it was well, and that is needed while it is not. */
const bringPicture = async () => {
  const bytes = Buffer.from('Nothing but a plan')
  const { body } = await office.post('/admin/task_uploads', announce(bytes, 'plan.pdf', 'application/pdf'))
  expect((await bring(foyer.origin, body, bytes)).status).toBe(200)
  return body as { attachable_sgid: string }
}

const useFile = async ({ attachable_sgid }: { attachable_sgid: string }) => {
  const startedAt = performance.now()
  const reply = await office.post('/admin/tasks', {
    task: { title: 'With a plan', description: embed(attachable_sgid) },
  })
  return { status: reply.status, ms: performance.now() - startedAt }
}

const isQuiet = { mails: [], hooks: 0, pushes: 0 }

test('a mail server and a store that hang hold up neither requests nor other jobs', async () => {
  const name = 'held-up'
  const file = await bringPicture()
  ends.wires.mail.swallow()
  ends.wires.store.swallow()
  await doThings(name)
  const using = useFile(file)
  // The mails alone, one after the other, would take half a minute.
  await vi.waitFor(() => expect(arrived(name)).toMatchObject({ hooks: 1, pushes: 1 }), { timeout: TOLD_WITHIN_MS })
  const used = await using
  expect(used.status).toBe(503)
  expect(used.ms).toBeLessThan(TOLD_WITHIN_MS)

  // Those alone: a wire that is cut after its message was heard and before that was said has it told again.
  mend(ends.wires.mail)
  mend(ends.wires.store)
  await everythingArrivesOnce(name)
  expect((await useFile(file)).status).toBe(201)
})

type Harm = (wire: TcpProxy, n: number) => void
const hang: Harm = (wire) => wire.swallow()
const refuse: Harm = (wire) => wire.refuse()
const babble: Harm = (wire) => wire.babble()
const byTurns: Harm = (wire, n) => (n % 2 ? babble : refuse)(wire, n)

const HARMS: [string, Harm][] = IS_FULL
  ? [
      ['hang', hang],
      ['refuse', refuse],
      ['talk nonsense', babble],
    ]
  : [['refuse or talk nonsense', byTurns]]

test.each(HARMS)('far ends that %s lose nothing and double nothing', async (how, harm) => {
  const name = how.replaceAll(' ', '-')
  const file = await bringPicture()
  ends.each(harm)
  await doThings(name)

  const used = await useFile(file)
  expect(used.status).toBe(503)
  expect(used.ms).toBeLessThan(TOLD_WITHIN_MS)
  expect(arrived(name)).toEqual(isQuiet)
  const { body } = await office.get('/admin/tasks')
  const before = body.tasks.length

  ends.each(mend)
  await everythingArrivesOnce(name)
  expect((await useFile(file)).status).toBe(201)
  expect((await office.get('/admin/tasks')).body.tasks).toHaveLength(before + 1)
  expect(foyer.child.exitCode).toBeNull()
})
