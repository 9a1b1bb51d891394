import type { ClusterGlyph, Face } from './face.ts'
import { boxAround } from './outline.ts'
import { type PdfFile, pdfNumber, referenceTo, toHex, toUtf16 } from './pdf-file.ts'
import { writeTrueType } from './truetype.ts'

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
  const codes = new Map<ClusterGlyph, string>()
  const number = file.reserve()

  return {
    name: `F${count}`,
    number,
    codeOf: (glyph) => {
      const known = codes.get(glyph)
      if (known) return known
      const code = toHex(codes.size + 1)
      codes.set(glyph, code)
      return code
    },
    write: () => file.write(number, fontDictionary(file, face, `${subsetTag(count)}+${face.name}`, codes)),
  }
}

/** Six letters tell apart subsets of one font. */
const subsetTag = (number: number) =>
  Array.from({ length: 6 }, (_each, index) => String.fromCharCode(65 + (Math.floor(number / 26 ** index) % 26))).join(
    '',
  )

const SYMBOLIC = 4

const fontDictionary = (file: PdfFile, face: Face, name: string, codes: Map<ClusterGlyph, string>): string => {
  const glyphs = Array.from(codes.keys())
  const toThousandths = (units: number) => pdfNumber((units * 1000) / face.unitsPerEm)
  const box = boxAround(glyphs.map(({ outline }) => outline))
  const [ascent, descent] = [toThousandths(face.ascender), toThousandths(face.descender)]
  const descriptor = file.add(`<<
/Type /FontDescriptor
/FontName /${name}
/Flags ${SYMBOLIC}
/FontBBox [${[box.left, box.bottom, box.right, box.top].map(toThousandths).join(' ')}]
/ItalicAngle 0
/Ascent ${ascent}
/Descent ${descent}
/CapHeight ${ascent}
/StemV 0
/FontFile2 ${referenceTo(file.addStream(writeTrueType(face, glyphs, box)))}
>>`)
  const descendant = file.add(`<<
/Type /Font
/Subtype /CIDFontType2
/BaseFont /${name}
/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>>
/FontDescriptor ${referenceTo(descriptor)}
/W [1 [${glyphs.map(({ advance }) => toThousandths(advance)).join(' ')}]]
/CIDToGIDMap /Identity
>>`)
  return `<<
/Type /Font
/Subtype /Type0
/BaseFont /${name}
/Encoding /Identity-H
/DescendantFonts [${referenceTo(descendant)}]
/ToUnicode ${referenceTo(file.addStream(toUnicode(codes)))}
>>`
}

/** As the format limits a list, and what one glyph stands for. */
const ENTRIES_MAX = 100
const UNITS_MAX = 256

/** Which text each glyph stands for, for whoever copies, searches or reads aloud. */
const toUnicode = (codes: Map<ClusterGlyph, string>): string => {
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
