import { randomBytes } from 'node:crypto'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const WITHOUT_LOOKALIKES = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

const PUBLIC_ID_LENGTH = 22
const CODE_LENGTH = 8

/** An opaque ID of 128 random bits. Bytes past the last whole multiple of 58 are drawn again, so no letter is likelier. */
export const newPublicId = (): string => {
  let id = ''
  while (id.length < PUBLIC_ID_LENGTH) {
    for (const byte of randomBytes(32)) {
      if (byte < 232 && id.length < PUBLIC_ID_LENGTH) id += BASE58[byte % 58]
    }
  }
  return id
}

/** A code that people read aloud and type: order codes, check-in codes. 32 letters divide a byte evenly. */
export const newCode = (length = CODE_LENGTH): string =>
  Array.from(randomBytes(length), (byte) => WITHOUT_LOOKALIKES[byte % 32]).join('')

export const displayCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`

export const TICKET_COLORS = [
  '#2f6fed',
  '#0f9d7a',
  '#c2410c',
  '#7c3aed',
  '#be185d',
  '#0e7490',
  '#a16207',
  '#475569',
] as const
