import { rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { type Phone, openPhone, pairPhone, waitForServiceWorker } from '../kit/browser/phone.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { databaseFolder } from '../kit/database/folders.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'
import { randomOf } from '../kit/seed.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'

/** The full run takes ten phones and five thousand guests. */
const GUESTS = Number(process.env['FOYER_EVENING_GUESTS'] ?? 40)
const PHONES = Number(process.env['FOYER_EVENING_PHONES'] ?? 3)
const TIMEOUT_MS = 120_000 + GUESTS * 2_000

let folder: string
let environment: Record<string, string>
let foyer: FoyerProcess
let browser: Browser

beforeAll(async () => {
  await buildFronts()
  folder = await databaseFolder('door-evening')
  environment = {
    FOYER_DATA: folder,
    FOYER_RATE_LIMITS: 'off',
    BASE_URL: CONSOLE,
    // The phones know it under one address, however often it is started.
    PORT: String(await freePort()),
  }
  foyer = await startFoyer(environment)
  browser = await openBrowserAt(foyer)
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await foyer?.end()
  await rm(folder, { recursive: true, force: true })
})

/** What a steward saw. */
interface Seen {
  phone: number
  publicId: string
  verdict: string
  /** What the screen said. */
  text: string
}

const ask = async (token: string, path: string, body?: unknown) => {
  const response = await fetch(foyer.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  return (await response.json()) as Record<string, any>
}

interface Steward {
  phone: Phone
  queue: string[]
  isOffline: boolean
}

/** Every guest at a random phone; every eighth ticket is shown again, here or elsewhere. */
const lineUp = (random: () => number, tickets: readonly string[], stewards: readonly Steward[]) => {
  const anyone = () => stewards[Math.floor(random() * stewards.length)]!
  for (const ticket of tickets) anyone().queue.push(ticket)
  for (const ticket of tickets) if (random() < 1 / 8) anyone().queue.push(ticket)
}

interface Misfortune {
  /** How likely at each scan. */
  cut: number
  kill: number
  beforeKill?: (phone: Phone) => Promise<void>
}

interface Evening {
  seen: Seen[]
  /** Scanned by a phone that was killed before its verdict was read. */
  unread: Set<string>
}

const scanEvening = async (
  random: () => number,
  stewards: Steward[],
  { cut, kill, beforeKill }: Misfortune,
): Promise<Evening> => {
  const evening: Evening = { seen: [], unread: new Set() }
  const work = async (steward: Steward, number: number) => {
    while (steward.queue.length > 0) {
      const publicId = steward.queue.shift()!
      const chance = random()
      if (chance < cut) {
        steward.isOffline = !steward.isOffline
        await steward.phone.context.setOffline(steward.isOffline)
      } else if (chance < cut + kill) {
        // In the middle of a scan: whoever saw no verdict scans again.
        evening.unread.add(publicId)
        await steward.phone.type(publicId)
        await beforeKill?.(steward.phone)
        steward.phone = await steward.phone.reopen()
      }
      const verdict = await steward.phone.scan(publicId)
      const text = await steward.phone.page.locator('[data-verdict]').innerText()
      evening.seen.push({ phone: number, publicId, verdict, text })
      if (evening.seen.length % 500 === 0) console.info(`${evening.seen.length} verdicts`)
    }
  }
  await Promise.all(stewards.map(work))
  return evening
}

const openEvening = async (name: string, guests: number): Promise<{ night: Night; stewards: Steward[] }> => {
  const night = await loadNight(environment, name, guests)
  const pairing = await ask(night.office, '/admin/device_pairings', { device_pairing: { name: 'Gate', uses: PHONES } })
  const stewards: Steward[] = []
  for (let n = 0; n < PHONES; n++) {
    const phone = await openPhone(browser, {}, 60_000)
    await pairPhone(phone, pairing['pairing_secret'], guests)
    await waitForServiceWorker(phone.page)
    stewards.push({ phone, queue: [], isOffline: false })
  }
  return { night, stewards }
}

interface Conflict {
  ticket_public_id: string
  device: string
  redeemed_by: string | null
}

interface Logged {
  public_id: string
  kind: string
  result: string
  client_id: string | null
  scanner: { name: string }
}

const readWholeLog = async ({ office }: Night): Promise<Logged[]> => {
  const all: Logged[] = []
  for (let page: number | null = 1; page !== null;) {
    const { attempts, next_page } = await ask(office, `/scanner/events/winter-ball/attempts?page=${page}`)
    all.push(...(attempts as Logged[]))
    page = next_page
  }
  return all
}

const everybodyBack = async (stewards: readonly Steward[]) => {
  for (const { phone } of stewards) {
    await phone.context.setOffline(false)
    await expect.poll(() => phone.queue(), { timeout: 60_000, interval: 200 }).toBe(0)
  }
}

/** The rules of a door that did not hold this evening. */
const brokenRules = async (night: Night, { seen, unread }: Evening) => {
  const log = await readWholeLog(night)
  const { conflicts } = await ask(night.office, '/admin/events/winter-ball/night')
  const shown = Map.groupBy(conflicts as Conflict[], ({ ticket_public_id }) => ticket_public_id)
  const accepted = Map.groupBy(
    log.filter(({ result }) => result === 'accepted'),
    ({ public_id }) => public_id,
  )
  const letIn = Map.groupBy(
    seen.filter(({ verdict }) => verdict === 'in'),
    ({ publicId }) => publicId,
  )
  const countOf = (id: string, kind: string) => (accepted.get(id) ?? []).filter((each) => each.kind === kind).length
  /**
   * The phone was killed when the server had let them in, heard no answer when they were scanned again, and knew from its
   * tickets that somebody is in: it refuses them, and takes the entry back.
   */
  const isTurnedAway = (id: string) =>
    unread.has(id) && !letIn.has(id) && seen.some(({ publicId, verdict }) => publicId === id && verdict === 'already')
  const rules: Record<string, (publicId: string) => boolean> = {
    'everybody who came is in, once': (id) =>
      countOf(id, 'entry') - countOf(id, 'annulment') === (isTurnedAway(id) && countOf(id, 'annulment') > 0 ? 0 : 1),
    'whoever came saw that they may come in': (id) => letIn.has(id) || unread.has(id),
    'no phone lets the same ticket in twice': (id) => {
      const phones = (letIn.get(id) ?? []).map(({ phone }) => phone)
      return new Set(phones).size === phones.length
    },
    'who was let in by two phones is a conflict': (id) => (letIn.get(id) ?? []).length < 2 || shown.has(id),
    'a conflict is of two phones, one of which was blind': (id) =>
      (shown.get(id) ?? []).every(({ device, redeemed_by }) => device !== redeemed_by) &&
      (!shown.has(id) || (letIn.get(id) ?? []).length > 1 || unread.has(id)),
  }
  const broken = Object.entries(rules).flatMap(([rule, holds]) => {
    const without = night.tickets.filter((id) => !holds(id))
    if (without.length > 0)
      console.info(
        rule,
        log.filter(({ public_id }) => without.includes(public_id)),
      )
    return without.length > 0 ? rule : []
  })
  const wrong = seen.filter(({ verdict }) => verdict !== 'in' && verdict !== 'already')
  if (wrong.length > 0) {
    console.info('every ticket is good', wrong)
    broken.push('every ticket is good')
  }
  // A scan that was cut off and done again is one attempt.
  if (log.length < seen.length) broken.push('every scan is on the server')
  if (new Set(log.map(({ client_id }) => client_id)).size !== log.length) broken.push('every scan is there once')
  if ((await runFoyer(['audit'], environment)).stdout !== '') broken.push('every counter agrees with its rows')
  return {
    broken,
    attempts: log.length,
    conflicts: shown.size,
    twice: Array.from(letIn.values()).filter((all) => all.length > 1).length,
  }
}

/** Once in a while the server goes away, politely or not, and comes back, until the evening is over. */
const restartServer = async (random: () => number, evening: Promise<unknown>) => {
  const over = evening.then(
    () => true,
    () => true,
  )
  let restarts = 0
  for (;;) {
    const pause = 1_000 + random() * Math.min(4_000 + GUESTS * 10, 30_000)
    const isOver = await Promise.race([over, setTimeout(pause, false)])
    if (isOver && restarts > 0) break
    await foyer.end(random() < 0.5 ? 'SIGKILL' : 'SIGTERM')
    foyer = await startFoyer(environment)
    restarts++
  }
  return restarts
}

test(
  'an evening at the door: everybody is let in as the rules say, and every scan is on the server in the end',
  { timeout: TIMEOUT_MS },
  async () => {
    const random = randomOf('an evening at the door')
    const { night, stewards } = await openEvening('evening', GUESTS)
    lineUp(random, night.tickets, stewards)
    const startedAt = Date.now()
    const scanning = scanEvening(random, stewards, { cut: 0.08, kill: 0.05 })
    const restarts = await restartServer(random, scanning)
    const evening = await scanning
    await everybodyBack(stewards)
    const { broken, attempts, conflicts, twice } = await brokenRules(night, evening)
    expect(broken).toEqual([])
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    console.info(
      `${GUESTS} guests, ${PHONES} phones, ${evening.unread.size} killed in a scan, ${restarts} restarts, ${minutes} min: ${evening.seen.length} verdicts, ${attempts} attempts, ${twice} let in by two blind phones, ${conflicts} conflicts`,
    )
    await Promise.all(stewards.map(({ phone }) => phone.close()))
  },
)

/** Not even its last word before it closes gets out. */
const forgetQueue = (phone: Phone) =>
  phone.page.evaluate<void>(`new Promise((resolve) => {
    window.fetch = () => Promise.reject(new TypeError('gone'))
    const asked = indexedDB.open('foyer-door')
    asked.onsuccess = () => {
      const clearing = asked.result.transaction('scans', 'readwrite')
      clearing.objectStore('scans').clear()
      clearing.oncomplete = () => resolve()
    }
  })`)

test('control: phones that forget their queue when they are killed break the rules', { timeout: 180_000 }, async () => {
  const { night, stewards } = await openEvening('forgetful', 12)
  for (const steward of stewards) {
    await steward.phone.context.setOffline(true)
    steward.queue.push(...night.tickets.slice(0, 3))
  }
  const evening = await scanEvening(() => 0, stewards, { cut: 0, kill: 1, beforeKill: forgetQueue })
  await everybodyBack(stewards)
  const { broken } = await brokenRules(night, evening)
  expect(broken).toContain('everybody who came is in, once')
  expect(broken).toContain('every scan is on the server')
  await Promise.all(stewards.map(({ phone }) => phone.close()))
})
