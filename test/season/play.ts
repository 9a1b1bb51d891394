import { randomOf } from '../kit/seed.ts'
import { openBuyers } from '../kit/venue/sales/buyers.ts'
import { openProvider } from '../kit/venue/sales/provider.ts'
import { openGuests } from './guests.ts'
import { type House, type SeasonEvent, openHouse } from './house.ts'
import { type Installation } from './installation.ts'
import { sumUpNextDoor } from './invariants.ts'
import { openCrew, openStaff, openTreasurer } from './office.ts'
import { openDoors } from './phones.ts'
import { openTroubles } from './troubles.ts'

export interface SeasonSize {
  events: number
  /** For each event. */
  buyers: number
  acts: number
  troubles: number
}

const BUYERS_AT_ONCE = 8

const manyAtOnce = async (count: number, atOnce: number, act: (n: number) => Promise<unknown>) => {
  let next = 0
  const lane = async () => {
    for (let n = next++; n < count; n = next++) await act(n)
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

/** One event after the other: its tickets are sold in a rush while the house works, then it takes place. */
export const playSeason = async (installation: Installation, size: SeasonSize, purpose: string) => {
  const house = await openHouse(installation, size.events, size.buyers)
  const random = randomOf(purpose)
  const nextDoor = await sumUpNextDoor(house)
  const provider = openProvider(house, random)
  const actors = [openCrew, openTreasurer, openStaff].map((open) => open(house, random))
  const guests = openGuests(house, random)
  const letIn = openDoors(house, random)
  const troubles = openTroubles(house, random)
  await manyAtOnce(3, 1, () => actors[1]!())

  for (const [n, event] of house.events.entries()) {
    const buy = openBuyers(floorOf(house, event), provider, random)
    const rush = manyAtOnce(size.buyers, BUYERS_AT_ONCE, (buyer) => buy(n * size.buyers + buyer))
    const days = manyAtOnce(size.acts, 3, async () => {
      await (random() < 0.6 ? guests(event) : actors[Math.floor(random() * actors.length)]!())
    })
    await troubles.beside(size.troubles, Promise.all([rush, days]))
    await house.moveClock('20 minutes')
    await house.settle()
    await house.moveClock('2 days')
    await house.startDueJobs()
    await house.moveClock('23 hours')
    await troubles.beside(Math.ceil(size.troubles / 2), letIn(event))
    await house.moveClock('6 days')
    await house.settle()
  }
  await comeToRest(house, provider)
  return { house, nextDoor, happened: troubles.happened }
}

/** What buyers meet of one event; each carries another phone at the door. */
const floorOf = (house: House, { slug, facts }: SeasonEvent) => ({
  ...house,
  slug,
  tickets: facts.tickets,
  areas: facts.standing_areas,
  doorToken: house.phoneTokens[9]!,
})

/** What is under way comes to its end by itself, within hours, and transfers within days. */
const comeToRest = async (house: House, provider: ReturnType<typeof openProvider>) => {
  await provider.finishAll()
  for (const interval of ['20 minutes', '20 minutes', '20 minutes', '8 days', '20 minutes', '20 minutes']) {
    await house.moveClock(interval)
    await house.settle()
  }
}
