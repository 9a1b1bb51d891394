const TEXT = /^(\d{1,3})(?:\.(\d{1,2}))?$/

export const TAX_RATE_MAX = 10_000

/** Hundredths of a percent of "19", "19.0" or "19.00"; null when it is no percentage from 0 to 100. */
export const parseTaxRate = (text: string): number | null => {
  const match = TEXT.exec(text.trim())
  if (!match) return null
  const rate = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return rate <= TAX_RATE_MAX ? rate : null
}

/** "19.00" */
export const showTaxRate = (rate: number): string => (rate / 100).toFixed(2)
