import { crc32, inflateRawSync } from 'node:zlib'

const STORED = 0

/** The files of a zip by name, read by its directory at the end; one after the other, so that they need not all be held. */
export const readZip = function* (zip: Buffer): Generator<[name: string, bytes: Buffer]> {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  for (let n = 0; n < count; n++) {
    const [method, sum, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)]
    const nameLength = zip.readUInt16LE(at + 28)
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const packed = zip.subarray(start, start + size)
    const bytes = method === STORED ? packed : inflateRawSync(packed)
    if (crc32(bytes) !== sum) throw new Error(`${name} is damaged`)
    yield [name, bytes]
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}
