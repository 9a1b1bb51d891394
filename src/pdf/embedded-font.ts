import type { ClusterGlyph, Face } from './face.ts'
import { type Box, boxAround } from './outline.ts'
import { pack, packTightly, type PdfFile, pdfNumber, referenceTo, toHex, toUtf16 } from './pdf-file.ts'
import { NOTHING, writeTrueType } from './truetype.ts'

/** The glyphs of a face that one document uses, numbered as they come. */
export interface EmbeddedFont {
  /** As the pages' resources name it. */
  readonly name: string
  /** The object's. */
  readonly number: number
  /** Four hexadecimal digits. */
  codeOf(glyph: ClusterGlyph): string
  /** Once the last glyph was asked for. */
  write(): void
}

export const openEmbeddedFont = (file: PdfFile, face: Face, count: number): EmbeddedFont => {
  const common = commonFontOf(face)
  const used = new Map<ClusterGlyph, string>()
  const number = file.reserve()
  let ownCount = 0

  const newCode = (glyph: ClusterGlyph) => {
    const shared = common.codes.get(glyph)
    if (shared === undefined) ownCount += 1
    return shared ?? toHex(common.codes.size + ownCount)
  }

  return {
    name: `F${count}`,
    number,
    codeOf: (glyph) => {
      const known = used.get(glyph)
      if (known) return known
      const code = newCode(glyph)
      used.set(glyph, code)
      return code
    },
    write: () => {
      const parts = ownCount === 0 ? common.parts() : partsOf(face, used, pack)
      file.write(number, fontDictionary(file, face, `${subsetTag(count)}+${face.name}`, parts))
    },
  }
}

/** What a font dictionary refers to. */
interface FontParts {
  box: Box
  widths: string
  /** Both packed. */
  program: Buffer
  toUnicode: Buffer
}

interface CommonFont {
  codes: ReadonlyMap<ClusterGlyph, string>
  parts(): FontParts
}

const commonFonts = new WeakMap<Face, CommonFont>()

/**
 * A font of the glyphs that most documents need, made once. A document that needs no others takes it as it is; it has
 * glyphs that it does not need, and is written without cutting and packing a font, which took longer than its pages.
 */
const commonFontOf = (face: Face): CommonFont => {
  const known = commonFonts.get(face)
  if (known) return known
  const codes = new Map(face.common.map((glyph, index) => [glyph, toHex(index + 1)]))
  let parts: FontParts | null = null
  const font = { codes, parts: () => (parts ??= partsOf(face, codes, packTightly)) }
  commonFonts.set(face, font)
  return font
}

/** Codes that nothing is drawn for stand for glyphs without an outline. */
const partsOf = (face: Face, codes: ReadonlyMap<ClusterGlyph, string>, packed: typeof pack): FontParts => {
  const box = boxAround(Array.from(codes.keys(), ({ outline }) => outline))
  const glyphs: ClusterGlyph[] = []
  for (const [glyph, code] of codes) glyphs[Number.parseInt(code, 16) - 1] = glyph
  const all = Array.from(glyphs, (glyph) => glyph ?? NOTHING)
  return {
    box,
    widths: all.map(({ advance }) => toThousandths(face, advance)).join(' '),
    program: packed(writeTrueType(face, all, box)),
    toUnicode: packed(toUnicode(codes)),
  }
}

const toThousandths = ({ unitsPerEm }: Face, units: number) => pdfNumber((units * 1000) / unitsPerEm)

/** Six letters tell apart subsets of one font. */
const subsetTag = (number: number) =>
  Array.from({ length: 6 }, (_each, index) => String.fromCharCode(65 + (Math.floor(number / 26 ** index) % 26))).join(
    '',
  )

const SYMBOLIC = 4

const fontDictionary = (file: PdfFile, face: Face, name: string, parts: FontParts): string => {
  const { left, bottom, right, top } = parts.box
  const [ascent, descent] = [toThousandths(face, face.ascender), toThousandths(face, face.descender)]
  const descriptor = file.add(`<<
/Type /FontDescriptor
/FontName /${name}
/Flags ${SYMBOLIC}
/FontBBox [${[left, bottom, right, top].map((bound) => toThousandths(face, bound)).join(' ')}]
/ItalicAngle 0
/Ascent ${ascent}
/Descent ${descent}
/CapHeight ${ascent}
/StemV 0
/FontFile2 ${referenceTo(file.addPacked(parts.program))}
>>`)
  const descendant = file.add(`<<
/Type /Font
/Subtype /CIDFontType2
/BaseFont /${name}
/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>
/FontDescriptor ${referenceTo(descriptor)}
/W [1 [${parts.widths}]]
/CIDToGIDMap /Identity
>>`)
  return `<<
/Type /Font
/Subtype /Type0
/BaseFont /${name}
/Encoding /Identity-H
/DescendantFonts [${referenceTo(descendant)}]
/ToUnicode ${referenceTo(file.addPacked(parts.toUnicode))}
>>`
}

/** As the format limits a list, and what one glyph stands for. */
const ENTRIES_MAX = 100
const UNITS_MAX = 256

/** Which text each glyph stands for, for whoever copies, searches or reads aloud. */
const toUnicode = (codes: ReadonlyMap<ClusterGlyph, string>): string => {
  const entries = Array.from(codes, ([{ text }, code]) => `<${code}> <${toUtf16(text.slice(0, UNITS_MAX))}>`)
  const blocks: string[] = []
  for (let start = 0; start < entries.length; start += ENTRIES_MAX) {
    const block = entries.slice(start, start + ENTRIES_MAX)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}
