const digitsByCurrency = new Map<string, number>()

/** How many decimals a currency has: EUR 2, JPY 0. */
const minorDigitsOf = (currency: string): number => {
  const known = digitsByCurrency.get(currency)
  if (known !== undefined) return known
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  digitsByCurrency.set(currency, digits)
  return digits
}

/** An amount as the API tells it, a decimal string, in the smallest unit of its currency: sums are made of these. */
export const parseCents = (amount: string, currency: string): number => {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  const cents = Number(whole + fraction.padEnd(minorDigitsOf(currency), '0'))
  return amount.startsWith('-') ? -cents : cents
}

/** The other way round: cents as the API takes them. */
export const formatCents = (cents: number, currency: string): string => {
  const digits = minorDigitsOf(currency)
  const text = String(Math.abs(cents)).padStart(digits + 1, '0')
  const sign = cents < 0 ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/**
 * What somebody typed as the API takes it. In many places a comma stands where the API has a point; of two marks the
 * last one is meant. Whatever is no amount goes along as it is, so that the server says what is wrong with it.
 */
export const normalizeTypedAmount = (typed: string): string => {
  const text = typed.trim().replaceAll(/\s/g, '')
  const last = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  if (last < 0) return text
  const isGrouped = new Set(text.match(/[.,]/g)).size === 2
  return `${isGrouped ? text.slice(0, last).replaceAll(/[.,]/g, '') : text.slice(0, last)}.${text.slice(last + 1)}`
}

/** The cents of what somebody typed; null where it is no amount of this currency. */
export const parseTypedCents = (typed: string, currency: string): number | null => {
  const amount = normalizeTypedAmount(typed)
  const fraction = /^\d{1,12}(?:\.(\d+))?$/.exec(amount)
  return fraction && (fraction[1]?.length ?? 0) <= minorDigitsOf(currency) ? parseCents(amount, currency) : null
}
