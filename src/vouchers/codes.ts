import type { Secrets } from '../kernel/secrets.ts'
import { newCode } from '../kernel/public-ids.ts'

/** 32 letters without look-alikes, sixteen times: 80 random bits. */
const CODE_LENGTH = 16
export const CODE_LENGTH_MIN = 12
export const CODE_LENGTH_MAX = 64
const SUFFIX_LENGTH = 4

const FINDING = 'voucher codes: finding'
const EXPORT = 'voucher codes: export'

/** A code as the database keeps it: found by its digest, read back only for the export and the buyer, shown by its end. */
export interface SealedCode {
  digest: Buffer
  sealed: Buffer
  suffix: string
}

/** A new code in the form people read it in. */
export const newVoucherCode = (): string => newCode(CODE_LENGTH).match(/.{4}/g)!.join('-')

/** What was typed or imported, without spaces, hyphens and underscores; anything but letters and digits stays in. */
export const normalizeVoucherCode = (typed: string): string =>
  typed.replace(/[\s_-]/g, '').replace(/[a-z]+/g, (letters) => letters.toUpperCase())

export const isVoucherCode = (code: string): boolean =>
  code.length >= CODE_LENGTH_MIN && code.length <= CODE_LENGTH_MAX && /^[A-Z0-9]+$/.test(code)

/** The account is part of the text, so that the same code in two accounts does not look the same in the database. */
export const digestOfCode = (secrets: Secrets, accountId: number, typed: string): Buffer =>
  secrets.sign(FINDING, `${accountId}/${normalizeVoucherCode(typed)}`)

export const sealCode = (secrets: Secrets, accountId: number, code: string): SealedCode => ({
  digest: digestOfCode(secrets, accountId, code),
  sealed: secrets.seal(EXPORT, code),
  suffix: code.slice(-SUFFIX_LENGTH),
})

export const unsealCode = (secrets: Secrets, sealed: Buffer): string => secrets.open(EXPORT, sealed)

export const maskedCodeOf = (suffix: string): string => `****-****-****-${suffix}`
