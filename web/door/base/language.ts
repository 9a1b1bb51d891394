import { signal } from '@preact/signals'
import { type Dictionary, type Language, currentLanguage, listenToLanguage } from '../../ui/language.ts'

const language = signal<Language>('en')

/** Called once, before anything is shown. */
export const applyLanguage = (): void => {
  const take = () => {
    language.value = currentLanguage()
    document.documentElement.lang = language.value
  }
  take()
  listenToLanguage(take)
}

/** The words of a room in the language of this phone; whoever shows them is shown anew when it changes. */
export const wordsOf = <Words>(dictionary: Dictionary<Words>): Words => dictionary[language.value]

export const chosenLanguage = (): Language => language.value

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

export const showTime = (at: string | number): string =>
  new Intl.DateTimeFormat(LOCALES[language.value], { hour: '2-digit', minute: '2-digit' }).format(new Date(at))

export const showDay = (at: string): string =>
  new Intl.DateTimeFormat(LOCALES[language.value], {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))

const THOUSANDS: Record<Language, string> = { en: ',', de: '.' }

/** By hand: the first number format of a page takes a slow phone a fifth of a second. */
export const showNumber = (value: number): string =>
  String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, THOUSANDS[language.value])
