import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'

/** The full run takes fifty thousand. */
const TICKETS = Number(process.env['FOYER_SNAPSHOT_TICKETS'] ?? 10_000)
/** A slow machine is slow for the other process, too, which sends no snapshot meanwhile. */
const LONGEST_MS = 250
const TIMES_LONGER = 5

let far: Awaited<ReturnType<typeof openFarDatabase>>
let processes: [FoyerProcess, FoyerProcess]
let night: Night

beforeAll(async () => {
  far = await openFarDatabase('beside')
  night = await loadNight(far.environment, 'beside', 2)
  processes = await Promise.all([startFoyer(far.environment), startFoyer(far.environment)])
}, 120_000)

afterAll(async () => {
  for (const foyer of processes ?? []) await foyer.end()
  await far?.close()
})

/** So many tickets, copied from one. */
const addTickets = async (count: number) => {
  const { rows } = await far.beside.query<{ public_id: string }>(
    `insert into admissions (account_id, event_id, order_id, ticket_id, public_id, check_in_code, ticket_title, position)
     select account_id, event_id, order_id, ticket_id, 'many-' || n,
       translate(lpad(n::text, 8, '0'), '0123456789', 'ABCDEFGHJK'), ticket_title, n + 10
     from (select * from admissions where public_id = $1) a, generate_series(1, $2::int) n
     returning public_id`,
    [night.tickets[0], count],
  )
  await far.beside.query('analyze admissions')
  return rows.map((row) => row.public_id)
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` })

/** Redeems one after the other until it is told to stop, and says how long each took. */
const redeem = async (origin: string, tickets: string[], isOver: () => boolean): Promise<number[]> => {
  const times: number[] = []
  while (!isOver()) {
    const startedAt = performance.now()
    const reply = await fetch(`${origin}/scanner/events/winter-ball/tickets/${tickets.pop()}/redemption`, {
      method: 'POST',
      headers: authorized(night.token),
    })
    await reply.text()
    expect(reply.status).toBe(200)
    times.push(performance.now() - startedAt)
  }
  return times
}

const MARK = '"check_in_code"'

/** How many tickets came. They are counted as they come: to parse them would keep the clock of this process waiting. */
const download = async (origin: string, encoding: string): Promise<number> => {
  const reply = await fetch(`${origin}/scanner/events/winter-ball/snapshot`, {
    headers: { ...authorized(night.token), 'accept-encoding': encoding },
  })
  let count = 0
  let rest = ''
  for await (const piece of reply.body!.pipeThrough(new TextDecoderStream())) {
    const pieces = (rest + piece).split(MARK)
    count += pieces.length - 1
    rest = pieces.at(-1)!.slice(1 - MARK.length)
  }
  expect(rest).toMatch(/\]\}$/)
  return count
}

test('whoever is scanned while a large snapshot goes out does not wait for it', { timeout: 120_000 }, async () => {
  const [{ origin }, { origin: elsewhere }] = processes
  const tickets = await addTickets(TICKETS)
  let isOver = false
  const redeeming = Promise.all([redeem(origin, tickets, () => isOver), redeem(elsewhere, tickets, () => isOver)])
  const counts: number[] = []
  for (const encoding of ['identity', 'gzip', 'identity']) counts.push(await download(origin, encoding))
  counts.push(...(await Promise.all([download(origin, 'identity'), download(origin, 'gzip')])))
  isOver = true
  const [beside, apart] = await redeeming

  expect(new Set(counts)).toEqual(new Set([TICKETS + 2]))
  expect(beside.length).toBeGreaterThan(counts.length)
  expect(Math.max(...beside)).toBeLessThan(Math.max(LONGEST_MS, Math.max(...apart) * TIMES_LONGER))
})

test('a device that is revoked by command is refused at its next request, by every process', async () => {
  const device = (verb: string, name: string) =>
    runFoyer(['device', verb, '--account', 'beside', '--name', name], far.environment)
  const ticket = night.tickets[1]!
  const statuses = (token: string) =>
    Promise.all(
      processes.map(async ({ origin }) => (await fetch(`${origin}/scanner/me`, { headers: authorized(token) })).status),
    )

  const paired = await device('pair', 'Side door')
  expect(paired).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^foyer_door_\S+\n$/) })
  const token = paired.stdout.trim()
  expect(await statuses(token)).toEqual([200, 200])
  const again = await device('pair', 'Side door')
  expect([again.code, again.stdout, again.stderr.trim().split('\n')]).toEqual([1, '', [expect.any(String)]])
  expect(again.stderr).not.toContain(token)

  expect(await device('revoke', 'Side door')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  expect(await statuses(token)).toEqual([401, 401])
  for (const { origin } of processes) {
    const reply = await fetch(`${origin}/scanner/tickets/${ticket}/redemption`, {
      method: 'POST',
      headers: authorized(token),
    })
    expect([reply.status, await reply.json()]).toEqual([401, { error: 'Authentication required', revoked: true }])
  }
  expect(await device('revoke', 'Side door')).toMatchObject({ code: 1, stdout: '' })

  const renewed = (await device('pair', 'Side door')).stdout.trim()
  expect(renewed).not.toBe(token)
  expect(await statuses(renewed)).toEqual([200, 200])
  expect(await statuses(token)).toEqual([401, 401])
})
