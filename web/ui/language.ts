import { type Language, LANGUAGES, defineWords } from '../../src/languages/rules.ts'

export { type Language, defineWords }
export type { Dictionary } from '../../src/languages/rules.ts'

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

/** Told whenever the person chooses another one. */
export const listenToLanguage = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
