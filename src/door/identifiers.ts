import type { CallerScope } from '../access/scopes.ts'
import { isCode, normalizeCode } from '../kernel/rules.ts'
import type { TicketIdentifier } from './records.ts'

/** Generous enough for a bad camera; too few to guess a code of forty bits. */
const UNKNOWN_IDENTIFIERS_PER_MINUTE = 300

/** What was scanned or typed. A code may be typed in any case, with or without its hyphen; a public ID is exact. */
export const parseIdentifier = (identifier: string): TicketIdentifier => {
  const code = normalizeCode(identifier)
  return { publicId: identifier, code: isCode(code) ? code : null }
}

/** No row can hold a zero byte, so such a text names nothing. */
export const isStorableIdentifier = (identifier: string) => identifier.length <= 255 && !identifier.includes('\0')

/**
 * Looks up what was named, unless the credential has named too much that does not exist; what does not exist is counted
 * against it.
 */
export const lookUpWithinGuessBudget = <T>(
  scope: CallerScope,
  lookUp: () => Promise<T | undefined>,
): Promise<T | undefined> =>
  scope.app.budgets
    .shared('unknown identifiers of a credential', UNKNOWN_IDENTIFIERS_PER_MINUTE)
    .guess(scope.credential.id, 1, async () => {
      const known = await lookUp()
      return { found: known, misses: known === undefined ? 1 : 0 }
    })
