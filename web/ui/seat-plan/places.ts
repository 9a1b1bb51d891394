/** What can be seen of a place on a plan. */
export type PlaceState = 'free' | 'blocked' | 'claimed'

/** A numbered place, as whoever shows a plan knows it. */
export interface PlanPlace {
  key: string
  label: string
  section: string | null
  row: string | null
  seat: string | null
  state: PlaceState
  accessibility?: 'wheelchair' | 'companion' | null
  /** Of the ticket that it is sold with. */
  color?: string | undefined
  /** Where it is, in widths of a seat; only where all places say so. */
  x?: number
  y?: number
}

export interface PlacedSeat {
  place: PlanPlace
  x: number
  y: number
}

export interface PlacedRow {
  id: string
  name: string | null
  y: number
  left: number
  seats: readonly PlacedSeat[]
}

export interface PlacedSection {
  name: string | null
  y: number
  rows: readonly PlacedRow[]
}

export interface PlanLayout {
  width: number
  height: number
  sections: readonly PlacedSection[]
}

/** A seat and the gap beside it. */
export const SEAT_PITCH_PX = 22
const ROW_LABEL = 40
const SECTION_GAP = 20
const SECTION_HEAD = 30

/** In the order in which the places come: sections beneath each other, rows of a section one behind the other, centred. */
export const layOutPlaces = (places: readonly PlanPlace[]): PlanLayout =>
  places.length > 0 && places.every(({ x, y }) => x !== undefined && y !== undefined)
    ? layOutAsMeasured(places)
    : layOutInRows(places)

const layOutInRows = (places: readonly PlanPlace[]): PlanLayout => {
  const sections = Map.groupBy(places, ({ section }) => section)
  const rowsOf = new Map(Array.from(sections, ([name, own]) => [name, Map.groupBy(own, ({ row }) => row)]))
  const lengths = Array.from(rowsOf.values()).flatMap((rows) => Array.from(rows.values(), (row) => row.length))
  const longest = Math.max(1, ...lengths)
  let y = 0
  const placed = Array.from(rowsOf, ([name, rows]): PlacedSection => {
    const top = y
    if (name !== null) y += SECTION_HEAD
    const drawn = Array.from(rows, ([row, own]): PlacedRow => {
      const left = ROW_LABEL + ((longest - own.length) * SEAT_PITCH_PX) / 2
      const at = y
      y += SEAT_PITCH_PX
      return {
        id: JSON.stringify([name, row]),
        name: row,
        y: at,
        left,
        seats: own.map((place, n) => ({ place, x: left + n * SEAT_PITCH_PX, y: at })),
      }
    })
    y += SECTION_GAP
    return { name, y: top, rows: drawn }
  })
  return {
    width: longest * SEAT_PITCH_PX + 2 * ROW_LABEL,
    height: Math.max(SEAT_PITCH_PX, y - SECTION_GAP),
    sections: placed,
  }
}

const layOutAsMeasured = (places: readonly PlanPlace[]): PlanLayout => {
  const left = Math.min(...places.map(({ x }) => x!))
  const top = Math.min(...places.map(({ y }) => y!))
  const seats = places.map((place) => ({
    place,
    x: ROW_LABEL + (place.x! - left) * SEAT_PITCH_PX,
    y: (place.y! - top) * SEAT_PITCH_PX,
  }))
  const rows = Array.from(
    Map.groupBy(seats, ({ place: { section, row } }) => JSON.stringify([section, row])),
    ([id, own]): PlacedRow => ({
      id,
      name: own[0]!.place.row,
      y: own[0]!.y,
      left: Math.min(...own.map(({ x }) => x)),
      seats: own,
    }),
  )
  return {
    width: Math.max(...seats.map(({ x }) => x)) + SEAT_PITCH_PX + ROW_LABEL,
    height: Math.max(...seats.map(({ y }) => y)) + SEAT_PITCH_PX,
    sections: [{ name: null, y: 0, rows }],
  }
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The seats that a box touches. */
export const seatsIn = ({ sections }: PlanLayout, box: Box): PlanPlace[] =>
  sections
    .flatMap(({ rows }) => rows)
    .filter(({ seats }) => seats.some(({ y }) => y < box.bottom && y + SEAT_PITCH_PX > box.top))
    .flatMap(({ seats }) => seats)
    .filter(
      ({ x, y }) => x < box.right && x + SEAT_PITCH_PX > box.left && y < box.bottom && y + SEAT_PITCH_PX > box.top,
    )
    .map(({ place }) => place)

/** How many places are in which state. */
export const countStates = (places: readonly PlanPlace[]): Record<PlaceState, number> => {
  const counts = { free: 0, blocked: 0, claimed: 0 }
  for (const { state } of places) counts[state]++
  return counts
}
