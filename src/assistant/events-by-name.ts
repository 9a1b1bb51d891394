import type { z } from 'zod'
import { eventEndpoints } from '../events/endpoints.ts'
import type { OrganizerEvent } from '../events/wire.ts'
import { NotFound } from '../kernel/refusals.ts'
import { type NameMatching, isAnyNamed, findOneByName } from './names.ts'
import { type ToolCall, endpointFinder } from './tool.ts'

const endpoint = endpointFinder(eventEndpoints)
const oneEvent = endpoint('GET /admin/events/:event_slug')
const allEvents = endpoint('GET /admin/events')

export type ShownEvent = z.output<typeof OrganizerEvent>

const BY_NAME: NameMatching<ShownEvent> = {
  namesOf: ({ slug, title }) => [slug, title],
  show: ({ slug, title, starts_at }) => ({ slug, title, starts_at }),
  missing: 404,
}

/** Most often a slug is sent, which is found at once; a title is looked for in the list. */
export const resolveEventSlug = async (call: ToolCall): Promise<string> => {
  const name = call.given.event_title!.trim()
  try {
    return (await call.ask<ShownEvent>(oneEvent, { params: { event_slug: name } })).slug
  } catch (error) {
    if (!(error instanceof NotFound)) throw error
  }
  return (await findEventByName(call, 'event_title', name)).slug
}

/** Archived events are looked at only when no other has the name. */
export const findEventByName = async (call: ToolCall, parameter: string, name: string): Promise<ShownEvent> => {
  const current = await listEvents(call, false)
  const isKnown = isAnyNamed(current, name, BY_NAME)
  return findOneByName(parameter, name, isKnown ? current : [...current, ...(await listEvents(call, true))], BY_NAME)
}

export const listEvents = (call: ToolCall, archived: boolean): Promise<ShownEvent[]> =>
  call.once(`events, archived: ${archived}`, async () => {
    const { events } = await call.ask<{ events: ShownEvent[] }>(allEvents, { query: { archived } })
    return events
  })
