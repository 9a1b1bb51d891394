import { useMemo } from 'react'
import { type Language, useLanguage } from './words.ts'

/** Formats are dear to make and asked for in every row. */
const remembered = <T>(make: (key: string) => T) => {
  const known = new Map<string, T>()
  return (key: string): T => {
    const before = known.get(key)
    if (before !== undefined) return before
    const made = make(key)
    known.set(key, made)
    return made
  }
}

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

const dateFormat = remembered((key) => {
  const [language, timeZone, style] = JSON.parse(key) as [Language, string, keyof typeof STYLES]
  return new Intl.DateTimeFormat(LOCALES[language], { ...STYLES[style], timeZone })
})

const STYLES = {
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  dayAndYear: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  moment: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  momentAndYear: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short', year: '2-digit' },
  weekday: { weekday: 'short' },
  dayOfMonth: { day: 'numeric' },
  zone: { timeZoneName: 'short', hour: '2-digit' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const moneyFormat = remembered((key) => {
  const [language, currency] = JSON.parse(key) as [Language, string]
  return new Intl.NumberFormat(LOCALES[language], { style: 'currency', currency })
})

const numberFormat = remembered((language) => new Intl.NumberFormat(LOCALES[language as Language]))

/** Times in the zone of the event they are about, wherever the person reading them is. */
export const createFormat = (language: Language) => {
  const date = (iso: string, zone: string, style: keyof typeof STYLES) =>
    dateFormat(JSON.stringify([language, zone, style])).format(new Date(iso))
  return {
    date,
    /** The day in that zone as 2026-12-31, to compare days by. */
    dayKey: (at: Date, zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at),
    /** An amount as the API tells it, a decimal string. */
    money: (amount: string, currency: string) =>
      moneyFormat(JSON.stringify([language, currency])).format(amount as `${number}`),
    number: (value: number) => numberFormat(language).format(value),
    /** Said only where the reader's own clock shows another time. */
    zoneHint: (iso: string, zone: string): string | null => {
      const own = Intl.DateTimeFormat().resolvedOptions().timeZone
      if (date(iso, own, 'moment') === date(iso, zone, 'moment')) return null
      return zone.split('/').at(-1)!.replaceAll('_', ' ')
    },
  }
}

export type Format = ReturnType<typeof createFormat>

export const useFormat = (): Format => {
  const language = useLanguage()
  return useMemo(() => createFormat(language), [language])
}
