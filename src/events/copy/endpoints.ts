import { setupManagementOfEvent } from '../../access/access.ts'
import { created } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { WholeEventAnswer, showWholeEvent } from '../set-up/wire.ts'
import { copyEvent } from './copy-event.ts'
import { CopyBody } from './wire.ts'

const eventCopy = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/copy',
  operationId: 'copyEvent',
  says: 'Copies an event with its tickets, standing areas, places, questions and texts to another start, unpublished and without orders. Every time keeps its clock and moves by the same days.',
  access: setupManagementOfEvent('write'),
  body: CopyBody,
  example: { event: { title: 'Winter Gala 2031', starts_at: '2031-12-13T20:00:00+01:00' } },
  answers: { 201: WholeEventAnswer },
  creates: true,
  handle: async ({ event: scope, body }) => {
    const copy = await copyEvent(scope, body)
    return created(showWholeEvent(scope, copy), `/admin/events/${copy.thing.slug}`)
  },
})

export const copyEndpoints = [eventCopy]
