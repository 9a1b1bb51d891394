import type { Language } from '../languages/rules.ts'

/** Integer cents inside, decimal strings on the wire, no floats anywhere. */
export interface Money {
  amount: string
  currency: string
}

const MAXIMUM_CENTS = 100_000_000_000_00

const minorDigits = new Map<string, number>()

/** How many decimals a currency has: EUR 2, JPY 0. */
export const minorDigitsOf = (currency: string) => {
  let digits = minorDigits.get(currency)
  if (digits === undefined) {
    digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
    minorDigits.set(currency, digits)
  }
  return digits
}

export const showAmount = (cents: number, currency: string): string => {
  const digits = minorDigitsOf(currency)
  const sign = cents < 0 ? '-' : ''
  const text = String(Math.abs(cents)).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

export const showMoney = (cents: number, currency: string): Money => ({ amount: showAmount(cents, currency), currency })

const formats = new Map<string, Intl.NumberFormat>()

const formatOf = (currency: string, display: 'symbol' | 'code', language: Language) => {
  const key = `${language} ${display} ${currency}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: display })
    formats.set(key, format)
  }
  return format
}

/** For people: €25.00, or 25,00 € in German. */
export const showPrice = ({ amount, currency }: Money, language: Language): string =>
  formatOf(currency, 'symbol', language).format(Number(amount))

/** For people who may not know the currency: 25.00 EUR, or 25,00 EUR in German. */
export const showAmountWithCode = (cents: number, currency: string, language: Language): string => {
  const amount = showAmount(cents, currency)
  return language === 'en' ? `${amount} ${currency}` : formatOf(currency, 'code', language).format(Number(amount))
}

/** The cents of a decimal, or null when it is none, has too many decimals or is past all reason. Never rounds. */
export const parseAmount = (text: string, currency: string): number | null => {
  const match = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text.trim())
  if (!match) return null

  const digits = minorDigitsOf(currency)
  const fraction = match[3] ?? ''
  if (fraction.length > digits) return null

  const cents = Number(match[2] + fraction.padEnd(digits, '0'))
  if (cents > MAXIMUM_CENTS) return null
  return match[1] ? -cents : cents
}

export const isCurrency = (code: string) => /^[A-Z]{3}$/.test(code) && Intl.supportedValuesOf('currency').includes(code)
