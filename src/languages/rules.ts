/**
 * What Foyer says to people it says in these languages. Each room that speaks has a `words.ts` beside its pages or
 * mails: `export const DOOR_WORDS = defineWords({ … in English … }, { … in German … })`, and takes them by
 * `DOOR_WORDS[language]`. A word that is missing in one language, misspelt, or takes other things than in English does
 * not compile. Sentences with something in them are functions; numbers go through `plural`, moments through
 * kernel/times.ts and money through kernel/money.ts, all of which ask for the language. A page takes its language from
 * `languageOfRequest` (http/request-language.ts), a mail from what is known of its reader, else from the account.
 */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Where nothing better is known. */
export const FALLBACK_LANGUAGE: Language = 'en'

/** What was stored or sent as a language, as one that Foyer speaks. */
export const languageOrFallback = (name: string | null | undefined): Language =>
  LANGUAGES.find((language) => language === name) ?? FALLBACK_LANGUAGE

/** The same words in another language: a key that is missing or misspelt does not compile. */
export type WordsOfSameKeys<Words> = {
  [Key in keyof Words]: Words[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Words[Key] extends string
      ? string
      : WordsOfSameKeys<Words[Key]>
}

export type Dictionary<Words> = Record<Language, Words>

/** The words of a room, in every language. */
export const defineWords = <const Words extends object>(
  en: Words,
  de: WordsOfSameKeys<Words>,
): Dictionary<WordsOfSameKeys<Words>> => ({
  en: en as WordsOfSameKeys<Words>,
  de,
})

const pluralRules = new Map<Language, Intl.PluralRules>()

/** The form that goes with a number. */
export const plural = (language: Language, count: number, forms: { one: string; other: string }): string => {
  let rules = pluralRules.get(language)
  if (!rules) {
    rules = new Intl.PluralRules(language)
    pluralRules.set(language, rules)
  }
  return rules.select(count) === 'one' ? forms.one : forms.other
}
