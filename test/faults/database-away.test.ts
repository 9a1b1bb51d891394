import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { openEventStream } from '../kit/network/event-stream.ts'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, isHealthy, startFoyer } from '../kit/process/foyer-process.ts'
import { loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'
import { randomOf } from '../kit/seed.ts'

/** The full run does it many times. */
const ROUNDS = Number(process.env['FOYER_FAULT_ROUNDS'] ?? 1)
const TOLD_WITHIN_MS = 15_000
const BACK_WITHIN_MS = 6_000

let far: Awaited<ReturnType<typeof openFarDatabase>>
let foyer: FoyerProcess

beforeAll(async () => {
  far = await openFarDatabase('away')
  foyer = await startFoyer(far.environment)
})

afterAll(async () => {
  await foyer.end()
  await far.close()
})

test(
  'on a wire that is slow, cut, reset and gone by turns a night is scanned without a loss',
  { timeout: 60_000 + ROUNDS * 60_000 },
  async () => {
    const { proxy, environment } = far
    for (let round = 0; round < ROUNDS; round++) {
      const random = randomOf(`bad wire ${round}`)
      const night = await loadNight(environment, `bad-wire-${round}`, 240)
      const scanning = scanAll(() => foyer.origin, night)
      const steps: (() => Promise<void> | void)[] = [
        () => proxy.slowDown(5 + Math.floor(random() * 20)),
        () => proxy.slowDown(0),
        () => proxy.cut(),
        () => proxy.reset(),
        async () => {
          proxy.refuse()
          await delay(300 + random() * 700)
          proxy.mend()
        },
        () => proxy.reset(),
      ]
      for (const [n, step] of steps.entries()) {
        await progressed(scanning, n * 30 + Math.floor(random() * 20))
        await step()
      }
      await scanning.done
      expect(scanning.slowestMs()).toBeLessThan(TOLD_WITHIN_MS)
      await requireEverybodyIn(foyer.origin, night, scanning.results)
    }
    expect(foyer.child.exitCode).toBeNull()
  },
)

test('live boards and what is remembered of shops are right again at the first answer', async () => {
  const { proxy, beside, environment } = far
  const night = await loadNight(environment, 'remembered', 4)
  const headers = { authorization: `Bearer ${night.office}`, 'content-type': 'application/json' }
  const stream = await openEventStream(`${foyer.origin}/admin/tasks/stream`, headers)
  expect((await stream.next()).event).toBe('ready')

  const addTask = async (name: string) => {
    const made = await fetch(`${foyer.origin}/admin/tasks`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ task: { title: name } }),
    })
    expect(made.status).toBe(201)
    return ((await made.json()) as { id: unknown }).id
  }
  const heard = async () => {
    let said = await stream.next()
    while (said.event !== 'task') said = await stream.next()
    return said.data
  }

  const title = async () => {
    const reply = await askAtHost(foyer.origin, '/events/winter-ball', {
      method: 'GET',
      headers: { host: night.shopHost, accept: 'application/json' },
    })
    const body = (await reply.json()) as { title: string }
    return reply.status === 200 ? body.title : reply.status
  }
  expect([await title(), await title()]).toEqual(['Winter Ball', 'Winter Ball'])
  // Who has written something here asks; else what others change may be on its way for a moment.
  const before = await addTask('Before')
  expect(await heard()).toEqual({ kind: 'created', task_id: before })

  const harms = [() => proxy.cut(), () => proxy.reset(), () => proxy.swallow(), () => proxy.refuse()]
  for (const [n, harm] of harms.entries()) {
    harm()
    // Another process changes what is remembered here, and nobody can be told of it.
    await beside.query('update events set title = $1 where account_id = $2', [`Ball ${n}`, night.report.account.id])
    const seen: unknown[] = []
    const asking = (async () => {
      do seen.push(await title())
      while (seen.at(-1) === 503)
    })()
    await delay(400)
    // What was swallowed is dead; in the full run of silence it is found out without being told.
    if (n === 2) proxy.reset()
    proxy.mend()
    await asking
    expect(seen.filter((each) => each !== 503)).toEqual([`Ball ${n}`])

    await vi.waitFor(async () => expect(await isHealthy(foyer.origin)).toBe(true), { timeout: BACK_WITHIN_MS })
    const id = await addTask(`After ${n}`)
    expect(await heard()).toEqual({ kind: 'created', task_id: id })
  }
  await stream.close()
})
