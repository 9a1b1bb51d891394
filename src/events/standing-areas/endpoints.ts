import { setupOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { requireVersion } from '../../definitions/change.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { readTopLevelVersion, readVersion } from '../../http/lock-version.ts'
import { readId } from '../../http/path-ids.ts'
import type { Preparation } from '../../http/trial.ts'
import { found } from '../../kernel/refusals.ts'
import { onNewEvent } from '../parts/trials.ts'
import { PositionBody } from '../parts/wire.ts'
import { changeStandingArea, createStandingArea, moveStandingArea, removeStandingArea } from './keep-standing-areas.ts'
import { findStandingArea, findStandingAreas } from './records.ts'
import {
  NewStandingAreaBody,
  StandingAreaAnswer,
  StandingAreaAnswers,
  StandingAreaChangesBody,
  showStandingArea,
} from './wire.ts'

const newArea: Preparation = {
  call: 'POST /admin/events/$event_slug/standing_areas',
  body: { standing_area: { name: 'Gallery', capacity: 80 } },
  take: [{ key: 'id', as: 'id' }],
}

const requireArea = async ({ event, params }: { event: EventScope; params: { id: string } }) =>
  found(await findStandingArea(event.rows, event.event.id, readId(params.id)))

const areas = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/standing_areas',
  operationId: 'listStandingAreas',
  says: 'The standing areas of an event, each with the tickets that open it and how many of its places are claimed.',
  access: setupOfEvent('read'),
  answers: { 200: StandingAreaAnswers },
  handle: async ({ event }) => {
    const all = await findStandingAreas(event.rows, event.event.id)
    return ok({ standing_areas: all.map((area) => showStandingArea(area, event.account)) })
  },
})

const areaCreation = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/standing_areas',
  operationId: 'createStandingArea',
  says: 'Adds a standing area to an event, opened by the tickets of `ticket_ids`.',
  access: setupOfEvent('write'),
  body: NewStandingAreaBody,
  example: { standing_area: { name: 'Gallery', capacity: 80, blocked: 5 } },
  trial: onNewEvent(),
  answers: { 201: StandingAreaAnswer },
  creates: true,
  handle: async ({ event, body }) => {
    const made = await createStandingArea(event, body)
    return created(showStandingArea(made, event.account), `/admin/events/${event.event.slug}/standing_areas`)
  },
})

const areaChange = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/standing_areas/:id',
  operationId: 'updateStandingArea',
  says: 'Changes what is sent of a standing area and keeps the rest. What is not blocked of it never falls below what is claimed.',
  access: setupOfEvent('write'),
  integerParams: ['id'],
  body: StandingAreaChangesBody,
  example: { standing_area: { capacity: 90, open: false, lock_version: 0 } },
  trial: onNewEvent(newArea),
  answers: { 200: StandingAreaAnswer },
  exists: async (asked) =>
    requireVersion(await requireArea(asked), readVersion(asked.sent, 'standing_area'), 'standing area'),
  handle: async ({ event, params, body }) =>
    ok(showStandingArea(await changeStandingArea(event, readId(params.id), body), event.account)),
})

const areaPosition = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/standing_areas/:id/position',
  operationId: 'moveStandingArea',
  says: 'Moves a standing area to a position from 1; the others close up and make room.',
  access: setupOfEvent('write'),
  integerParams: ['id'],
  body: PositionBody,
  example: { position: 1 },
  trial: onNewEvent(newArea),
  answers: { 200: StandingAreaAnswer },
  exists: async (asked) => requireVersion(await requireArea(asked), readTopLevelVersion(asked.sent), 'standing area'),
  handle: async ({ event, params, body }) =>
    ok(showStandingArea(await moveStandingArea(event, readId(params.id), body), event.account)),
})

const areaRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/standing_areas/:id',
  operationId: 'deleteStandingArea',
  says: 'Deletes a standing area that nobody was given a ticket for and that no signup link fills.',
  access: setupOfEvent('write'),
  integerParams: ['id'],
  trial: onNewEvent(newArea),
  answers: { 204: null },
  handle: async ({ event, params }) => {
    await removeStandingArea(event, readId(params.id))
    return noContent()
  },
})

export const standingAreaEndpoints = [areas, areaCreation, areaChange, areaPosition, areaRemoval]
