import type { CallerScope, Tx } from '../../access/scopes.ts'
import { type Refuse, refuseBody } from '../../definitions/define.ts'
import { withKeys } from '../../definitions/name-things.ts'
import { insertThings, timeOf } from '../../definitions/records.ts'
import { MUST_EXIST_MESSAGE } from '../../kernel/messages.ts'
import { found, refuseUnless } from '../../kernel/refusals.ts'
import { newEvent } from '../../loading/section.ts'
import { eventDefinition } from '../definitions.ts'
import { addFaqItems, addPerformers, addPlaces, addQuestions, addStandingAreas, addTickets } from '../event-parts.ts'
import { keepUploads } from '../images/attach-uploads.ts'
import { findVenue } from '../venues/records.ts'
import { eventChanged } from './event-changed.ts'
import { type WholeEvent, findWholeEvent } from './records.ts'
import { makeSlug, takeSlug } from './slugs.ts'
import type { NewEventInput } from './wire.ts'

/** What is wrong with a list is told with its place in the body. */
const refuseIn =
  (list: string): Refuse =>
  (path, wording) =>
    refuseBody([list, ...path], wording)

/** A new event with all that came along, unpublished; whole or not at all. */
export const createEvent = (account: CallerScope, sent: NewEventInput): Promise<WholeEvent> =>
  account.transaction(async (tx) => {
    const now = await timeOf(tx)
    const input = await keepUploads(account, tx, sent)
    await requireVenue(tx, input.venue_id)
    const slug = input.slug === null ? await makeSlug(tx, input.title) : await takeSlug(tx, input.slug, null)
    const unpublished = { ...input, slug, published: false, cancelled: false, archived: false }
    const [id] = await insertThings(tx, 'events', eventDefinition, [unpublished], { now })

    const event = newEvent({ id: id!, slug, title: input.title, startsAt: input.starts_at })
    const into = (list: string) => ({ tx, now, refuse: refuseIn(list) })
    await addTickets(
      into('tickets'),
      event,
      withKeys(input.tickets, ({ title }) => title, 'ticket'),
    )
    await addStandingAreas(
      into('standing_areas'),
      event,
      withKeys(input.standing_areas, ({ name }) => name, 'area'),
    )
    await addPlaces(
      into('places'),
      event,
      withKeys(input.places, ({ label }) => label, 'place'),
    )
    await addQuestions(
      into('questions'),
      event,
      withKeys(input.questions, ({ label }) => label, 'question'),
    )
    await addPerformers(into('performers'), event.id, input.performers)
    await addFaqItems(into('faq_items'), event.id, input.faq_items)

    const made = found(await findWholeEvent(tx, event.id))
    await eventChanged(account, tx, { act: 'created', event: made, keys: [], notify: false })
    return made
  })

export const requireVenue = async (tx: Tx, id: number | null): Promise<void> => {
  if (id !== null) refuseUnless(await findVenue(tx, id), { venue_id: [MUST_EXIST_MESSAGE] })
}
