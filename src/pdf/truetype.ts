/** A font file's tables by name. */
export type Tables = Map<string, Buffer>

const DIRECTORY_START = 12
const DIRECTORY_ENTRY = 16

export const readTables = (file: Buffer): Tables => {
  const tables: Tables = new Map()
  for (let index = 0; index < file.readUInt16BE(4); index += 1) {
    const at = DIRECTORY_START + index * DIRECTORY_ENTRY
    const start = file.readUInt32BE(at + 8)
    tables.set(file.toString('latin1', at, at + 4), file.subarray(start, start + file.readUInt32BE(at + 12)))
  }
  return tables
}

export const tableOf = (tables: Tables, name: string): Buffer => {
  const table = tables.get(name)
  if (!table) throw new Error(`The font has no table ${name}`)
  return table
}

export const writeTables = (tables: Tables): Buffer => {
  const names = Array.from(tables.keys()).toSorted()
  const power = Math.floor(Math.log2(names.length))
  const directory = Buffer.alloc(DIRECTORY_START + names.length * DIRECTORY_ENTRY)
  directory.writeUInt32BE(0x00010000, 0)
  directory.writeUInt16BE(names.length, 4)
  directory.writeUInt16BE(2 ** power * DIRECTORY_ENTRY, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE((names.length - 2 ** power) * DIRECTORY_ENTRY, 10)

  const parts = [directory]
  let start = directory.length
  for (const [index, name] of names.entries()) {
    const table = tableOf(tables, name)
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4)
    table.copy(padded)
    const at = DIRECTORY_START + index * DIRECTORY_ENTRY
    directory.write(name, at, 'latin1')
    directory.writeUInt32BE(checksumOf(padded), at + 4)
    directory.writeUInt32BE(start, at + 8)
    directory.writeUInt32BE(table.length, at + 12)
    parts.push(padded)
    start += padded.length
  }
  return Buffer.concat(parts)
}

const checksumOf = (table: Buffer) => {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}

/** Where each glyph of the file begins, and where the last one ends. */
export const readOffsets = (tables: Tables): number[] => {
  const loca = tableOf(tables, 'loca')
  const isLong = tableOf(tables, 'head').readUInt16BE(50) === 1
  return Array.from({ length: tableOf(tables, 'maxp').readUInt16BE(4) + 1 }, (_each, index) =>
    isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index),
  )
}
