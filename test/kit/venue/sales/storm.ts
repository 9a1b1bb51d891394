import { setTimeout as delay } from 'node:timers/promises'
import { SEED } from '../../seed.ts'
import type { Sales } from './house.ts'
import type { Provider } from './provider.ts'

const AT_ONCE = 16
const AT_ONCE_IN_LONG = 64
/** So many checkouts are a long storm. */
const LONG = 1_000

/** How fast time goes by. */
interface Pace {
  tick: string
  buyersPerTick: number
}
/** By itself a hold lasts for nearly five times as many buyers as come at once. */
const paceOf = (atOnce: number): Pace => ({ tick: '4 minutes', buyersPerTick: atOnce * 1.25 })

/** So many buyers, always some of them at once, while the clock goes on and everything that is due happens. */
export const sellTo = async (
  sales: Sales,
  checkouts: number,
  buy: (n: number) => Promise<void>,
  pace?: Pace,
): Promise<void> => {
  const atOnce = checkouts < LONG ? AT_ONCE : AT_ONCE_IN_LONG
  const { tick, buyersPerTick } = pace ?? paceOf(atOnce)
  let next = 0
  const failed = new AbortController()
  const buyers = Array.from({ length: atOnce }, async () => {
    while (next < checkouts) await buy(next++)
  })
  const clock = async () => {
    let ticks = 0
    while (!failed.signal.aborted && ticks * buyersPerTick < checkouts) {
      if (next < Math.min(checkouts, (ticks + 1) * buyersPerTick)) {
        await delay(10)
        continue
      }
      ticks++
      await sales.letPass(tick)
    }
  }
  const buying = Promise.all(buyers).catch((error: unknown) => {
    failed.abort()
    throw error
  })
  await Promise.all([buying, clock()])
}

/** Nobody buys any more: what is under way comes to its end by itself, within hours, and transfers within days. */
export const comeToRest = async (sales: Sales, provider: Provider): Promise<void> => {
  await provider.finishAll()
  for (const interval of ['20 minutes', '20 minutes', '20 minutes', '8 days', '20 minutes', '20 minutes']) {
    await sales.letPass(interval)
  }
}

export const toRepeat = (knob: string, count: number) => `to repeat: FOYER_SEED=${SEED} ${knob}=${count}`
