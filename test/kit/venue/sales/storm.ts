import { setTimeout as delay } from 'node:timers/promises'
import { SEED } from '../../seed.ts'
import type { Sales } from './house.ts'
import type { Provider } from './provider.ts'

const AT_ONCE = 16

/** How fast time goes by. By itself a hold lasts for some eighty buyers. */
interface Pace {
  tick: string
  buyersPerTick: number
}
const PACE: Pace = { tick: '4 minutes', buyersPerTick: 20 }

/** So many buyers, always some of them at once, while the clock goes on and everything that is due happens. */
export const sellTo = async (
  sales: Sales,
  checkouts: number,
  buy: (n: number) => Promise<void>,
  { tick, buyersPerTick }: Pace = PACE,
): Promise<void> => {
  let next = 0
  const failed = new AbortController()
  const buyers = Array.from({ length: AT_ONCE }, async () => {
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
