import { z } from 'zod'
import type { AppServices } from '../../access/app.ts'
import type { Account } from '../../access/callers.ts'
import { shopOrigin } from '../../access/shop-address.ts'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationBody, nestedListSchema } from '../../definitions/bodies.ts'
import type { ShowContext } from '../../definitions/kinds.ts'
import { type AccountContext, unwrappedBody } from '../../http/body.ts'
import { flagWithDefault, optionalInteger } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestampOrNull } from '../../http/wire.ts'
import { imageUrl } from '../../images/names.ts'
import {
  eventDefinition,
  faqItemDefinition,
  performerDefinition,
  placeDefinition,
  questionDefinition,
  standingAreaDefinition,
  ticketDefinition,
} from '../definitions.ts'
import { OrganizerEvent, showEvent } from '../wire.ts'
import type { EventWithLists } from './records.ts'

const LIST_MAX = 200
const PLACES_MAX = 5_000

const performers = (terms: AccountContext) => nestedListSchema(performerDefinition, terms, { most: LIST_MAX })
const faqItems = (terms: AccountContext) => nestedListSchema(faqItemDefinition, terms, { most: LIST_MAX })

export const NewEventBody = creationBody('event', eventDefinition, (terms) => ({
  tickets: nestedListSchema(ticketDefinition, terms, { most: LIST_MAX, unique: ['key'] }),
  standing_areas: nestedListSchema(standingAreaDefinition, terms, { most: LIST_MAX, unique: ['key'] }),
  places: nestedListSchema(placeDefinition, terms, { most: PLACES_MAX, unique: ['key', 'label'] }),
  questions: nestedListSchema(questionDefinition, terms, { most: LIST_MAX, unique: ['key'] }),
  performers: performers(terms),
  faq_items: faqItems(terms),
}))

export const EventChangesBody = changeBody('event', eventDefinition, (terms) => ({
  performers: performers(terms).optional(),
  faq_items: faqItems(terms).optional(),
  lock_version: optionalInteger(),
}))

export const CancellationBody = unwrappedBody(z.object({ notify: flagWithDefault(false) }))

export type NewEventInput = ReturnType<typeof NewEventBody.read>
export type EventChangesInput = ReturnType<typeof EventChangesBody.read>

export const WholeEventAnswer = named(
  'EventDetails',
  z.object({
    ...wireShape(eventDefinition),
    ...OrganizerEvent.shape,
    public_ends_at: Timestamp.nullable(),
    performers: z.array(z.object(wireShape(performerDefinition))),
    faq_items: z.array(z.object(wireShape(faqItemDefinition))),
    lock_version: z.int(),
  }),
  {
    ...exampleOf(OrganizerEvent)!,
    description: '<p>Nine people and a bass.</p>',
    venue_id: 3,
    public_ends_at: '2026-12-16T00:00:00.000Z',
    show_end_time: true,
    reentry: false,
    sales_starts_at: null,
    sales_ends_at: null,
    minimum_age: 18,
    video_url: null,
    video_title: null,
    image: 'https://kaispeicher.example/gala.jpg',
    background_image: null,
    gallery_images: [],
    cancelled: false,
    archived: false,
    performers: [
      {
        name: 'Low Tides',
        performer_type: 'performing_group',
        role: 'headliner',
        genre: 'Dub',
        starts_at: null,
        ends_at: null,
        bio: null,
        image: null,
        links: null,
      },
    ],
    faq_items: [{ question: 'Is there a cloakroom?', answer: 'Yes, on the left.' }],
    lock_version: 0,
  },
)

/** In whose currency a thing is shown, and at whose address its pictures. */
const showTermsOf = (app: AppServices, account: Account): ShowContext => {
  const origin = shopOrigin(app, account.subdomain)
  return { currency: account.currency, imageUrl: (stored) => imageUrl(origin, stored) }
}

export const showWholeEvent = (
  { app, account }: { app: AppServices; account: Account },
  event: EventWithLists,
): z.output<typeof WholeEventAnswer> => {
  const terms = showTermsOf(app, account)
  return {
    ...showThing(eventDefinition, event.thing, terms),
    ...showEvent(event.details),
    public_ends_at: showTimestampOrNull(event.row.public_ends_at),
    performers: event.performers.map((each) => showThing(performerDefinition, each, terms)),
    faq_items: event.faqItems.map((each) => showThing(faqItemDefinition, each, terms)),
    lock_version: event.lockVersion,
  }
}
