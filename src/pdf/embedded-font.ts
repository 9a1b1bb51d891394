import type { ClusterGlyph, Face } from './face.ts'
import { boxAround } from './outline.ts'
import { writeTrueType } from './truetype.ts'

/** The glyphs of a face that one document uses, numbered as they come. */
export interface EmbeddedFont {
  /** As the pages' resources name it. */
  readonly name: string
  readonly reference: PDFKit.PDFKitReference
  /** Four hexadecimal digits. */
  codeOf(glyph: ClusterGlyph): string
  /** Once the last glyph was asked for. */
  write(): void
}

export const openEmbeddedFont = (document: PDFKit.PDFDocument, face: Face, number: number): EmbeddedFont => {
  const codes = new Map<ClusterGlyph, string>()
  const reference = document.ref({})

  return {
    name: `F${number}`,
    reference,
    codeOf: (glyph) => {
      const code = codes.get(glyph) ?? toHex(codes.size + 1)
      codes.set(glyph, code)
      return code
    },
    write: () => {
      const dictionary = fontDictionary(document, face, `${subsetTag(number)}+${face.name}`, codes)
      Object.assign(reference.data, dictionary)
      reference.end(undefined)
    },
  }
}

/** Six letters tell apart subsets of one font. */
const subsetTag = (number: number) =>
  Array.from({ length: 6 }, (_each, index) => String.fromCharCode(65 + (Math.floor(number / 26 ** index) % 26))).join(
    '',
  )

const SYMBOLIC = 4

const fontDictionary = (
  document: PDFKit.PDFDocument,
  face: Face,
  name: string,
  codes: Map<ClusterGlyph, string>,
): Record<string, unknown> => {
  const glyphs = Array.from(codes.keys())
  const toThousandths = (units: number) => (units * 1000) / face.unitsPerEm
  const add = (data: Record<string, unknown>, stream?: Buffer | string) => {
    const reference = document.ref(data)
    reference.end(stream)
    return reference
  }

  const box = boxAround(glyphs.map(({ outline }) => outline))
  const [ascent, descent] = [toThousandths(face.ascender), toThousandths(face.descender)]
  const descriptor = add({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: [box.left, box.bottom, box.right, box.top].map(toThousandths),
    ItalicAngle: 0,
    Ascent: ascent,
    Descent: descent,
    CapHeight: ascent,
    StemV: 0,
    FontFile2: add({}, writeTrueType(face, glyphs, box)),
  })
  const descendant = add({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    // Their strings have to be objects, or pdfkit would take them for names.
    CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
    FontDescriptor: descriptor,
    W: [1, glyphs.map(({ advance }) => toThousandths(advance))],
    CIDToGIDMap: 'Identity',
  })
  return {
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [descendant],
    ToUnicode: add({}, toUnicode(codes)),
  }
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

const toHex = (number: number) => number.toString(16).padStart(4, '0')

const toUtf16 = (text: string) =>
  Array.from({ length: text.length }, (_each, index) => toHex(text.charCodeAt(index))).join('')
