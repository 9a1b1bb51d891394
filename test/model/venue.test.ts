import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkAll } from '../kit/database/consistency.ts'
import { ACTS } from './acts.ts'
import { compare } from './compare.ts'
import { requireInvariants } from './invariants.ts'
import type { Act } from './outcome.ts'
import { type Scene, openScene } from './scene.ts'

/** How many evenings are played; the full run plays thousands. */
const RUNS = Number(process.env['FOYER_MODEL_RUNS'] ?? 4)
const CROWDED_RUNS = Math.ceil(RUNS / 2)
const SEED = Number(process.env['FOYER_SEED'] ?? 1)
const ACTS_MOST = 150
const AT_ONCE = 6
const COMPARE_EVERY = 40

const number = fc.nat({ max: 999 })

/** What fills Foyer is done more often than what empties it. */
const OFTEN = [
  'addParty',
  'addParty',
  'signUp',
  'signUp',
  'approve',
  'moveSeat',
  'issueVoucher',
  'reserve',
  'createTask',
]
const kind = fc.constantFrom(...Object.keys(ACTS), ...OFTEN)
const act: fc.Arbitrary<Act> = fc.record(
  { kind, actor: number, a: number, b: number, c: number },
  { noNullPrototype: true },
)
const evening = fc.array(act, { minLength: 1, maxLength: ACTS_MOST, size: 'max' })

/** What was answered to what, over all evenings. */
const heard = new Set<string>()

/** Evenings on which nothing runs short, comes too late or is forbidden would prove little. */
const MUST_BE_HEARD = [
  'addParty 201',
  'addParty 422',
  'buy false',
  'cancelParty 422',
  'moveSeat 422',
  'signUp 201 approved',
  'signUp 201 pending',
  'approve 200',
  'redeem 200',
  'redeem 422',
  'moveTask 200',
  'moveTask 409',
  'changeRole 403',
  'reserve true',
]

const play = async (scene: Scene, acts: readonly Act[]) => {
  for (const [n, each] of acts.entries()) {
    const outcome = await ACTS[each.kind]!(scene, each)
    if (!outcome) continue
    expect(outcome.told, `act ${n}: ${JSON.stringify(each)} ${outcome.said ?? ''}`).toEqual(outcome.foretold)
    heard.add(`${each.kind} ${String(outcome.told)}`)
    if (outcome.isDone) outcome.apply?.()
    if (n % COMPARE_EVERY === COMPARE_EVERY - 1) await compare(scene)
  }
  await compare(scene)
}

test(
  'whatever happens on an evening, the house says what a simple model of it says',
  async () => {
    const property = fc.asyncProperty(evening, async (acts) => play(await openScene(), acts))
    await fc.assert(property, { seed: SEED, numRuns: RUNS, unbiased: true })
    expect(MUST_BE_HEARD.filter((each) => !heard.has(each))).toEqual([])
  },
  60_000 + RUNS * 20_000,
)

/** Everybody at once: who comes first is left to chance, so that only what must always hold is asked. */
const playAtOnce = async (scene: Scene, acts: readonly Act[]) => {
  const entries = new Map<string, Set<string>>()
  let next = 0
  const lane = async () => {
    for (let each = acts[next++]; each; each = acts[next++]) {
      const outcome = await ACTS[each.kind]!(scene, each)
      if (!outcome) continue
      if (typeof outcome.told === 'number') expect(outcome.told, outcome.said).toBeLessThan(500)
      if (outcome.isDone) outcome.apply?.()
      for (const { guest, scan } of outcome.letIn ?? []) {
        entries.set(guest, (entries.get(guest) ?? new Set()).add(scan))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  for (const [guest, scans] of entries) expect([...scans], `${guest} came in twice`).toHaveLength(1)
  await requireInvariants(scene)
}

test(
  'however many act at once, nothing is given twice, nothing is over its bound, and every counter is right',
  async () => {
    const crowd = fc.array(act, { minLength: 60, maxLength: 160, size: 'max' })
    const property = fc.asyncProperty(crowd, async (acts) => playAtOnce(await openScene(), acts))
    await fc.assert(property, { seed: SEED, numRuns: CROWDED_RUNS, unbiased: true })
  },
  60_000 + RUNS * 20_000,
)

const party = (n: number): Act => ({ kind: 'addParty', actor: 0, a: 0, b: n, c: 0 })

test('control: a counter that is off by one does not go unnoticed', async () => {
  const scene = await openScene()
  await play(scene, [party(0), party(1)])
  const { pool } = scene.venue.app.database
  const change = 'update tickets set claimed_count = claimed_count + $1 where account_id = $2 and id = $3'
  const ofTicket = (by: number) => pool.query(change, [by, scene.venue.report.account.id, scene.tickets['ga']])

  await ofTicket(1)
  await expect(compare(scene)).rejects.toThrow('to deeply equal')
  expect(await checkAll(scene.venue.app)).toHaveLength(1)
  await ofTicket(-1)
  await compare(scene)
})

test('control: a house that lets one more in than the model is caught', async () => {
  const scene = await openScene()
  await scene.venue.app.database.pool.query('update tickets set stock = stock + 1 where account_id = $1 and id = $2', [
    scene.venue.report.account.id,
    scene.tickets['ga'],
  ])
  await expect(
    play(
      scene,
      Array.from({ length: 20 }, () => party(0)),
    ),
  ).rejects.toThrow('act')
})
