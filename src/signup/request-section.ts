import { z } from 'zod'
import { isAnswerOfType } from '../admissions/rules.ts'
import { answersSchema } from '../admissions/venue-section.ts'
import { validateAttendeeNames } from '../guest-list/rules.ts'
import { partiesLoadedFromFile } from '../guest-list/venue-section.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { LANGUAGES } from '../languages/rules.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from '../loading/fault.ts'
import { keyText, list, oneOf, optional, timestamp, strictObject, wholeNumber } from '../loading/fields.ts'
import {
  type EventSection,
  type LoadContext,
  type LoadedEvent,
  findByKey,
  createSharedLookup,
} from '../loading/section.ts'
import { exportRequests } from './export/export-signups.ts'
import { linksLoadedFromFile, refusalsAsFileFaults } from './link-section.ts'
import { COMPANIONS_MAX } from './links/rules.ts'
import { validateSignup } from './pages/rules.ts'
import { insertAddition, insertRequest } from './pages/signups/records.ts'
import { issueAndApproveRequest } from './requests/issue-guests.ts'
import {
  lockSignupRequests,
  recordAdditionApproval,
  recordAdditionRejection,
  recordApprovals,
  recordRejection,
} from './requests/reviews/records.ts'
import {
  type AnswerWithQuestion,
  REQUEST_STATUSES,
  type SignupRequest,
  omitTrailingBlankNames,
} from './requests/rules.ts'
import { newSignupToken } from './tokens.ts'

const asPosted = z.unknown().optional()

/** A party answers one request or one addition. */
const partiesOfSignups = createSharedLookup<true>()

const additionOfFile = (at: z.ZodType<Date>) =>
  strictObject({
    companions: wholeNumber({ least: 1, most: COMPANIONS_MAX }),
    companion_names: list(z.string()),
    status: oneOf(['approved', 'rejected']),
    party: optional(keyText()),
    created_at: optional(at),
  }).refine((addition) => (addition.status === 'approved') === (addition.party !== null), {
    path: ['party'],
    error: 'is given with the status approved, and only then',
  })

const requestOfFile = (at: z.ZodType<Date>) =>
  strictObject({
    link: keyText(),
    name: asPosted,
    email: asPosted,
    company: asPosted,
    phone: asPosted,
    companions: asPosted,
    companion_names: asPosted,
    status: oneOf(REQUEST_STATUSES).default('pending'),
    custom_field_answers: optional(answersSchema()),
    /** The key of the party that an approved request led to; without one it is issued. */
    party: optional(keyText()),
    /** Companions that were added after the approval, and are decided about. */
    additions: list(additionOfFile(at)),
    waiting_companions: wholeNumber({ least: 0, most: COMPANIONS_MAX }).default(0),
    waiting_companion_names: list(z.string()),
    language: optional(oneOf(LANGUAGES)),
    created_at: optional(at),
  })
    .refine((request) => request.party === null || request.status === 'approved', {
      path: ['party'],
      error: 'is given, but only an approved request has one',
    })
    .refine((request) => request.additions.length === 0 || request.status === 'approved', {
      path: ['additions'],
      error: 'are given, but only an approved request has any',
    })

type AdditionInput = z.output<ReturnType<typeof additionOfFile>>
type RequestInput = z.output<ReturnType<typeof requestOfFile>>

/** Requests as guests left them and staff decided them. Nobody is written to, and nobody is told. */
export const signupRequestsSection: EventSection<RequestInput[]> = {
  key: 'signup_requests',
  schema: (terms) => list(requestOfFile(timestamp(terms))),
  load: async (context, event, requests, place) => {
    const addresses = new Set<string>()
    for (const [n, input] of requests.entries()) {
      const at = [...place, n]
      const request = await refusalsAsFileFaults(at, () => addRequest(context, event, input, at, addresses))
      if (input.status === 'rejected') await recordRejection(context.tx, request.id)
      if (input.status === 'approved') await approve(context, event, { request, input }, at)
      for (const [m, addition] of input.additions.entries())
        await addDecided(context, event, { request, input, addition }, [...at, 'additions', m])
      if (input.waiting_companions > 0) await addWaiting(context, event, { request, input }, at)
    }
    return undefined
  },
  export: exportRequests,
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
  const link = findByKey(linksLoadedFromFile(event), input.link, [...at, 'link'], 'signup link')
  const asked = { ...link, ...ANYTHING_ONCE_ASKED }
  const { signup, faults } = validateSignup(asked, [], input)
  if (faults) throw fileFaultAt([...at, faults[0]!.field], faults[0]!.message)
  if (addresses.has(signup.email)) throw fileFaultAt([...at, 'email'], `${quoteShortened(signup.email)} is given twice`)
  addresses.add(signup.email)

  const answers = answersOf(event, input.custom_field_answers ?? {}, [...at, 'custom_field_answers'])
  return insertRequest(
    tx,
    {
      ...signup,
      answers,
      language: input.language,
      eventId: event.id,
      link,
      publicId: newPublicId(),
      token: newSignupToken(app, 'page'),
    },
    input.created_at,
  )
}

/** With each question as it is asked now. */
const answersOf = (event: LoadedEvent, given: Record<string, unknown>, at: JsonPath): AnswerWithQuestion[] =>
  Object.entries(given).map(([name, value]) => {
    const { id, label, type } = findByKey(event.questions, name, [...at, name], 'question')
    if (!isAnswerOfType(type, value)) throw fileFaultAt([...at, name], `is no answer to ${quoteShortened(label)}`)
    return { id, label, type, value }
  })

interface LoadedRequest {
  request: SignupRequest
  input: RequestInput
}

const approve = async (
  context: LoadContext,
  event: LoadedEvent,
  { request, input }: LoadedRequest,
  at: JsonPath,
): Promise<void> => {
  if (input.party !== null) {
    const party = partyOf(event, input.party, [...at, 'party'])
    const linkId = linksLoadedFromFile(event).get(input.link)!.id
    await recordApprovals(context.tx, [{ requestId: request.id, linkId, ...party }])
    return
  }
  const [review] = await lockSignupRequests(context.tx, event.id, [request.publicId])
  const { refused } = await issueAndApproveRequest(context.tx, { ...review!, creator: ownerOf(context) }, request)
  if (refused !== null) throw fileFaultAt([...at, 'status'], refused)
}

const partyOf = (event: LoadedEvent, name: string, at: JsonPath) => {
  const { id, liveCount } = findByKey(partiesLoadedFromFile(event), name, at, 'guest party')
  const taken = partiesOfSignups(event)
  if (taken.has(name)) throw fileFaultAt(at, `${quoteShortened(name)} is given twice`)
  taken.set(name, true)
  return { orderId: id, admissions: liveCount }
}

const addDecided = async (
  { tx }: LoadContext,
  event: LoadedEvent,
  { request, input, addition }: LoadedRequest & { addition: AdditionInput },
  at: JsonPath,
) => {
  const group = { companions: addition.companions, companionNames: namesOf(addition.companion_names, at) }
  const { id } = await insertAddition(tx, { eventId: event.id, requestId: request.id }, group, addition.created_at)
  if (addition.party === null) return recordAdditionRejection(tx, id)
  const linkId = linksLoadedFromFile(event).get(input.link)!.id
  const party = partyOf(event, addition.party, [...at, 'party'])
  return recordAdditionApproval(tx, { additionId: id, linkId, ...party })
}

const addWaiting = async (
  { tx }: LoadContext,
  event: LoadedEvent,
  { request, input }: LoadedRequest,
  at: JsonPath,
): Promise<void> => {
  const { status, waiting_companions: companions, waiting_companion_names: names } = input
  if (status !== 'approved')
    throw fileFaultAt([...at, 'waiting_companions'], 'only an approved request has companions waiting')
  const companionNames = namesOf(names, [...at, 'waiting_companion_names']).slice(0, companions)
  await insertAddition(tx, { eventId: event.id, requestId: request.id }, { companions, companionNames })
}

/** A companion without a name is an empty text among those who have one. */
const namesOf = (names: string[], at: JsonPath): string[] => {
  const { names: read, fault } = validateAttendeeNames(
    names.map((_, n) => String(n)),
    Object.fromEntries(names.entries()),
  )
  if (fault !== null) throw fileFaultAt(at, fault)
  return omitTrailingBlankNames(names.map((_, n) => read.get(String(n)) ?? ''))
}

const ownerOf = ({ people }: LoadContext) => {
  const owner = Array.from(people.values()).find(({ role, isActive }) => role === 'owner' && isActive)
  if (!owner) throw fileFaultAt(['people'], 'there is no active owner')
  return owner
}
