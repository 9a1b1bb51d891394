/**
 * Codes that somebody has typed or was shown on this page, by voucher. A code is as good as money: it is kept nowhere
 * but in the memory of the page, never in an address, and is gone with the tab.
 */
const codes = new Map<string, string>()

export const rememberCode = (voucherId: string, code: string) => {
  codes.set(voucherId, formatCode(code))
}

export const knownCodeOf = (voucherId: string): string | null => codes.get(voucherId) ?? null

/** As it is printed: in fours, where it was typed without a hyphen. */
const formatCode = (typed: string): string => {
  const code = typed.trim().toUpperCase()
  return /^[A-Z0-9]{16}$/.test(code) ? code.match(/.{4}/g)!.join('-') : code
}
