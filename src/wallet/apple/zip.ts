import { crc32 } from 'node:zlib'

/** The first day that a zip file knows: what a pass holds is told by its manifest, not by the times of its files. */
const DATE = 0x0021
const UTF8_NAMES = 0x0800

/** Files in one zip, stored as they are: pictures are small already, and the rest is short. */
export const zipFiles = (files: ReadonlyMap<string, Buffer>): Buffer => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, bytes] of files) {
    const path = Buffer.from(name)
    const facts = factsOf(path, bytes)
    const local = Buffer.concat([headOf(0x04034b50, [[20, 2]]), facts, numbers([[0, 2]]), path, bytes])
    const central = [
      headOf(0x02014b50, [
        [20, 2],
        [20, 2],
      ]),
      facts,
      numbers([
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [0, 4],
        [at, 4],
      ]),
      path,
    ]
    bodies.push(local)
    directory.push(...central)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const end = headOf(0x06054b50, [
    [0, 2],
    [0, 2],
    [files.size, 2],
    [files.size, 2],
    [listed.length, 4],
    [at, 4],
    [0, 2],
  ])
  return Buffer.concat([...bodies, listed, end])
}

/** Flags, no compression, time, day, checksum, both sizes and the length of the name: the same in both places. */
const factsOf = (path: Buffer, bytes: Buffer) =>
  numbers([
    [UTF8_NAMES, 2],
    [0, 2],
    [0, 2],
    [DATE, 2],
    [crc32(bytes), 4],
    [bytes.length, 4],
    [bytes.length, 4],
    [path.length, 2],
  ])

type Numbers = readonly (readonly [value: number, bytes: 2 | 4])[]

const headOf = (signature: number, rest: Numbers) => numbers([[signature, 4], ...rest])

const numbers = (list: Numbers): Buffer => {
  const written = Buffer.alloc(list.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of list) at = written.writeUIntLE(value, at, bytes)
  return written
}
