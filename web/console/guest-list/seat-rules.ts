import type { Schemas } from '../../api/client.ts'
import type { TicketOption } from './rules.ts'

type Place = Schemas['Place']

/** Free seats that stand beside each other, with nobody between them. */
export type SeatRun = readonly number[]

/**
 * The free seats of a ticket as they stand in their rows. Wheelchair and companion places are given by hand. Who may not
 * see the plan knows the free seats alone, in their order.
 */
export const freeRunsOf = (option: TicketOption, plan: readonly Place[] | undefined): SeatRun[] => {
  const free = new Map(option.available_places.map(({ key, id }) => [key, id]))
  if (!plan) return [[...free.values()]]
  const rows = Map.groupBy(plan, ({ section, row }) => JSON.stringify([section, row]))
  return [...rows.values()].flatMap((row) => {
    const runs: number[][] = [[]]
    for (const { key, accessibility } of row) {
      const id = free.get(key)
      if (id !== undefined && accessibility === null) runs.at(-1)!.push(id)
      else runs.push([])
    }
    return runs.filter((run) => run.length > 0)
  })
}

/** Takes seats out of the runs, which fall apart where they were. */
export const withoutSeats = (runs: readonly SeatRun[], taken: ReadonlySet<number>): SeatRun[] =>
  runs.flatMap((run) => {
    const parts: number[][] = [[]]
    for (const id of run) {
      if (taken.has(id)) parts.push([])
      else parts.at(-1)!.push(id)
    }
    return parts.filter((part) => part.length > 0)
  })

/**
 * Seats for parties of these sizes, beside each other where the house has that: in the shortest row that is long enough,
 * the largest parties first, so that few gaps are left. Whoever finds no seats gets none.
 */
export const giveSeats = (runs: readonly SeatRun[], sizes: readonly number[]): SeatRun[] => {
  let left = runs
  const given: SeatRun[] = sizes.map(() => [])
  const largestFirst = sizes.map((size, n) => ({ size, n })).toSorted((one, other) => other.size - one.size)
  for (const { size, n } of largestFirst) {
    const seats = seatsFor(left, size)
    given[n] = seats
    left = withoutSeats(left, new Set(seats))
  }
  return given
}

const seatsFor = (runs: readonly SeatRun[], size: number): SeatRun => {
  const fitting = runs.filter((run) => run.length >= size)
  const least = Math.min(...fitting.map((run) => run.length))
  const best = fitting.find((run) => run.length === least)
  if (best) return best.slice(0, size)
  // Then in as few pieces as possible.
  const apart = runs
    .toSorted((one, other) => other.length - one.length)
    .flat()
    .slice(0, size)
  return apart.length === size ? apart : []
}
