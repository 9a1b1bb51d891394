import type { EventScope } from '../../access/scopes.ts'
import { refuseBody, requirePossible } from '../../definitions/define.ts'
import { insertThings, timeOf } from '../../definitions/records.ts'
import { isKnownTime } from '../../kernel/durations.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { found, refuseUnless } from '../../kernel/refusals.ts'
import { eventDefinition } from '../definitions.ts'
import { addFaqItems, addPerformers } from '../event-parts.ts'
import { lockImagesForUse } from '../images/records.ts'
import { eventChanged } from '../set-up/event-changed.ts'
import { type WholeEvent, findWholeEvent, lockEvent } from '../set-up/records.ts'
import { makeSlug, takeSlug } from '../set-up/slugs.ts'
import { copyParts } from './copy-parts.ts'
import { type MoveTime, wallClockShift, moveTimes } from './move-times.ts'
import type { CopyInput } from './wire.ts'

/**
 * The same event at another time, unpublished: its texts and images, tickets, areas, places, questions, performers and
 * FAQ items, and nothing that people did with them.
 */
export const copyEvent = (scope: EventScope, { slug: wished, title: called, starts_at: start }: CopyInput) =>
  scope.transaction(async (tx): Promise<WholeEvent> => {
    const now = await timeOf(tx)
    const slug = wished === null ? await makeSlug(tx, called ?? scope.event.title) : await takeSlug(tx, wished, null)
    // Whoever changes the original meanwhile is waited for, so that the copy is of one moment.
    await lockEvent(tx, scope.event.id)
    await lockImagesForUse(tx)
    const original = found(await findWholeEvent(tx, scope.event.id))

    const move = wallClockShift(original.thing.starts_at, start, original.details.timeZone)
    const moved = moveEvent(original, move)
    requireKnownTimes(moved)
    const title = called ?? original.thing.title
    const thing = { ...moved.thing, title, slug, published: false, cancelled: false, archived: false }
    requirePossible(eventDefinition, thing)

    const [id] = await insertThings(tx, 'events', eventDefinition, [thing], { now })
    await copyParts({ tx, now, toEventId: id! }, original.id)
    await addPerformers({ tx, now, refuse: refuseBody }, id!, moved.performers)
    await addFaqItems({ tx, now, refuse: refuseBody }, id!, original.faqItems)

    const copy = found(await findWholeEvent(tx, id!))
    scope.note?.add({ copied_from: original.id })
    await eventChanged(scope, tx, { act: 'created', event: copy, keys: [], notify: false })
    return copy
  })

const moveEvent = ({ thing, performers }: WholeEvent, move: MoveTime) => ({
  thing: moveTimes(thing, move, [
    ['starts_at', 'doors_open_at'],
    ['starts_at', 'ends_at'],
    ['sales_starts_at', 'sales_ends_at'],
  ]),
  performers: performers.map((performer) => moveTimes(performer, move, [['starts_at', 'ends_at']])),
})

/** A start at the end of all times would lead what comes after it out of them. */
const requireKnownTimes = ({ thing, performers }: ReturnType<typeof moveEvent>) => {
  const times = [thing, ...performers].flatMap((each) =>
    Object.values(each).filter((value: unknown) => value instanceof Date),
  )
  refuseUnless(times.every(isKnownTime), { starts_at: [INVALID_MESSAGE] })
}
