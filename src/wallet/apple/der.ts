/** The few types of ASN.1 that signatures and certificates are made of, written in DER. */

const TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
} as const

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

const tagged = (tag: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])

export const derSequence = (...parts: readonly Buffer[]): Buffer => tagged(TAGS.sequence, Buffer.concat(parts))

/** DER wants the members of a set in the order of their bytes. */
export const derSetOf = (...parts: readonly Buffer[]): Buffer =>
  tagged(TAGS.set, Buffer.concat(parts.toSorted((a, b) => Buffer.compare(a, b))))

/** A context tag around what is constructed. */
export const derContextTag = (number: number, ...parts: readonly Buffer[]): Buffer =>
  tagged(0xa0 | number, Buffer.concat(parts))

export const derOctetString = (bytes: Buffer): Buffer => tagged(TAGS.octetString, bytes)
export const derBitString = (bytes: Buffer, unusedBits = 0): Buffer =>
  tagged(TAGS.bitString, Buffer.concat([Buffer.from([unusedBits]), bytes]))
export const derNull = (): Buffer => tagged(TAGS.null, Buffer.alloc(0))
export const derTrue = (): Buffer => tagged(TAGS.boolean, Buffer.from([0xff]))
export const derUtf8 = (text: string): Buffer => tagged(TAGS.utf8, Buffer.from(text))

/** A number that is not negative, as its bytes. */
export const derInteger = (bytes: Buffer): Buffer => {
  const first = bytes.findIndex((byte) => byte !== 0)
  const short = first === -1 ? Buffer.from([0]) : bytes.subarray(first)
  return tagged(TAGS.integer, short[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), short]) : short)
}

export const derObjectId = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const digits = [arc & 0x7f]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left & 0x7f) | 0x80)
    bytes.push(...digits)
  }
  return tagged(TAGS.oid, Buffer.from(bytes))
}

/** Of this half of the century, which is all that this form can tell. */
export const derUtcTime = (time: Date): Buffer => {
  const digits = time.toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return tagged(TAGS.utcTime, Buffer.from(`${digits}Z`))
}

export interface DerValue {
  tag: number
  /** With its tag and length. */
  whole: Buffer
  content: Buffer
}

/** The values that follow each other in these bytes; throws where they are no DER. */
export const readDerValues = (bytes: Buffer): DerValue[] => {
  const values: DerValue[] = []
  let at = 0
  while (at < bytes.length) {
    const value = readValue(bytes, at)
    values.push(value)
    at += value.whole.length
  }
  return values
}

const readValue = (bytes: Buffer, at: number): DerValue => {
  const tag = bytes.readUInt8(at)
  const short = bytes.readUInt8(at + 1)
  const digits = short < 0x80 ? 0 : short & 0x7f
  if (digits > 4) throw new RangeError('A value is too long')
  const length = digits === 0 ? short : bytes.readUIntBE(at + 2, digits)
  const start = at + 2 + digits
  if (start + length > bytes.length) throw new RangeError('A value is cut off')
  return { tag, whole: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}
