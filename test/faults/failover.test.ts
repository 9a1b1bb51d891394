import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { databaseFolderOfTest } from '../kit/database/folder-of-test.ts'
import { type ServerPair, startServerPair } from '../kit/database/server-pair.ts'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { openEventStream } from '../kit/network/event-stream.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { randomOf } from '../kit/seed.ts'
import { type Night, loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'

/** The full run does it many times. */
const FAILOVERS = Number(process.env['FOYER_FAILOVERS'] ?? 1)
const TICKETS = 240
/** Ten seconds, and what a machine adds that is busy with other tests. */
const BACK_WITHIN_MS = 10_000 + 5_000
const TIMEOUT_MS = 120_000
const PATIENCE = { timeout: 30_000, interval: 20 }

interface House {
  pair: ServerPair
  foyer: FoyerProcess
  night: Night
  environment: Record<string, string>
}

const openHouse = async (name: string, isSynchronous: boolean, tickets = TICKETS): Promise<House> => {
  const folder = await databaseFolderOfTest(name)
  const pair = await startServerPair({ isSynchronous })
  onTestFinished(pair.stop)
  const environment = { FOYER_DATA: folder, FOYER_RATE_LIMITS: 'off', DATABASE_URL: pair.url }
  const night = await loadNight(environment, name, tickets)
  const foyer = await startFoyer(environment)
  onTestFinished(async () => void (await foyer.end()))
  return { pair, foyer, night, environment }
}

const headersOf = ({ night }: House) => ({
  authorization: `Bearer ${night.office}`,
  'content-type': 'application/json',
})

/** Writes until it is told that it was done; what it was told stays in the answer. */
const inviteGuests = (house: House, wanted: () => boolean) => {
  const invited: string[] = []
  const id = house.night.report.events['winter-ball'].tickets.ga
  const invite = async (writer: number) => {
    for (let n = 0; wanted(); n++) {
      const name = `Guest ${writer}-${n}`
      const guest_party = {
        customer_name: name,
        ticket_id: id,
        party_size: 1,
        delivery_email: `${writer}-${n}@a.example`,
      }
      const reply = await insist(() =>
        fetch(`${house.foyer.origin}/admin/events/winter-ball/guest_parties`, {
          method: 'POST',
          headers: { ...headersOf(house), 'idempotency-key': name },
          body: JSON.stringify({ guest_party }),
        }),
      )
      expect([reply.status, reply.status === 201 ? '' : await reply.text()]).toEqual([201, ''])
      invited.push(name)
    }
  }
  return { invited, done: Promise.all([invite(1), invite(2)]) }
}

const insist = async (ask: () => Promise<Response>): Promise<Response> => {
  for (;;) {
    const reply = await ask()
    if (reply.status !== 503) return reply
    await reply.text()
    await delay(20)
  }
}

const guestsOf = async (house: House): Promise<string[]> => {
  const reply = await fetch(`${house.foyer.origin}/admin/events/winter-ball/guest_list`, { headers: headersOf(house) })
  const { guest_parties } = (await reply.json()) as { guest_parties: { customer_name: string }[] }
  return guest_parties.map(({ customer_name }) => customer_name)
}

const titleOf = async ({ foyer, night }: House) => {
  const headers = { host: night.shopHost, accept: 'application/json' }
  const reply = await askAtHost(foyer.origin, '/events/winter-ball', { method: 'GET', headers })
  return ((await reply.json()) as { title: string }).title
}

/** To whom mails were sent, each address as often as it was. */
const addressesIn = async ({ environment }: House) => {
  const folder = path.join(environment['FOYER_DATA']!, 'outbox')
  const mails = await Promise.all((await readdir(folder)).map((file) => readFile(path.join(folder, file), 'utf8')))
  return mails.flatMap((mail) => /^To: .*?([\w-]+@a\.example)/m.exec(mail)?.[1] ?? [])
}

test(
  'the primary is killed and the standby promoted: nothing acknowledged is lost, and everything goes on',
  { timeout: TIMEOUT_MS * FAILOVERS },
  async () => {
    for (let round = 0; round < FAILOVERS; round++) {
      const house = await openHouse(`failover-${round}`, true)
      const { pair, foyer, night } = house
      const random = randomOf(`failover ${round}`)
      const stream = await openEventStream(`${foyer.origin}/admin/tasks/stream`, headersOf(house))
      expect((await stream.next()).event).toBe('ready')
      expect([await titleOf(house), await titleOf(house)]).toEqual(['Winter Ball', 'Winter Ball'])

      let isOver = false
      const inviting = inviteGuests(house, () => !isOver)
      await vi.waitFor(() => expect(inviting.invited.length).toBeGreaterThan(2), PATIENCE)
      const scanning = scanAll(() => foyer.origin, night)
      await progressed(scanning, 40 + Math.floor(random() * 80))

      await pair.primary.kill()
      const acknowledged = [...scanning.results.keys()]
      const invitedBefore = [...inviting.invited]
      await pair.promote()
      const promotedAt = performance.now()
      await progressed(scanning, Math.min(acknowledged.length + 20, TICKETS))
      expect(performance.now() - promotedAt).toBeLessThan(BACK_WITHIN_MS)

      // What is remembered of the shop is dropped, and boards are told, over connections to the new primary.
      await pair.standby.ask(`update events set title = 'Summer Ball'`, 'foyer')
      await vi.waitFor(async () => expect(await titleOf(house)).toBe('Summer Ball'), { timeout: BACK_WITHIN_MS })
      const made = await insist(() =>
        fetch(`${foyer.origin}/admin/tasks`, {
          method: 'POST',
          headers: headersOf(house),
          body: JSON.stringify({ task: { title: 'After' } }),
        }),
      )
      const { id } = (await made.json()) as { id: unknown }
      let said = await stream.next(BACK_WITHIN_MS)
      while (said.event !== 'task') said = await stream.next(BACK_WITHIN_MS)
      expect(said.data).toEqual({ kind: 'created', task_id: id })
      await stream.close()

      const invitedAfter = inviting.invited.length
      await vi.waitFor(() => expect(inviting.invited.length).toBeGreaterThan(invitedAfter), PATIENCE)
      isOver = true
      await Promise.all([scanning.done, inviting.done])
      await requireEverybodyIn(foyer.origin, night, scanning.results)
      const guests = await guestsOf(house)
      expect(guests.toSorted()).toEqual(inviting.invited.toSorted())
      expect(guests).toEqual(expect.arrayContaining(invitedBefore))

      // The worker goes on: whoever was invited last, after the failover, has their mail.
      const last = `${inviting.invited.at(-1)!.replace('Guest ', '')}@a.example`
      await vi.waitFor(async () => expect(await addressesIn(house)).toContain(last), { timeout: 30_000 })
      expect(foyer.child.exitCode).toBeNull()
      const audit = await runFoyer(['audit'], house.environment)
      expect(audit).toMatchObject({ code: 0, stdout: '' })
    }
  },
)

/** Everybody is scanned while the standby hears nothing; then the primary is gone, and the standby takes over. */
const scanThenLose = async (isSynchronous: boolean) => {
  const house = await openHouse(isSynchronous ? 'deaf' : 'deaf-control', isSynchronous, 20)
  const { pair, foyer, night } = house
  await pair.standby.ask(`alter system set primary_conninfo = ''`)
  await pair.standby.ask('select pg_reload_conf()')
  await vi.waitFor(async () => expect(await pair.primary.ask('select from pg_stat_replication')).toEqual([]), PATIENCE)
  const accepted: string[] = []
  const scan = async (ticket: string) => {
    const reply = await fetch(`${foyer.origin}/scanner/events/winter-ball/tickets/${ticket}/redemption`, {
      method: 'POST',
      headers: { authorization: `Bearer ${night.token}` },
    })
    if (reply.status === 200) accepted.push(ticket)
  }
  const told = Promise.all(night.tickets.map(scan))
  // With somebody to wait for they wait; without, they are all told at once.
  if (isSynchronous) await vi.waitFor(async () => expect(await waitingCommits(pair)).toBeGreaterThan(0), PATIENCE)
  else await told
  await pair.primary.kill()
  const before = accepted.length
  await pair.promote()
  await told
  const [row] = await pair.standby.ask<{ redeemed: string[] }>(
    `select coalesce(array_agg(public_id::text), '{}') as redeemed from admissions where redeemed_at is not null`,
    'foyer',
  )
  return { before, lost: accepted.filter((ticket) => !row!.redeemed.includes(ticket)).length }
}

const waitingCommits = async ({ primary }: ServerPair) =>
  (await primary.ask(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length

test('while the standby hears nothing, nobody is told that they were let in', { timeout: TIMEOUT_MS }, async () => {
  expect(await scanThenLose(true)).toEqual({ before: 0, lost: 0 })
})

test('control: without synchronous_standby_names what was acknowledged is lost', { timeout: TIMEOUT_MS }, async () => {
  expect(await scanThenLose(false)).toEqual({ before: 20, lost: 20 })
})
