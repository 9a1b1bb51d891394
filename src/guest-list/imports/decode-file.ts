import { FileFault } from './file-fault.ts'

export const NOT_A_TEXT_FILE_MESSAGE = 'is not a text file; save the table as CSV'
const NOT_IN_THIS_ENCODING = 'cannot be read in this encoding'

/** Workbooks, archives, PDF and pictures begin like this. */
const BINARY_BEGINNINGS = ['504b0304', '504b0506', 'd0cf11e0', '25504446', '89504e47', 'ffd8ff', '47494638', '1f8b']

const BYTE_ORDER_MARKS = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
] as const

/** What no line of a table contains. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

export interface DecodedFile {
  text: string
  encoding: string
}

/**
 * The text of a file in whatever encoding it was saved. Where nobody says which, a byte order mark does, or what only
 * one of them can be; the rest is taken for what western Windows writes.
 */
export const decodeFile = (bytes: Buffer, said: string | null): DecodedFile => {
  const head = bytes.subarray(0, 8).toString('hex')
  if (BINARY_BEGINNINGS.some((beginning) => head.startsWith(beginning))) throw new FileFault(NOT_A_TEXT_FILE_MESSAGE)
  const encoding = said ?? guessEncoding(bytes, head)
  const text = decode(bytes, encoding)
  if (CONTROL.test(text)) throw new FileFault(said ? NOT_IN_THIS_ENCODING : NOT_A_TEXT_FILE_MESSAGE)
  return { text, encoding }
}

const decode = (bytes: Buffer, encoding: string): string => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new FileFault(NOT_IN_THIS_ENCODING)
  }
}

const guessEncoding = (bytes: Buffer, head: string): string => {
  const marked = BYTE_ORDER_MARKS.find(([mark]) => head.startsWith(mark))
  if (marked) return marked[1]
  const unmarked = guessWide(bytes)
  if (unmarked) return unmarked
  if (isUtf8(bytes)) return 'utf-8'
  // Old Macs end their lines with a carriage return alone.
  return bytes.includes(0x0d) && !bytes.includes(0x0a) ? 'macintosh' : 'windows-1252'
}

/** Of plain letters in two bytes every other one is zero. */
const guessWide = (bytes: Buffer): string | null => {
  const some = bytes.subarray(0, 4096)
  const zeros = [0, 0]
  for (let at = 0; at < some.length; at++) if (some[at] === 0) zeros[at % 2]!++
  const [even, odd] = zeros as [number, number]
  if (odd > some.length / 8 && even === 0) return 'utf-16le'
  return even > some.length / 8 && odd === 0 ? 'utf-16be' : null
}

const isUtf8 = (bytes: Buffer) => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The name that the encoding standard has for it; null: nobody knows it. */
export const canonicalEncodingName = (label: string): string | null => {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return null
  }
}
