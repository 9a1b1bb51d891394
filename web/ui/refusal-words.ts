import { isRefusal } from '../api/client.ts'
import { commonWords } from './common-words.ts'
import { currentLanguage } from './words.ts'

/** A refusal as a sentence that says what to do. */
export const refusalSentence = (error: unknown): string => {
  const words = commonWords[currentLanguage()].refusals
  if (!isRefusal(error)) return words.unexpected
  if (error.kind === 'too_many') return words.too_many(error.retryAfterSeconds ?? 60)
  // A rule's own words say more than ours.
  if (error.kind === 'invalid' || error.kind === 'conflict') return error.fields['base']?.[0] ?? words[error.kind]
  return words[error.kind]
}

/** What is wrong with each field, for the form that it is shown in. */
export const faultsByField = (error: unknown): Record<string, string> =>
  isRefusal(error)
    ? Object.fromEntries(Object.entries(error.fields).map(([field, messages]) => [field, messages[0] ?? '']))
    : {}
