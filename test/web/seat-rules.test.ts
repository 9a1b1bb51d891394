import { expect, test } from 'vitest'
import { freeRunsOf, giveSeats, withoutSeats } from '../../web/console/guest-list/seat-rules.ts'
import type { TicketOption } from '../../web/console/guest-list/rules.ts'

const place = (id: number, row: string, more: object = {}) => ({
  id,
  key: `${row}-${id}`,
  label: `Row ${row} Seat ${id}`,
  section: null,
  row,
  seat: String(id),
  ticket_id: 1,
  accessibility: null,
  pair: null,
  blocked: false,
  claimed: false,
  ...more,
})

/** A plan, and of it the places that are free. */
const optionOf = (plan: readonly ReturnType<typeof place>[], taken: readonly number[]): TicketOption => ({
  id: 1,
  title: 'Seat',
  inventory_kind: 'places',
  available_stock: plan.length - taken.length,
  unlimited_stock: false,
  standing_areas: [],
  available_places: plan.filter(({ id }) => !taken.includes(id)).map(({ id, key, label }) => ({ id, key, label })),
})

test('a run ends where somebody sits, where a row ends and at a wheelchair place', () => {
  const plan = [
    ...[1, 2, 3, 4].map((id) => place(id, 'A')),
    ...[5, 6].map((id) => place(id, 'B')),
    place(7, 'B', { accessibility: 'wheelchair' }),
    place(8, 'B'),
  ]
  expect(freeRunsOf(optionOf(plan, [2]), plan)).toEqual([[1], [3, 4], [5, 6], [8]])
  // Without the plan nothing is known but their order.
  expect(freeRunsOf(optionOf(plan, [2]), undefined)).toEqual([[1, 3, 4, 5, 6, 7, 8]])
  expect(withoutSeats([[3, 4, 5], [6]], new Set([4, 6]))).toEqual([[3], [5]])
})

test('parties sit beside each other, the largest are served first, and short rows are filled up', () => {
  expect(giveSeats([[1, 2, 3, 4, 5], [6, 7], [8]], [1, 2, 5])).toEqual([[8], [6, 7], [1, 2, 3, 4, 5]])
  expect(giveSeats([[1, 2, 3, 4]], [2, 2])).toEqual([
    [1, 2],
    [3, 4],
  ])
})

test('where no row is long enough a party sits in few pieces, and where there is no room it gets nothing', () => {
  expect(giveSeats([[1], [2, 3], [4]], [3])).toEqual([[2, 3, 1]])
  expect(giveSeats([[1], [2]], [3, 1])).toEqual([[], [1]])
  expect(giveSeats([], [1])).toEqual([[]])
})
