/** What a receipt lists: one kind of thing at one price. Negative where it is given back. */
export interface ReceiptLine {
  title: string
  quantity: number
  unit_cents: number
  total_cents: number
  /** In hundredths of a percent. */
  tax_rate: number
}

/** What was sold at one rate: the tax is part of the gross amount. */
export interface TaxLine {
  rate: number
  net_cents: number
  tax_cents: number
  gross_cents: number
}

const FULL_RATE = 10_000

/**
 * The lines of a receipt by tax rate. The tax is taken out of the sum of a rate, and rounded once: half a cent away from
 * zero, so that what is given back is what was taken.
 */
const taxLinesOf = (lines: readonly Pick<ReceiptLine, 'total_cents' | 'tax_rate'>[]): TaxLine[] => {
  const byRate = Map.groupBy(lines, (line) => line.tax_rate)
  return [...byRate.entries()]
    .toSorted(([a], [b]) => b - a)
    .map(([rate, same]) => {
      const gross = same.reduce((sum, line) => sum + line.total_cents, 0)
      const tax = includedTax(gross, rate)
      return { rate, net_cents: gross - tax, tax_cents: tax, gross_cents: gross }
    })
}

/** The same where vouchers have paid a part that was taxed when they were sold: it is taxed once. */
export const taxLinesAfter = (
  lines: readonly Pick<ReceiptLine, 'total_cents' | 'tax_rate'>[],
  taxedBefore: readonly { rate: number; cents: number }[],
): TaxLine[] =>
  taxLinesOf([...lines, ...taxedBefore.map(({ rate, cents }) => ({ total_cents: -cents, tax_rate: rate }))])

/** What refunds of a sale have given back at one rate. */
export interface GivenBackAtRate {
  rate: number
  grossCents: number
  taxCents: number
}

/**
 * The lines of a refund after others of the same sale. The tax of all of them together is rounded once, so that a sale that
 * is given back in parts leaves no cent of tax.
 */
export const taxLinesOfRefund = (
  lines: readonly Pick<ReceiptLine, 'total_cents' | 'tax_rate'>[],
  returned: readonly { rate: number; cents: number }[],
  before: readonly GivenBackAtRate[],
): TaxLine[] =>
  taxLinesAfter(lines, returned).map((line) => {
    const earlier = before.find(({ rate }) => rate === line.rate)
    if (!earlier) return line
    const tax = includedTax(earlier.grossCents + line.gross_cents, line.rate) - earlier.taxCents
    return { ...line, net_cents: line.gross_cents - tax, tax_cents: tax }
  })

const includedTax = (gross: number, rate: number): number => {
  const parts = BigInt(Math.abs(gross)) * BigInt(rate)
  const whole = BigInt(FULL_RATE + rate)
  const rounded = Number((2n * parts + whole) / (2n * whole))
  return gross < 0 ? -rounded : rounded
}
