import type { EventScope } from '../../access/scopes.ts'
import { refuseBodyAtPath, requireNoFaults } from '../../definitions/define.ts'
import { insertThings, readTransactionTime } from '../../definitions/records.ts'
import { isStorableTime } from '../../kernel/durations.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { eventDefinition } from '../definitions.ts'
import { addFaqItems, addPerformers } from '../event-parts.ts'
import { lockImagesForUse } from '../images/records.ts'
import { followUpEventChange } from '../set-up/event-changed.ts'
import { type EventWithLists, findEventWithLists, lockEvent } from '../set-up/records.ts'
import { generateFreeSlug, requireFreeSlug } from '../set-up/slugs.ts'
import { copyEventParts } from './copy-parts.ts'
import { type ShiftTime, wallClockShift, shiftTimes } from './move-times.ts'
import type { CopyInput } from './wire.ts'

/**
 * The same event at another time, unpublished: its texts and images, tickets, areas, places, questions, performers and
 * FAQ items, and nothing that people did with them.
 */
export const copyEvent = (scope: EventScope, { slug: wished, title: called, starts_at: start }: CopyInput) =>
  scope.transaction(async (tx): Promise<EventWithLists> => {
    const now = await readTransactionTime(tx)
    const slug =
      wished === null
        ? await generateFreeSlug(tx, called ?? scope.event.title)
        : await requireFreeSlug(tx, wished, null)
    // Whoever changes the original meanwhile is waited for, so that the copy is of one moment.
    await lockEvent(tx, scope.event.id)
    await lockImagesForUse(tx)
    const original = requireFound(await findEventWithLists(tx, scope.event.id))

    const move = wallClockShift(original.thing.starts_at, start, original.details.timeZone)
    const moved = moveEvent(original, move)
    requireKnownTimes(moved)
    const title = called ?? original.thing.title
    const thing = { ...moved.thing, title, slug, published: false, cancelled: false, archived: false }
    requireNoFaults(eventDefinition, thing)

    const [id] = await insertThings(tx, 'events', eventDefinition, [thing], { now })
    await copyEventParts({ tx, now, toEventId: id! }, original.id)
    await addPerformers({ tx, now, refuse: refuseBodyAtPath }, id!, moved.performers)
    await addFaqItems({ tx, now, refuse: refuseBodyAtPath }, id!, original.faqItems)

    const copy = requireFound(await findEventWithLists(tx, id!))
    scope.note?.add({ copied_from: original.id })
    await followUpEventChange(scope, tx, { act: 'created', event: copy, keys: [], notify: false })
    return copy
  })

const moveEvent = ({ thing, performers }: EventWithLists, move: ShiftTime) => ({
  thing: shiftTimes(thing, move, [
    ['starts_at', 'doors_open_at'],
    ['starts_at', 'ends_at'],
    ['sales_starts_at', 'sales_ends_at'],
  ]),
  performers: performers.map((performer) => shiftTimes(performer, move, [['starts_at', 'ends_at']])),
})

/** A start at the end of all times would lead what comes after it out of them. */
const requireKnownTimes = ({ thing, performers }: ReturnType<typeof moveEvent>) => {
  const times = [thing, ...performers].flatMap((each) =>
    Object.values(each).filter((value: unknown) => value instanceof Date),
  )
  refuseUnless(times.every(isStorableTime), { starts_at: [INVALID_MESSAGE] })
}
