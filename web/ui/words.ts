import { useSyncExternalStore } from 'react'

export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The same words in another language: a key that is missing or misspelt does not compile. */
export type SameWords<Words> = {
  [Key in keyof Words]: Words[Key] extends (...given: infer Given) => string
    ? (...given: Given) => string
    : Words[Key] extends string
      ? string
      : SameWords<Words[Key]>
}

export interface Dictionary<Words> {
  en: Words
  de: SameWords<Words>
}

/** The words of a room, in every language. */
export const defineWords = <const Words extends object>(
  en: Words,
  de: SameWords<Words>,
): Dictionary<SameWords<Words>> => ({
  en: en as SameWords<Words>,
  de: de as unknown as SameWords<SameWords<Words>>,
})

const KEY = 'foyer.language'
const listeners = new Set<() => void>()

/** What the person chose on this device, else what their browser asks for. */
const readLanguage = (): Language => {
  const wishes = [localStorage.getItem(KEY), ...navigator.languages]
  for (const wish of wishes) {
    const known = LANGUAGES.find((language) => wish === language || wish?.startsWith(`${language}-`))
    if (known) return known
  }
  return 'en'
}

let language: Language | undefined

export const currentLanguage = (): Language => (language ??= readLanguage())

export const chooseLanguage = (chosen: Language): void => {
  language = chosen
  localStorage.setItem(KEY, chosen)
  document.documentElement.lang = chosen
  for (const listener of listeners) listener()
}

const listen = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLanguage = (): Language => useSyncExternalStore(listen, currentLanguage)

export const useWords = <Words>(dictionary: Dictionary<Words>): Words => {
  const chosen = useLanguage()
  return dictionary[chosen] as Words
}
