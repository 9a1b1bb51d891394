import type { ClusterGlyph, Face } from './face.ts'
import { type Box, EMPTY_OUTLINE } from './outline.ts'

const DIRECTORY_START = 12
const DIRECTORY_ENTRY = 16

/** What a character without a glyph would be, which every font has to begin with. It is never drawn. */
export const NOTHING: ClusterGlyph = { text: '', outline: EMPTY_OUTLINE, advance: 0 }

/** A font of just these glyphs, numbered from 1, with what a document needs to draw them and no more. */
export const writeTrueType = (face: Face, used: ClusterGlyph[], box: Box): Buffer => {
  const glyphs = [NOTHING, ...used]
  const loca = Buffer.alloc(4 * (glyphs.length + 1))
  const hmtx = Buffer.alloc(4 * glyphs.length)
  const glyf: Buffer[] = []
  let end = 0
  for (const [index, glyph] of glyphs.entries()) {
    const { outline } = glyph
    const padded = padTo4(outline.bytes)
    glyf.push(padded)
    end += padded.length
    loca.writeUInt32BE(end, 4 * (index + 1))
    hmtx.writeUInt16BE(advanceOf(glyph), 4 * index)
    hmtx.writeInt16BE(outline.box.left, 4 * index + 2)
  }
  return writeTables({
    glyf: Buffer.concat(glyf),
    head: headTable(face, box),
    hhea: hheaTable(face, glyphs),
    hmtx,
    loca,
    maxp: maxpTable(glyphs),
  })
}

const advanceOf = ({ advance }: ClusterGlyph) => Math.max(0, Math.min(advance, 0xffff))

const greatest = (glyphs: ClusterGlyph[], of: (glyph: ClusterGlyph) => number) =>
  glyphs.reduce((most, glyph) => Math.max(most, of(glyph)), 0)

const VERSION_1 = 0x00010000
const HEAD_MAGIC = 0x5f0f3cf5
const LONG_OFFSETS = 1

const headTable = ({ unitsPerEm }: Face, { left, bottom, right, top }: Box): Buffer => {
  const head = Buffer.alloc(54)
  head.writeUInt32BE(VERSION_1, 0)
  head.writeUInt32BE(VERSION_1, 4)
  head.writeUInt32BE(HEAD_MAGIC, 12)
  head.writeUInt16BE(unitsPerEm, 18)
  for (const [index, bound] of [left, bottom, right, top].entries()) head.writeInt16BE(bound, 36 + 2 * index)
  head.writeInt16BE(LONG_OFFSETS, 50)
  return head
}

const hheaTable = ({ ascender, descender }: Face, glyphs: ClusterGlyph[]): Buffer => {
  const hhea = Buffer.alloc(36)
  hhea.writeUInt32BE(VERSION_1, 0)
  hhea.writeInt16BE(ascender, 4)
  hhea.writeInt16BE(descender, 6)
  hhea.writeUInt16BE(greatest(glyphs, advanceOf), 10)
  const uprightCaret = 1
  hhea.writeInt16BE(uprightCaret, 18)
  hhea.writeUInt16BE(glyphs.length, 34)
  return hhea
}

const maxpTable = (glyphs: ClusterGlyph[]): Buffer => {
  const maxp = Buffer.alloc(32)
  maxp.writeUInt32BE(VERSION_1, 0)
  maxp.writeUInt16BE(glyphs.length, 4)
  maxp.writeUInt16BE(
    greatest(glyphs, ({ outline }) => outline.pointCount),
    6,
  )
  maxp.writeUInt16BE(
    greatest(glyphs, ({ outline }) => outline.contourCount),
    8,
  )
  const zonesWithoutHints = 1
  maxp.writeUInt16BE(zonesWithoutHints, 14)
  return maxp
}

/** In the order of their names, as the directory wants it. */
const writeTables = (tables: Record<string, Buffer>): Buffer => {
  const names = Object.keys(tables)
  const power = Math.floor(Math.log2(names.length))
  const directory = Buffer.alloc(DIRECTORY_START + names.length * DIRECTORY_ENTRY)
  directory.writeUInt32BE(VERSION_1, 0)
  directory.writeUInt16BE(names.length, 4)
  directory.writeUInt16BE(2 ** power * DIRECTORY_ENTRY, 6)
  directory.writeUInt16BE(power, 8)
  directory.writeUInt16BE((names.length - 2 ** power) * DIRECTORY_ENTRY, 10)

  const parts: Buffer[] = [directory]
  let start = directory.length
  for (const [index, [name, table]] of Object.entries(tables).entries()) {
    const padded = padTo4(table)
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

const padTo4 = (bytes: Buffer): Buffer =>
  bytes.length % 4 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(4 - (bytes.length % 4))])

const checksumOf = (table: Buffer) => {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}
