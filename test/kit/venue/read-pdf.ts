import { inflateSync } from 'node:zlib'

/** Reads back what paper.ts writes, glyph by glyph. What a viewer makes of it is told by pdf-viewer.ts. */
interface ReadPage {
  /** Each run of text as its font's table spells it, in the order it is drawn. */
  texts: string[]
  /** Letters that are not drawn, and drawings without a text. */
  missing: number
}

interface Entry {
  dictionary: string
  stream: Buffer | null
}

export const readPdf = (file: Buffer) => {
  const entries = readEntries(file)
  const entry = (reference: string | undefined): Entry => {
    const found = entries.get(Number(/^(\d+) 0 R$/.exec(reference ?? '')?.[1]))
    if (!found) throw new Error(`The document has no object ${reference}`)
    return found
  }
  const catalog = Array.from(entries.values()).find(({ dictionary }) => /\/Type \/Catalog\b/.test(dictionary))!
  const kids = /\/Kids \[([^\]]*)\]/.exec(entry(valueOf(catalog.dictionary, 'Pages')).dictionary)?.[1] ?? ''
  const pages = Array.from(kids.matchAll(/\d+ 0 R/g), ([reference]) => readPage(entry(reference), entry))
  return { catalog: catalog.dictionary, pages, entries: Array.from(entries.values(), ({ dictionary }) => dictionary) }
}

/** By the table at the end of the file, as every viewer finds them. */
const readEntries = (file: Buffer) => {
  const text = file.toString('latin1')
  const start = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(text)?.[1])
  const entries = new Map<number, Entry>()
  for (const [index, match] of Array.from(text.slice(start).matchAll(/^(\d{10}) \d{5} ([nf])/gm)).entries()) {
    if (match[2] === 'n') entries.set(index, readEntry(file, text, Number(match[1])))
  }
  return entries
}

const readEntry = (file: Buffer, text: string, start: number): Entry => {
  const end = text.indexOf('endobj', start)
  const streamAt = text.indexOf('\nstream\n', start)
  if (streamAt < 0 || streamAt > end) return { dictionary: text.slice(start, end), stream: null }
  const dictionary = text.slice(start, streamAt)
  const bytes = file.subarray(streamAt + 8, streamAt + 8 + Number(valueOf(dictionary, 'Length')))
  return { dictionary, stream: /\/FlateDecode/.test(dictionary) ? inflateSync(bytes) : bytes }
}

const valueOf = (dictionary: string, key: string) =>
  new RegExp(`/${key}\\s+(\\d+ 0 R|\\[[^\\]]*\\]|[^/\\n>]+)`).exec(dictionary)?.[1]?.trim()

type Lookup = (reference: string | undefined) => Entry

const readPage = (page: Entry, entry: Lookup): ReadPage => {
  const resources = entry(valueOf(page.dictionary, 'Resources')).dictionary
  const fonts = new Map(
    Array.from(resources.matchAll(/\/(F\d+) (\d+ 0 R)/g), ([, name, reference]) => [
      name!,
      readFont(entry(reference), entry),
    ]),
  )
  const content = entry(valueOf(page.dictionary, 'Contents')).stream!.toString('latin1')
  return readTexts(content, fonts)
}

interface ReadFont {
  spelling: Map<number, string>
  /** Whether each sign of the embedded font has a drawing. */
  drawn: boolean[]
}

const readFont = (font: Entry, entry: Lookup): ReadFont => {
  const table = entry(valueOf(font.dictionary, 'ToUnicode')).stream!.toString('latin1')
  const pairs = table.slice(table.indexOf('beginbfchar')).matchAll(/^<(\w{4})> <(\w*)>$/gm)
  const spelling = new Map(Array.from(pairs, ([, code, text]) => [Number.parseInt(code!, 16), spell(text!)]))
  const descendant = entry(valueOf(font.dictionary, 'DescendantFonts')!.replace(/[[\]]/g, '').trim())
  const descriptor = entry(valueOf(descendant.dictionary, 'FontDescriptor'))
  return { spelling, drawn: readDrawn(entry(valueOf(descriptor.dictionary, 'FontFile2')).stream!) }
}

const spell = (hexadecimal: string) =>
  String.fromCharCode(...Array.from(hexadecimal.matchAll(/[0-9a-f]{4}/gi), ([unit]) => Number.parseInt(unit, 16)))

/** From the offsets of TrueType's loca table: a sign without a drawing takes no room. */
const readDrawn = (font: Buffer) => {
  const tables = new Map<string, number>()
  for (let at = 12; at < 12 + 16 * font.readUInt16BE(4); at += 16) {
    tables.set(font.toString('latin1', at, at + 4), font.readUInt32BE(at + 8))
  }
  const isLong = font.readUInt16BE(tables.get('head')! + 50) === 1
  const count = font.readUInt16BE(tables.get('maxp')! + 4)
  const offset = (index: number) =>
    isLong ? font.readUInt32BE(tables.get('loca')! + 4 * index) : font.readUInt16BE(tables.get('loca')! + 2 * index) * 2
  return Array.from({ length: count }, (_each, index) => offset(index + 1) > offset(index))
}

const readTexts = (content: string, fonts: Map<string, ReadFont>) => {
  const texts: string[] = []
  let missing = 0
  for (const [, run] of content.matchAll(/^q\n(BT\n[\s\S]*?)\nQ$/gm)) {
    const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(run!)?.[1] ?? '')!
    const hexadecimals = Array.from(run!.matchAll(/<([0-9a-f]+)>/g), ([, codes]) => codes!.match(/.{4}/g)!)
    const codes = hexadecimals.flat().map((code) => Number.parseInt(code, 16))
    // Marks of letters that run from the right are drawn with their letter.
    const isMissing = (code: number) =>
      !font.spelling.get(code) || (!font.drawn[code] && /[^\s\p{M}\p{Cf}]/u.test(font.spelling.get(code)!))
    missing += codes.filter(isMissing).length
    texts.push(codes.map((code) => font.spelling.get(code) ?? '').join(''))
  }
  return { texts, missing }
}
