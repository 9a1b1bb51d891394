import type { Schemas } from '../../api/client.ts'
import { fold } from '../../ui/fold.ts'

export type SignupRequest = Schemas['SignupRequest']
export type SignupLink = Schemas['SignupForm']

export const STATUSES = ['pending', 'approved', 'rejected'] as const
export type Status = (typeof STATUSES)[number]

/** What became of a row since the page was opened; it stays where it was, so that nothing jumps. */
export type DecisionState =
  | { kind: 'deciding' }
  | { kind: 'approved' }
  | { kind: 'rejected' }
  | { kind: 'failed'; message: string }

export const isDecided = (decision: DecisionState | undefined) =>
  decision?.kind === 'approved' || decision?.kind === 'rejected'

/** Whom the decision is about: the guest and companions, or only companions who were added later. */
export const countPeopleWaiting = ({ pending_addition, party_size }: SignupRequest): number =>
  pending_addition ? pending_addition.companions : party_size

export const companionsWaiting = ({ pending_addition, companions, companion_names }: SignupRequest) =>
  pending_addition
    ? { count: pending_addition.companions, names: pending_addition.companion_names }
    : { count: companions, names: companion_names }

/** An answer in words; an empty one says nothing. */
export const answerText = (value: SignupRequest['answers'][number]['value'], yes: string, no: string): string => {
  if (typeof value === 'boolean') return value ? yes : no
  return Array.isArray(value) ? value.join(', ') : value
}

export interface RequestsOfQuota {
  link: SignupLink
  requests: number
  people: number
  left: number
}

/** Which links the requests are from, how many people that is, and how many of their quota are left. */
export const countByQuota = (requests: readonly SignupRequest[], links: readonly SignupLink[]): RequestsOfQuota[] =>
  links
    .map((link) => {
      const own = requests.filter(({ form_id }) => form_id === link.public_id)
      const people = own.reduce((sum, request) => sum + countPeopleWaiting(request), 0)
      return { link, requests: own.length, people, left: link.remaining_capacity }
    })
    .filter((check) => check.requests > 0)

/** The next row without a decision, after the one given or else before it. */
export const nextUndecidedKey = (
  keys: readonly string[],
  decisions: ReadonlyMap<string, DecisionState>,
  from: string,
): string | null => {
  const at = keys.indexOf(from)
  const isOpen = (key: string) => !isDecided(decisions.get(key)) && decisions.get(key)?.kind !== 'deciding'
  return keys.slice(at + 1).find(isOpen) ?? keys.slice(0, Math.max(0, at)).findLast(isOpen) ?? null
}

const texts = new WeakMap<SignupRequest, string>()

const textOf = (request: SignupRequest): string => {
  const known = texts.get(request)
  if (known !== undefined) return known
  const { name, email, company, companion_names, pending_addition } = request
  const made = fold(
    [name, email, company ?? '', ...companion_names, ...(pending_addition?.companion_names ?? [])].join('\n'),
  )
  texts.set(request, made)
  return made
}

/** Those that have every word that was typed: in a name, an address or a company. */
export const findRequests = (requests: readonly SignupRequest[], text: string): readonly SignupRequest[] => {
  const words = fold(text).split(/\s+/).filter(Boolean)
  return words.length === 0 ? requests : requests.filter((each) => words.every((word) => textOf(each).includes(word)))
}
