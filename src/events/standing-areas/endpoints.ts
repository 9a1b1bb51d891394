import { setupManagementOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { requireVersion } from '../../definitions/change.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { readLockVersion, readLockVersionInEnvelope } from '../../http/lock-version.ts'
import { parsePathId } from '../../http/path-ids.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { setupOnNewEvent } from '../parts/example-setups.ts'
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

const newArea: PrecedingCall = {
  call: 'POST /admin/events/$event_slug/standing_areas',
  body: { standing_area: { name: 'Gallery', capacity: 80 } },
  take: [{ key: 'id', as: 'id' }],
}

const requireArea = async ({ event, params }: { event: EventScope; params: { id: string } }) =>
  requireFound(await findStandingArea(event.rows, event.event.id, parsePathId(params.id)))

const areas = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/standing_areas',
  operationId: 'listStandingAreas',
  says: 'The standing areas of an event, each with the tickets that open it and how many of its places are claimed.',
  access: setupManagementOfEvent('read'),
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
  access: setupManagementOfEvent('write'),
  body: NewStandingAreaBody,
  example: { standing_area: { name: 'Gallery', capacity: 80, blocked: 5 } },
  exampleSetup: setupOnNewEvent(),
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
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: StandingAreaChangesBody,
  example: { standing_area: { capacity: 90, open: false, lock_version: 0 } },
  exampleSetup: setupOnNewEvent(newArea),
  answers: { 200: StandingAreaAnswer },
  exists: async (asked) =>
    requireVersion(await requireArea(asked), readLockVersionInEnvelope(asked.sent, 'standing_area'), 'standing area'),
  handle: async ({ event, params, body }) =>
    ok(showStandingArea(await changeStandingArea(event, parsePathId(params.id), body), event.account)),
})

const areaPosition = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/standing_areas/:id/position',
  operationId: 'moveStandingArea',
  says: 'Moves a standing area to a position from 1; the others close up and make room.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  body: PositionBody,
  example: { position: 1 },
  exampleSetup: setupOnNewEvent(newArea),
  answers: { 200: StandingAreaAnswer },
  exists: async (asked) => requireVersion(await requireArea(asked), readLockVersion(asked.sent), 'standing area'),
  handle: async ({ event, params, body }) =>
    ok(showStandingArea(await moveStandingArea(event, parsePathId(params.id), body), event.account)),
})

const areaRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/events/:event_slug/standing_areas/:id',
  operationId: 'deleteStandingArea',
  says: 'Deletes a standing area that nobody was given a ticket for and that no signup link fills.',
  access: setupManagementOfEvent('write'),
  integerParams: ['id'],
  exampleSetup: setupOnNewEvent(newArea),
  answers: { 204: null },
  handle: async ({ event, params }) => {
    await removeStandingArea(event, parsePathId(params.id))
    return noContent()
  },
})

export const standingAreaEndpoints = [areas, areaCreation, areaChange, areaPosition, areaRemoval]
