import { setupManagement } from '../../access/access.ts'
import type { CallerScope } from '../../access/scopes.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { requireVersion } from '../../definitions/change.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { PrecedingCall } from '../../http/example-setup.ts'
import { readLockVersionInEnvelope } from '../../http/lock-version.ts'
import { parsePathId } from '../../http/path-ids.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { changeVenue, createVenue, removeVenue } from './change-venues.ts'
import { findVenue, findVenues } from './records.ts'
import { NewVenueBody, VenueAnswer, VenueAnswers, VenueChangesBody, showVenue } from './wire.ts'

const newVenue: PrecedingCall = {
  call: 'POST /admin/venues',
  body: { venue: { name: 'Speicherboden' } },
  take: [{ key: 'id', as: 'id' }],
}

const requireVenue = async ({ account, params }: { account: CallerScope; params: { id: string } }) =>
  requireFound(await findVenue(account.rows, parsePathId(params.id)))

const venues = endpoint({
  method: 'GET',
  path: '/admin/venues',
  operationId: 'listVenues',
  says: 'The venues of the account by name.',
  access: setupManagement('read'),
  answers: { 200: VenueAnswers },
  handle: async ({ account }) => {
    const all = await findVenues(account.rows)
    return ok({ venues: all.map((venue) => showVenue(venue, account.account)) })
  },
})

const venue = endpoint({
  method: 'GET',
  path: '/admin/venues/:id',
  operationId: 'getVenue',
  says: 'One venue.',
  access: setupManagement('read'),
  integerParams: ['id'],
  exampleSetup: { before: [newVenue] },
  answers: { 200: VenueAnswer },
  handle: async (asked) => ok(showVenue(await requireVenue(asked), asked.account.account)),
})

const venueCreation = endpoint({
  method: 'POST',
  path: '/admin/venues',
  operationId: 'createVenue',
  says: 'Adds a venue, where events can take place.',
  access: setupManagement('write'),
  body: NewVenueBody,
  example: { venue: { name: 'Speicherboden', address: 'Am Kai 1', city: 'Hamburg', time_zone: 'Europe/Berlin' } },
  answers: { 201: VenueAnswer },
  creates: true,
  handle: async ({ account, body }) => {
    const made = await createVenue(account, body)
    return created(showVenue(made, account.account), `/admin/venues/${made.id}`)
  },
})

const venueChange = endpoint({
  method: 'PATCH',
  path: '/admin/venues/:id',
  operationId: 'updateVenue',
  says: 'Changes what is sent of a venue and keeps the rest; a stale lock_version is refused.',
  access: setupManagement('write'),
  integerParams: ['id'],
  body: VenueChangesBody,
  example: { venue: { address: 'Am Kai 2', lock_version: 0 } },
  exampleSetup: { before: [newVenue] },
  answers: { 200: VenueAnswer },
  exists: async (asked) =>
    requireVersion(await requireVenue(asked), readLockVersionInEnvelope(asked.sent, 'venue'), 'venue'),
  handle: async ({ account, params, body }) =>
    ok(showVenue(await changeVenue(account, parsePathId(params.id), body), account.account)),
})

const venueRemoval = endpoint({
  method: 'DELETE',
  path: '/admin/venues/:id',
  operationId: 'deleteVenue',
  says: 'Deletes a venue that no event takes place at.',
  access: setupManagement('write'),
  integerParams: ['id'],
  exampleSetup: { before: [newVenue] },
  answers: { 204: null },
  handle: async ({ account, params }) => {
    await removeVenue(account, parsePathId(params.id))
    return noContent()
  },
})

export const venueEndpoints = [venues, venue, venueCreation, venueChange, venueRemoval]
