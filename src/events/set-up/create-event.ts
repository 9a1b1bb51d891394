import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type RefuseAtPath, refuseBodyAtPath } from '../../definitions/define.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings, readTransactionTime } from '../../definitions/records.ts'
import { MUST_EXIST_MESSAGE } from '../../kernel/messages.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { emptyLoadedEvent } from '../../loading/section.ts'
import { eventDefinition } from '../definitions.ts'
import { addFaqItems, addPerformers, addPlaces, addQuestions, addStandingAreas, addTickets } from '../event-parts.ts'
import { storeUploadedImages } from '../images/attach-uploads.ts'
import { findVenue } from '../venues/records.ts'
import { followUpEventChange } from './event-changed.ts'
import { type EventWithLists, findEventWithLists } from './records.ts'
import { generateFreeSlug, requireFreeSlug } from './slugs.ts'
import type { NewEventInput } from './wire.ts'

/** What is wrong with a list is told with its place in the body. */
const refuseIn =
  (list: string): RefuseAtPath =>
  (path, wording) =>
    refuseBodyAtPath([list, ...path], wording)

/** A new event with all that came along, unpublished; whole or not at all. */
export const createEvent = (account: CallerScope, sent: NewEventInput): Promise<EventWithLists> =>
  account.transaction(async (tx) => {
    const now = await readTransactionTime(tx)
    const input = await storeUploadedImages(account, tx, sent)
    await requireVenueExists(tx, input.venue_id)
    const slug =
      input.slug === null ? await generateFreeSlug(tx, input.title) : await requireFreeSlug(tx, input.slug, null)
    const unpublished = { ...input, slug, published: false, cancelled: false, archived: false }
    const [id] = await insertThings(tx, 'events', eventDefinition, [unpublished], { now })

    const event = emptyLoadedEvent({ id: id!, slug, title: input.title, startsAt: input.starts_at })
    const into = (list: string) => ({ tx, now, refuse: refuseIn(list) })
    await addTickets(
      into('tickets'),
      event,
      assignMissingKeys(input.tickets, ({ title }) => title, 'ticket'),
    )
    await addStandingAreas(
      into('standing_areas'),
      event,
      assignMissingKeys(input.standing_areas, ({ name }) => name, 'area'),
    )
    await addPlaces(
      into('places'),
      event,
      assignMissingKeys(input.places, ({ label }) => label, 'place'),
    )
    await addQuestions(
      into('questions'),
      event,
      assignMissingKeys(input.questions, ({ label }) => label, 'question'),
    )
    await addPerformers(into('performers'), event.id, input.performers)
    await addFaqItems(into('faq_items'), event.id, input.faq_items)

    const made = requireFound(await findEventWithLists(tx, event.id))
    await followUpEventChange(account, tx, { act: 'created', event: made, keys: [], notify: false })
    return made
  })

export const requireVenueExists = async (tx: Tx, id: number | null): Promise<void> => {
  if (id !== null) refuseUnless(await findVenue(tx, id), { venue_id: [MUST_EXIST_MESSAGE] })
}
