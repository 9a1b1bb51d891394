import { showMessage } from '../../src/kernel/message-words.ts'
import { translate } from '../../src/languages/translate.ts'
import { isRefusal } from '../api/client.ts'
import { commonWords } from './common-words.ts'
import { RULE_WORDS } from './rule-words.ts'
import { currentLanguage } from './words.ts'

/** A refusal as a sentence that says what to do. */
export const refusalSentence = (error: unknown): string => {
  const words = commonWords[currentLanguage()].refusals
  if (!isRefusal(error)) return words.unexpected
  if (error.kind === 'too_many') return words.too_many(error.retryAfterSeconds ?? 60)
  // A rule's own words say more than ours.
  const told = error.kind === 'invalid' || error.kind === 'conflict' ? error.fields['base']?.[0] : undefined
  return told === undefined ? words[error.kind] : messageInWords(told)
}

/** What is wrong with each field, for the form that it is shown in. */
export const faultsByField = (error: unknown): Record<string, string> =>
  isRefusal(error)
    ? Object.fromEntries(
        Object.entries(error.fields).map(([field, messages]) => [field, messageInWords(messages[0] ?? '')]),
      )
    : {}

/** A message as it stands in an answer, in the language of whoever reads it. */
export const messageInWords = (message: string): string => {
  const language = currentLanguage()
  const shown = showMessage(message, language)
  return shown === message ? translate(RULE_WORDS, message, language) : shown
}
