import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, openClient } from '../kit/venue/client.ts'
import { countLaneJobs, makeJobsDue } from '../kit/process/jobs.ts'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, runFoyer, startFoyer, startWorkerProcess } from '../kit/process/foyer-process.ts'
import { openMailServer } from '../kit/network/mail-server.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { randomOf } from '../kit/seed.ts'
import { type TcpProxy, openTcpProxy } from '../kit/network/tcp-proxy.ts'

/** In the full run the mail server stays away for half an hour of real time. */
const MINUTES_DOWN = Number(process.env['FOYER_MAIL_DOWN_MINUTES'] ?? 0)
const KILLS = MINUTES_DOWN > 0 ? MINUTES_DOWN : 2
const MAILS = MINUTES_DOWN > 0 ? 200 : 24
/** What a worker does at once: no more than these can be in flight when it is killed. */
const AT_ONCE = 4

let far: Awaited<ReturnType<typeof openFarDatabase>>
let mail: Awaited<ReturnType<typeof openMailServer>>
let wire: TcpProxy
let environment: Record<string, string>
let foyer: FoyerProcess
let office: Client
let ticketId: number

beforeAll(async () => {
  far = await openFarDatabase('mail-down')
  mail = await openMailServer({ takesMs: 150 })
  wire = await openTcpProxy({ port: mail.port, host: '127.0.0.1' })
  environment = { ...far.environment, SMTP_URL: `smtp://127.0.0.1:${wire.port}` }
  const report = JSON.parse(
    (await runFoyer(['load', '-'], environment, JSON.stringify(neueHalle('neue-halle')))).stdout,
  )
  ticketId = report.events['winter-ball'].tickets.ga
  foyer = await startFoyer(environment, ['--no-jobs'])
  office = openClient(foyer.origin, { token: report.api_tokens['office write'] })
})

afterAll(async () => {
  await foyer.end()
  await wire.close()
  await mail.close()
  await far.close()
})

/** Pauses between attempts, and the half minute in which a dead worker is missed, are real time; here they pass at once. */
const passTime = async () => {
  await far.beside.query(`update workers set beat_at = beat_at - interval '31 seconds'`)
  await makeJobsDue(far.beside)
}

const waitingMails = () => countLaneJobs(far.beside, 'mail')

test(
  'while the mail server is away and workers are killed no mail is lost, and only one in flight is sent twice',
  { timeout: 240_000 + MINUTES_DOWN * 90_000 },
  async () => {
    const random = randomOf('mail down')
    for (let n = 0; n < MAILS; n++) {
      const party = { customer_name: `Guest ${n}`, delivery_email: `guest-${n}@guest.example`, ticket_id: ticketId }
      const reply = await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
      expect(reply.status, reply.text).toBe(201)
    }
    expect(await waitingMails()).toBe(MAILS)

    wire.refuse()
    let worker = await startWorkerProcess(environment)
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(MINUTES_DOWN > 0 ? 60_000 : 500 + random() * 1_000)
      await worker.end('SIGKILL')
      if (MINUTES_DOWN === 0) await passTime()
      worker = await startWorkerProcess(environment)
    }
    expect(mail.taken).toEqual([])
    expect(await waitingMails()).toBe(MAILS)

    // It is back, and a worker dies in the middle of its mails all the same.
    wire.mend()
    await passTime()
    await vi.waitFor(() => expect(mail.taken.length).toBeGreaterThan(MAILS / 4), { timeout: 30_000, interval: 20 })
    await worker.end('SIGKILL')
    worker = await startWorkerProcess(environment)
    await vi.waitFor(
      async () => {
        await passTime()
        expect(await waitingMails()).toBe(0)
      },
      { timeout: 60_000, interval: 1_000 },
    )
    expect((await worker.end()).code).toBe(0)

    const sent = Map.groupBy(mail.taken, ({ to }) => to)
    expect(sent.size).toBe(MAILS)
    expect(mail.taken.length - MAILS).toBeLessThanOrEqual(AT_ONCE)
    // Whoever got one twice got the very same one: mail programs show it once.
    for (const mails of sent.values()) expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1)
  },
)
