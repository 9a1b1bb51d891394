import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { collectGarbage } from '../kit/process/collect-garbage.ts'
import { SEED } from '../kit/seed.ts'
import { askSettled } from './ask.ts'
import { LIMITS, boundCost } from './cost.ts'
import { expensiveRequests } from './expensive.ts'
import { settle } from './settle.ts'
import { openStage } from './stage.ts'

/** The full run asks for a quarter of its requests here. */
const REQUESTS = Math.ceil(Number(process.env['FOYER_FUZZ_REQUESTS'] ?? 2400) / 4)
const LOOK_EVERY = 150
const REQUESTS_PER_STAGE = 2400

test(
  'whatever is made to be expensive costs no more than its size',
  async () => {
    const requests = expensiveRequests(SEED)
    let stage = await openStage()
    for (let asked = 0; asked < REQUESTS; asked++) {
      if (asked % REQUESTS_PER_STAGE === REQUESTS_PER_STAGE - 1) stage = await openStage()
      else if (asked % LOOK_EVERY === LOOK_EVERY - 1) await stage.look()
      const { name, request } = requests[asked % requests.length]!
      const question = settle(stage, request)
      await boundCost(`FOYER_SEED=${SEED} ${name}`, () => askSettled(stage, request, question))
    }
    expect(stage.venue.logged.filter((line) => line.includes('failed unexpectedly'))).toEqual([])
  },
  60_000 + REQUESTS * 300,
)

const MEGABYTE = Buffer.alloc(1024 * 1024)

test('control: work that costs too much is noticed, each time of three; work that did once is not', async () => {
  const busyFor = (ms: number) => {
    const spent = () => process.cpuUsage(start).user + process.cpuUsage(start).system
    const start = process.cpuUsage()
    while (spent() < ms * 1_000) createHash('sha256').update(MEGABYTE).digest()
  }
  const limits = { ...LIMITS, cpuMs: 300 }
  let times = 0
  await expect(boundCost('This', async () => (times++, busyFor(320)), limits)).rejects.toThrow(/This costs too much/)
  expect(times).toBe(3)

  times = 0
  await boundCost('This', async () => times++ === 0 && busyFor(320), limits)
  expect(times).toBe(2)

  // What is collected while it works would hide as much of what it takes.
  collectGarbage()
  const held: Buffer[] = []
  const hold = async () => held.push(Buffer.alloc(400 * 1024 * 1024, 1))
  await expect(boundCost('This', hold)).rejects.toThrow(/"megabytes":[34]\d\d/)
  expect(held).toHaveLength(3)
}, 60_000)
