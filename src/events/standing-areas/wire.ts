import { z } from 'zod'
import { showThing, wireShape } from '../../definitions/answers.ts'
import { changeBody, creationBody } from '../../definitions/bodies.ts'
import type { ShowContext } from '../../definitions/kinds.ts'
import { optionalInteger } from '../../http/fields.ts'
import { Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { standingAreaDefinition } from '../definitions.ts'
import type { StandingArea } from './records.ts'

export const NewStandingAreaBody = creationBody('standing_area', standingAreaDefinition, () => ({}))
export const StandingAreaChangesBody = changeBody('standing_area', standingAreaDefinition, () => ({
  lock_version: optionalInteger(),
}))

export type NewStandingAreaInput = ReturnType<typeof NewStandingAreaBody.read>
export type StandingAreaChangesInput = ReturnType<typeof StandingAreaChangesBody.read>

export const StandingAreaAnswer = named(
  'StandingArea',
  z.object({
    id: z.int(),
    ...wireShape(standingAreaDefinition),
    position: z.int(),
    claimed_count: z.int(),
    lock_version: z.int(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 2,
    key: 'front',
    name: 'Front',
    capacity: 200,
    blocked: 10,
    open: true,
    ticket_ids: [4],
    position: 1,
    claimed_count: 85,
    lock_version: 0,
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const StandingAreaAnswers = named('StandingAreas', z.object({ standing_areas: z.array(StandingAreaAnswer) }), {
  standing_areas: [exampleOf(StandingAreaAnswer)!],
})

export const showStandingArea = (area: StandingArea, terms: ShowContext): z.output<typeof StandingAreaAnswer> => ({
  ...showThing(standingAreaDefinition, area.thing, terms),
  id: area.id,
  position: area.position + 1,
  claimed_count: area.claimedCount,
  lock_version: area.lockVersion,
  created_at: showTimestamp(area.createdAt),
  updated_at: showTimestamp(area.updatedAt),
})
