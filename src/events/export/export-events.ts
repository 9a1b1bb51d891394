import { type Fields, type Definition, exportThing, fromRow } from '../../definitions/define.ts'
import { imagePathInVenueFile } from '../../images/names.ts'
import { inBatches } from '../../loading/batches.ts'
import type { EventSection, ExportContext, ExportedEvent } from '../../loading/section.ts'
import {
  eventDefinition,
  faqItemDefinition,
  performerDefinition,
  placeDefinition,
  questionDefinition,
  standingAreaDefinition,
  ticketDefinition,
  venueDefinition,
} from '../definitions.ts'
import {
  type PartKey,
  findAccessCodes,
  findAreaTickets,
  findEventsToExport,
  findPartKeys,
  findEventPartsToExport,
  findPlacesToExport,
  findVenuesToExport,
} from './records.ts'

/** A row as its definition says it, with what stands in other tables. */
const show = <F extends Fields>(
  { account }: ExportContext,
  definition: Definition<F>,
  row: object,
  more: object = {},
) => exportThing(definition, fromRow(definition, { ...row, ...more }), account)

export async function* exportVenues(context: ExportContext) {
  for (const row of await findVenuesToExport(context.rows)) yield show(context, venueDefinition, row)
}

/** Every event with its lists, which are read one after the other while the event is written. */
export async function* exportEvents(context: ExportContext, sections: readonly EventSection[]) {
  const { rows } = context
  const venues = new Map((await findVenuesToExport(rows)).map(({ id, key }) => [id, key]))
  for await (const row of inBatches((request) => findEventsToExport(rows, request))) {
    const event = { id: row.id, slug: row.slug, ...keysOf(await findPartKeys(rows, row.id)) }
    yield {
      ...show(context, eventDefinition, row, {
        venue: row.venue_id === null ? null : venues.get(row.venue_id),
        image: imagePathInVenueFile(row.image),
        background_image: imagePathInVenueFile(row.background_image),
        gallery_images: row.gallery_images.map(imagePathInVenueFile),
      }),
      ...Object.fromEntries(sections.map((section) => [section.key, section.export(context, event)])),
    }
  }
}

const keysOf = (keys: readonly PartKey[]): Pick<ExportedEvent, PartKey['part']> => {
  const of = (part: PartKey['part']) =>
    new Map(keys.flatMap((each): [number, string][] => (each.part === part ? [[each.id, each.key]] : [])))
  return {
    tickets: of('tickets'),
    standingAreas: of('standingAreas'),
    places: of('places'),
    questions: of('questions'),
  }
}

export async function* exportTickets(context: ExportContext, { id }: ExportedEvent) {
  const codes = await findAccessCodes(context.rows, id)
  for (const row of await findEventPartsToExport(context.rows, 'tickets', id)) {
    yield show(context, ticketDefinition, row, { access_codes: codes.get(row.id) ?? [] })
  }
}

export async function* exportStandingAreas(context: ExportContext, event: ExportedEvent) {
  const opened = await findAreaTickets(context.rows, event.id)
  for (const row of await findEventPartsToExport(context.rows, 'standing_areas', event.id)) {
    const ids = new Set(opened.get(row.id))
    const tickets = Array.from(event.tickets).flatMap(([id, key]) => (ids.has(id) ? [key] : []))
    yield show(context, standingAreaDefinition, row, { tickets })
  }
}

export async function* exportPlaces(context: ExportContext, event: ExportedEvent) {
  for await (const row of inBatches((request) => findPlacesToExport(context.rows, event.id, request))) {
    yield show(context, placeDefinition, row, {
      ticket: event.tickets.get(row.ticket_id),
      pair: row.pair_place_id === null ? null : event.places.get(row.pair_place_id),
    })
  }
}

export async function* exportQuestions(context: ExportContext, { id }: ExportedEvent) {
  for (const row of await findEventPartsToExport(context.rows, 'questions', id))
    yield show(context, questionDefinition, row)
}

export async function* exportPerformers(context: ExportContext, { id }: ExportedEvent) {
  for (const row of await findEventPartsToExport(context.rows, 'performers', id)) {
    yield show(context, performerDefinition, row, { image: imagePathInVenueFile(row.image) })
  }
}

export async function* exportFaqItems(context: ExportContext, { id }: ExportedEvent) {
  for (const row of await findEventPartsToExport(context.rows, 'faq_items', id))
    yield show(context, faqItemDefinition, row)
}
