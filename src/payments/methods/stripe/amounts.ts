import { showAmount } from '../../../kernel/money.ts'
import { ProviderRefused } from '../../payment-method.ts'

/** Stripe's own idea of decimals, which is not everywhere that of ISO 4217. */
const WITHOUT_DECIMALS = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const WITH_THREE_DECIMALS = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

/** An amount as Stripe counts it; refused where that would need rounding. */
export const stripeAmount = (cents: number, currency: string): number => {
  const digits = WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE_DECIMALS.has(currency) ? 3 : 2
  const [whole = '', fraction = ''] = showAmount(cents, currency).split('.')
  const isTaken = !/[1-9]/.test(fraction.slice(digits)) && (digits < 3 || fraction.endsWith('0'))
  if (!isTaken) throw new ProviderRefused(`Stripe takes no such amount of ${currency}`)
  return Number(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}
