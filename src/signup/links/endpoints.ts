import { organizerOfEvent } from '../../access/access.ts'
import type { EventScope } from '../../access/scopes.ts'
import { created, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { signupLinkUrl } from '../tokens.ts'
import { createLink } from './create-link.ts'
import { ChangedLink, NewLink } from './inputs.ts'
import { findOnlyLink, createOrChangeOnlyLink, suggestTicketId } from './only-link.ts'
import { findLink, findLinks } from './records.ts'
import { rotateLink } from './rotate-link.ts'
import type { Link } from './rules.ts'
import { updateLink } from './update-link.ts'
import { LegacySignupForm, SignupForm, SignupForms, showLink, showUnsavedLink } from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

const show = (event: EventScope, link: Link) =>
  showLink(link, signupLinkUrl(event.app, event.account, link.sealedToken))

export const signupFormsEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_list_forms',
  operationId: 'listSignupLinks',
  says: 'The signup links of an event, oldest first.',
  access: organizerOfEvent('read'),
  answers: { 200: SignupForms },
  handle: async ({ event }) => {
    const links = await findLinks(event.rows, event.event.id)
    return ok({ forms: links.map((link) => show(event, link)) })
  },
})

export const signupFormEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_list_forms/:public_id',
  operationId: 'getSignupLink',
  says: 'One signup link with its current address.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.link,
  answers: { 200: SignupForm },
  handle: async ({ event, params }) =>
    ok(show(event, requireFound(await findLink(event.rows, event.event.id, params.public_id)))),
})

export const newSignupFormEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_list_forms',
  operationId: 'createSignupLink',
  says: 'Creates another signup link with an address of its own.',
  access: organizerOfEvent('write'),
  body: NewLink,
  example: { guest_list_form: { name: 'Friends of the house', ticket_id: 6, max_companions: 2, capacity: 50 } },
  answers: { 201: SignupForm },
  creates: true,
  handle: async ({ event, body }) => {
    const link = await createLink(event, body)
    return created(show(event, link), `/admin/events/${event.event.slug}/guest_list_forms/${link.publicId}`)
  },
})

export const changedSignupFormEndpoint = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/guest_list_forms/:public_id',
  operationId: 'updateSignupLink',
  says: 'Changes the settings that were sent and keeps the rest; false and 0 are applied.',
  access: organizerOfEvent('write'),
  body: ChangedLink,
  example: { guest_list_form: { enabled: false, max_companions: 0 } },
  exampleSetup: EXAMPLE_SETUPS.newLink,
  answers: { 200: SignupForm },
  exists: async ({ event, params }) => requireFound(await findLink(event.rows, event.event.id, params.public_id)),
  handle: async ({ event, params, body }) => ok(show(event, await updateLink(event, params.public_id, body))),
})

export const signupFormRotationEndpoint = endpoint({
  method: 'POST',
  path: '/admin/events/:event_slug/guest_list_forms/:public_id/rotation',
  operationId: 'rotateSignupLink',
  says: 'Gives the link a fresh address; the former one is not found from then on, and nothing else changes.',
  access: organizerOfEvent('write'),
  exampleSetup: EXAMPLE_SETUPS.newLink,
  answers: { 200: SignupForm },
  handle: async ({ event, params }) => ok(show(event, await rotateLink(event, params.public_id))),
})

export const onlySignupFormEndpoint = endpoint({
  method: 'GET',
  path: '/admin/events/:event_slug/guest_list_form',
  operationId: 'getOnlySignupLink',
  says: 'The one signup link of an event, or the defaults of the first; 409 where there are several.',
  access: organizerOfEvent('read'),
  exampleSetup: EXAMPLE_SETUPS.onlyLink,
  answers: { 200: LegacySignupForm },
  handle: async ({ event }) => {
    const shown = await event.consistentRead(async (rows) => {
      const link = await findOnlyLink(rows, event.event.id)
      return link ? show(event, link) : showUnsavedLink(await suggestTicketId(rows, event.event.id))
    })
    return ok(shown)
  },
})

export const changedOnlySignupFormEndpoint = endpoint({
  method: 'PATCH',
  path: '/admin/events/:event_slug/guest_list_form',
  operationId: 'updateOnlySignupLink',
  says: 'Changes the one signup link of an event, or creates the first; 409 where there are several.',
  access: organizerOfEvent('write'),
  body: ChangedLink,
  example: { guest_list_form: { capacity: 80 } },
  exampleSetup: EXAMPLE_SETUPS.onlyLink,
  answers: { 200: LegacySignupForm },
  exists: ({ event }) => findOnlyLink(event.rows, event.event.id),
  handle: async ({ event, body }) => ok(show(event, await createOrChangeOnlyLink(event, body))),
})

export const linkEndpoints = [
  signupFormsEndpoint,
  signupFormEndpoint,
  newSignupFormEndpoint,
  changedSignupFormEndpoint,
  signupFormRotationEndpoint,
  onlySignupFormEndpoint,
  changedOnlySignupFormEndpoint,
]
