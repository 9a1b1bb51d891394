import type { NewAdmission } from '../../admissions/issue-order.ts'
import type { AnswerValue, Answers } from '../../admissions/rules.ts'
import { refuseUnless } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'

export const REQUESTS_PER_PAGE = 25
export const REQUESTS_PER_PAGE_MAX = 250
export const APPROVALS_MAX = 500

export const REQUEST_STATUSES = ['pending', 'approved', 'rejected'] as const
export type RequestStatus = (typeof REQUEST_STATUSES)[number]

/** An answer with its question as it was asked, so that it stays readable when the question is gone. */
export interface AnswerWithQuestion {
  id: number
  label: string
  type: string
  value: AnswerValue
}

/** Companions a guest added after the approval. */
export interface Addition {
  id: number
  companions: number
  companionNames: string[]
  createdAt: Date
  decidedAt: Date | null
  orderPublicId: string | null
  orderId: number | null
}

export interface SignupRequest {
  id: number
  publicId: string
  linkPublicId: string
  name: string
  email: string
  company: string | null
  phone: string | null
  companions: number
  companionNames: string[]
  answers: AnswerWithQuestion[]
  /** What the guest read when they signed up; null where nobody knows. */
  language: Language | null
  createdAt: Date
  reviewedAt: Date | null
  orderId: number | null
  orderPublicId: string | null
  /** In the order they were added. */
  additions: Addition[]
}

export const requestStatusOf = ({
  reviewedAt,
  orderId,
}: Pick<SignupRequest, 'reviewedAt' | 'orderId'>): RequestStatus => {
  if (reviewedAt === null) return 'pending'
  return orderId === null ? 'rejected' : 'approved'
}

const isWaiting = ({ decidedAt }: Addition) => decidedAt === null
export const waitingAddition = ({ additions }: SignupRequest) => additions.find(isWaiting) ?? null
export const approvedAdditions = ({ additions }: SignupRequest) => additions.filter(({ orderId }) => orderId !== null)

/** The parties that came of it, whatever became of them. */
export const orderIdsOf = (request: SignupRequest) =>
  [request, ...request.additions].flatMap(({ orderId }) => orderId ?? [])

const companionsOf = (groups: readonly { companions: number }[]) =>
  groups.reduce((sum, { companions }) => sum + companions, 0)

export const partySize = ({ companions }: Pick<SignupRequest, 'companions'>) => 1 + companions
export const approvedPartySize = (request: SignupRequest) =>
  partySize(request) + companionsOf(approvedAdditions(request))

/** Everybody a guest brings or wants to bring. Those who were declined do not count, those cancelled later do. */
export const countAllCompanions = (request: SignupRequest) =>
  request.companions + companionsOf(request.additions.filter((each) => each.orderId !== null || isWaiting(each)))

export type PendingDecision =
  | { kind: 'request' }
  | { kind: 'addition'; addition: Addition }
  | { kind: 'decided'; wasApproved: boolean }

/** What a decision is about: what waits, or else what was decided last. */
export const pendingDecisionOf = (request: SignupRequest): PendingDecision => {
  if (request.reviewedAt === null) return { kind: 'request' }
  const addition = waitingAddition(request)
  if (addition) return { kind: 'addition', addition }

  const last = request.additions.toSorted((a, b) => Number(a.decidedAt) - Number(b.decidedAt) || a.id - b.id).at(-1)
  return { kind: 'decided', wasApproved: (last ?? request).orderId !== null }
}

/** The same decision once more is no harm; another one comes too late. */
export const refuseOtherDecision = (wasApproved: boolean, approves: boolean) =>
  refuseUnless(wasApproved === approves, 'This request has already been reviewed')

const companion = (name: string | undefined): NewAdmission => ({
  isLead: false,
  attendeeName: name || null,
  answers: {},
})

export const newAdmissionsOfRequest = ({ companions, companionNames }: SignupRequest): NewAdmission[] => [
  { isLead: true, attendeeName: null, answers: {} },
  ...newAdmissionsOfAddition({ companions, companionNames }),
]

/** The lead has a ticket already, so the party of an addition has companions only. */
export const newAdmissionsOfAddition = ({
  companions,
  companionNames,
}: Pick<Addition, 'companions' | 'companionNames'>) =>
  Array.from({ length: companions }, (_, n) => companion(companionNames[n]))

export const answerValuesById = ({ answers }: Pick<SignupRequest, 'answers'>): Answers =>
  Object.fromEntries(answers.map(({ id, value }) => [id, value]))

/** Names of companions by position; who has none at the end is left out. */
export const omitTrailingBlankNames = (names: readonly string[]) =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1)

/** The names of two groups that become one. */
export const mergeCompanionNames = (
  first: { companions: number; companionNames: readonly string[] },
  second: { companionNames: readonly string[] },
) => {
  const padded = Array.from({ length: first.companions }, (_, n) => first.companionNames[n] ?? '')
  return omitTrailingBlankNames([...padded, ...second.companionNames])
}
