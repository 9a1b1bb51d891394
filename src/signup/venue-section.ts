import { z } from 'zod'
import { newPublicId } from '../kernel/public-ids.ts'
import { Invalid } from '../kernel/refusals.ts'
import { type JsonPath, faultAt, quote } from '../loading/fault.ts'
import { key, list, oneOf, optional, timestamp, strictObject, wholeNumber } from '../loading/fields.ts'
import {
  type EventSection,
  type LoadContext,
  type LoadedEvent,
  findByKey,
  sharedBetweenSections,
} from '../loading/section.ts'
import { addLink } from './links/create-link.ts'
import { NewLink } from './links/inputs.ts'
import { COMPANIONS_MAX, type Link } from './links/rules.ts'
import { judgeSignup } from './pages/rules.ts'
import { insertAddition, insertRequest } from './pages/signups/records.ts'
import { approveOne } from './requests/issue-guests.ts'
import { lockReviews, recordRejection } from './requests/reviews/records.ts'
import { REQUEST_STATUSES, type SignupRequest } from './requests/rules.ts'
import { linkUrl, newSignupToken } from './tokens.ts'

const asPosted = z.unknown().optional()

const LinkOfFile = strictObject({
  key: key(),
  ticket: key(),
  standing_area: optional(key()),
  name: asPosted,
  enabled: asPosted,
  approval_mode: asPosted,
  max_companions: asPosted,
  capacity: asPosted,
  company_field: asPosted,
  phone_field: asPosted,
  companion_names_field: asPosted,
  asks_questions: asPosted,
})

type LinkInput = z.output<typeof LinkOfFile>

/** For the requests that name them. */
const loadedLinks = sharedBetweenSections<Link>()

export const signupLinksSection: EventSection<LinkInput[]> = {
  key: 'signup_links',
  schema: () => list(LinkOfFile, 'key'),
  load: async ({ tx, app, account }, event, links, place) => {
    const printed: [string, unknown][] = []
    for (const [n, { key: name, ticket, standing_area, ...settings }] of links.entries()) {
      const at = [...place, n]
      const link = await tellPlace(at, () =>
        addLink(
          tx,
          app,
          event.id,
          NewLink.read({ guest_list_form: { ...settings, ...idsOf(event, { ticket, standing_area }, at) } }),
        ),
      )
      loadedLinks(event).set(name, link)
      printed.push([name, { public_id: link.publicId, public_url: linkUrl(app, account, link.sealedToken) }])
    }
    return Object.fromEntries(printed)
  },
}

const idsOf = (event: LoadedEvent, named: Pick<LinkInput, 'ticket' | 'standing_area'>, at: JsonPath) => ({
  ticket_id: findByKey(event.tickets, named.ticket, [...at, 'ticket'], 'ticket').id,
  event_capacity_pool_id:
    named.standing_area === null
      ? null
      : findByKey(event.standingAreas, named.standing_area, [...at, 'standing_area'], 'standing area').id,
})

const requestOfFile = (at: z.ZodType<Date>) =>
  strictObject({
    link: key(),
    name: asPosted,
    email: asPosted,
    company: asPosted,
    phone: asPosted,
    companions: asPosted,
    companion_names: asPosted,
    status: oneOf(REQUEST_STATUSES).default('pending'),
    waiting_companions: wholeNumber({ least: 0, most: COMPANIONS_MAX }).default(0),
    created_at: optional(at),
  })

type RequestInput = z.output<ReturnType<typeof requestOfFile>>

/** Requests as guests left them and staff decided them. Nobody is written to, and nobody is told. */
export const signupRequestsSection: EventSection<RequestInput[]> = {
  key: 'signup_requests',
  schema: (terms) => list(requestOfFile(timestamp(terms))),
  load: async (context, event, requests, place) => {
    const addresses = new Set<string>()
    for (const [n, input] of requests.entries()) {
      const at = [...place, n]
      const request = await tellPlace(at, () => addRequest(context, event, input, at, addresses))
      if (input.status === 'rejected') await recordRejection(context.tx, request.id)
      if (input.status === 'approved') await approve(context, event, request, at)
      if (input.waiting_companions > 0) await addWaiting(context, event, request, input, at)
    }
    return undefined
  },
}

/** What the link asks for, and how many, may have been another matter when the guest signed up. */
const ANYTHING_ONCE_ASKED = {
  companyField: 'optional',
  phoneField: 'optional',
  companionNamesField: 'optional',
  asksQuestions: false,
  maxCompanions: COMPANIONS_MAX,
  capacity: COMPANIONS_MAX + 1,
} as const

const addRequest = async (
  { tx, app }: LoadContext,
  event: LoadedEvent,
  input: RequestInput,
  at: JsonPath,
  addresses: Set<string>,
): Promise<SignupRequest> => {
  const link = findByKey(loadedLinks(event), input.link, [...at, 'link'], 'signup link')
  const asked = { ...link, ...ANYTHING_ONCE_ASKED }
  const { signup, faults } = judgeSignup(asked, [], input)
  if (faults) throw faultAt([...at, faults[0]!.field], faults[0]!.message)
  if (addresses.has(signup.email)) throw faultAt([...at, 'email'], `${quote(signup.email)} is given twice`)
  addresses.add(signup.email)

  return insertRequest(
    tx,
    { ...signup, eventId: event.id, link, publicId: newPublicId(), token: newSignupToken(app, 'page') },
    input.created_at,
  )
}

const approve = async (context: LoadContext, event: LoadedEvent, request: SignupRequest, at: JsonPath) => {
  const [review] = await lockReviews(context.tx, event.id, [request.publicId])
  const { refused } = await approveOne(context.tx, { ...review!, creator: ownerOf(context) }, request)
  if (refused !== null) throw faultAt([...at, 'status'], refused)
}

const addWaiting = async (
  { tx }: LoadContext,
  event: LoadedEvent,
  request: SignupRequest,
  { status, waiting_companions: companions }: RequestInput,
  at: JsonPath,
) => {
  if (status !== 'approved')
    throw faultAt([...at, 'waiting_companions'], 'only an approved request has companions waiting')
  await insertAddition(tx, { eventId: event.id, requestId: request.id }, { companions, companionNames: [] })
}

const ownerOf = ({ people }: LoadContext) => {
  const owner = Array.from(people.values()).find(({ role, isActive }) => role === 'owner' && isActive)
  if (!owner) throw faultAt(['people'], 'there is no active owner')
  return owner
}

/** Fields of the API that the file calls by another name. */
const FILE_NAMES: Record<string, string> = { ticket_id: 'ticket', event_capacity_pool_id: 'standing_area' }

const tellPlace = async <T>(at: JsonPath, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const [field, messages] = Object.entries(error.errors)[0]!
    throw faultAt(field === 'base' ? at : [...at, FILE_NAMES[field] ?? field], messages[0]!)
  }
}
