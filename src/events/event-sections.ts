import { type Definition, type Fields, type FileInput, type RefuseAtPath, fileSchema } from '../definitions/define.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import { type ReadingContext, list } from '../loading/fields.ts'
import { type EventSection, type LoadContext, type LoadedEvent, idsByKey } from '../loading/section.ts'
import {
  faqItemDefinition,
  performerDefinition,
  placeDefinition,
  questionDefinition,
  standingAreaDefinition,
  ticketDefinition,
} from './definitions.ts'
import {
  type AddContext,
  addFaqItems,
  addPerformers,
  addPlaces,
  addQuestions,
  addStandingAreas,
  addTickets,
} from './event-parts.ts'
import {
  exportFaqItems,
  exportPerformers,
  exportPlaces,
  exportQuestions,
  exportStandingAreas,
  exportTickets,
} from './export/export-events.ts'
import { storeImageOfVenueFile } from './venue-images.ts'

/** Whatever is wrong is told at its place in the file. */
const refuseFile =
  (place: JsonPath): RefuseAtPath =>
  (path, { file }) => {
    throw fileFaultAt([...place, ...path], file)
  }

const adding = ({ tx, terms }: LoadContext, place: JsonPath): AddContext => ({
  tx,
  now: terms.now,
  refuse: refuseFile(place),
})

type KeyedPart = 'tickets' | 'standingAreas' | 'places' | 'questions'

/** A list of an event whose things have keys, and are printed with their IDs. */
const keyedSection = <F extends Fields>(
  key: string,
  definition: Definition<F>,
  add: (adding: AddContext, event: LoadedEvent, things: FileInput<Definition<F>>[]) => Promise<void>,
  part: KeyedPart,
  exportPart: EventSection['export'],
  unique: readonly (keyof F & string)[] = ['key'],
): EventSection<FileInput<Definition<F>>[]> => ({
  key,
  schema: (terms: ReadingContext) => list(fileSchema(definition, terms), unique as never),
  load: async (context, event, things, place) => {
    await add(adding(context, place), event, things)
    return idsByKey(event[part])
  },
  export: exportPart,
})

const performersSection: EventSection<FileInput<typeof performerDefinition>[]> = {
  key: 'performers',
  schema: (terms) => list(fileSchema(performerDefinition, terms)),
  load: async (context, event, performers, place) => {
    const pictured = []
    for (const [n, performer] of performers.entries()) {
      pictured.push({
        ...performer,
        image: await storeImageOfVenueFile(context, performer.image, [...place, n, 'image']),
      })
    }
    await addPerformers(adding(context, place), event.id, pictured)
  },
  export: exportPerformers,
}

const faqItemsSection: EventSection<FileInput<typeof faqItemDefinition>[]> = {
  key: 'faq_items',
  schema: (terms) => list(fileSchema(faqItemDefinition, terms)),
  load: async (context, event, items, place) => {
    await addFaqItems(adding(context, place), event.id, items)
  },
  export: exportFaqItems,
}

/** What the events room itself reads inside of an event; in this order it loads. */
export const EVENT_PART_SECTIONS: readonly EventSection[] = [
  keyedSection('tickets', ticketDefinition, addTickets, 'tickets', exportTickets),
  keyedSection('standing_areas', standingAreaDefinition, addStandingAreas, 'standingAreas', exportStandingAreas),
  keyedSection('places', placeDefinition, addPlaces, 'places', exportPlaces, ['key', 'label']),
  keyedSection('questions', questionDefinition, addQuestions, 'questions', exportQuestions),
  performersSection,
  faqItemsSection,
]
