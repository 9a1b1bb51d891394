import { setTimeout as delay } from 'node:timers/promises'
import type { Manners } from '../kit/network/stripe-listener.ts'
import { pickBy, shuffledBy } from '../kit/seed.ts'
import type { House } from './house.ts'

const MANNERS: readonly Manners[] = ['reset', 'error', 'busy', 'deaf', 'garbage', 'html', 'nonsense']

/** Whatever can be taken away from an installation is, one after the other and each for a while. */
export const openTroubles = (house: House, random: () => number) => {
  const { wire, mailWire, disk, stripe, cluster } = house
  const aWhile = () => delay(150 + random() * 350)

  const troubles = {
    'the server is killed': () => house.killServer(),
    'the database crashes': async () => {
      await cluster.crash()
      await aWhile()
      await cluster.comeBack()
    },
    'the line to the database is cut': async () => {
      wire.refuse()
      await aWhile()
      wire.mend()
      wire.reset()
    },
    'the mail server is away': async () => {
      mailWire.refuse()
      await house.startDueJobs()
      await aWhile()
      mailWire.mend()
    },
    'the payment provider is out of its mind': async () => {
      stripe.manners = pickBy(random, MANNERS)
      await aWhile()
      stripe.manners = 'well'
    },
    'the disk is full': async () => {
      disk.fill()
      await aWhile()
      disk.free()
    },
  }
  const names = Object.keys(troubles) as (keyof typeof troubles)[]
  let order: (keyof typeof troubles)[] = []
  const happened: string[] = []

  return {
    happened,
    /** So many of them beside the work, each kind before any comes again. */
    beside: async (count: number, work: Promise<unknown>): Promise<void> => {
      // Looked at in the end; until then a failure must not pass for one that nobody handles.
      work.catch(() => {})
      for (let n = 0; n < count; n++) {
        await delay(200 + random() * 400)
        if (order.length === 0) order = shuffledBy(random, names)
        const name = order.pop()!
        happened.push(name)
        await troubles[name]()
      }
      await work
    },
  }
}
