import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import {
  type ReadingContext,
  keyText,
  list,
  optional,
  strictObject,
  timestamp,
  wholeNumber,
} from '../loading/fields.ts'
import { inBatches } from '../loading/batches.ts'
import { type EventSection, type ExportContext, type ExportedEvent, findByKey } from '../loading/section.ts'
import { hold } from './claim.ts'
import { findHoldsToExport } from './export/records.ts'
import type { Shortage } from './rules.ts'

const Hold = (terms: ReadingContext) =>
  strictObject({
    ticket: keyText(),
    quantity: optional(wholeNumber({ least: 1 })),
    stock_quantity: optional(wholeNumber({ least: 1 })),
    standing_area: optional(keyText()),
    places: list(keyText(), 'itself'),
    expires_at: timestamp(terms),
  }).refine((each) => (each.stock_quantity ?? 1) <= (each.places.length || (each.quantity ?? 1)), {
    path: ['stock_quantity'],
    error: 'is more than the quantity',
  })

type HoldInput = {
  ticket: string
  quantity: number | null
  /** What is taken of the ticket's stock, where that is less: one for each group. */
  stock_quantity: number | null
  standing_area: string | null
  places: string[]
  expires_at: Date
}

/** Checkouts under way; one whose time is over already is taken as it is, and the sweep ends it. */
export const holdsSection: EventSection<HoldInput[]> = {
  key: 'holds',
  schema: (terms) => list(Hold(terms)),
  load: async ({ tx }, event, holds, place) => {
    for (const [n, each] of holds.entries()) {
      const at = [...place, n]
      const ticket = findByKey(event.tickets, each.ticket, [...at, 'ticket'], 'ticket')
      const area =
        each.standing_area === null
          ? null
          : findByKey(event.standingAreas, each.standing_area, [...at, 'standing_area'], 'standing area')
      const places = each.places.map((name, m) => findByKey(event.places, name, [...at, 'places', m], 'place'))
      if (ticket.inventoryKind === 'standing' && !area) throw fileFaultAt([...at, 'standing_area'], 'is missing')
      if (ticket.inventoryKind === 'places' && places.length === 0) throw fileFaultAt([...at, 'places'], 'is missing')

      const refused = await hold(tx, {
        eventId: event.id,
        ticketId: ticket.id,
        quantity: places.length || (each.quantity ?? 1),
        ...(each.stock_quantity !== null && { stockQuantity: each.stock_quantity }),
        standingAreaId: area?.id ?? null,
        placeIds: places.map(({ id }) => id),
        until: each.expires_at,
        takesHalfPairs: true,
      })
      if (refused) throw shortageFault(at, refused)
    }
  },
  export: exportHolds,
}

async function* exportHolds({ rows }: ExportContext, event: ExportedEvent) {
  for await (const each of inBatches((batch) => findHoldsToExport(rows, event.id, batch))) {
    yield {
      ticket: event.tickets.get(each.ticketId),
      quantity: each.quantity,
      ...(each.stockQuantity < each.quantity && { stock_quantity: each.stockQuantity }),
      standing_area: each.standingAreaId === null ? null : event.standingAreas.get(each.standingAreaId),
      places: each.placeIds.map((id) => event.places.get(id)),
      expires_at: each.expiresAt,
    }
  }
}

const SHORTAGES: Record<Shortage, string> = {
  event: 'the event has no room for this',
  ticket: 'the ticket has no stock left for this',
  area: 'the standing area has no room for this',
  places: 'a place is taken, blocked, or of another ticket',
}

/** What was short, as a sentence about the file. */
export const shortageFault = (place: JsonPath, refused: Shortage) => fileFaultAt(place, SHORTAGES[refused])
