import { type Language, LANGUAGES, languageOrFallback } from '../languages/rules.ts'
import { parseQualityWeights } from './negotiation.ts'
import type { RequestHeaders } from './headers.ts'

const KNOWN_MAX = 200
const KNOWN_LENGTH_MAX = 200
const known = new Map<string, Language | null>()

/** The one language of Foyer that a browser would rather read than the others; null where it does not mind. */
export const preferredLanguage = (header: string | string[] | undefined): Language | null => {
  if (header === undefined) return null
  const text = String(header)
  const before = known.get(text)
  if (before !== undefined) return before
  const preferred = choose(text)
  if (known.size >= KNOWN_MAX) known.clear()
  if (text.length <= KNOWN_LENGTH_MAX) known.set(text, preferred)
  return preferred
}

const choose = (header: string): Language | null => {
  const wanted = new Map<string, number>()
  for (const [range, quality] of parseQualityWeights(header)) {
    // Swiss and Austrian readers get the German there is.
    const name = range.split('-', 1)[0]!
    wanted.set(name, Math.max(wanted.get(name) ?? 0, quality))
  }
  const weightOf = (language: Language) => wanted.get(language) ?? wanted.get('*') ?? 0
  const most = Math.max(...LANGUAGES.map(weightOf))
  const preferred = LANGUAGES.filter((language) => weightOf(language) === most)
  return most > 0 && preferred.length === 1 ? preferred[0]! : null
}

/** The account's language, unless the browser asks for another one that Foyer speaks. */
export const languageOfRequest = (account: { language: string } | null, headers: RequestHeaders): Language =>
  preferredLanguage(headers['accept-language']) ?? languageOrFallback(account?.language)

/** Caches keep the languages of a page apart. */
export const varyWithLanguage = (vary: unknown): string => {
  if (typeof vary !== 'string' || vary === '') return 'Accept-Language'
  return /accept-language/i.test(vary) ? vary : `${vary}, Accept-Language`
}
