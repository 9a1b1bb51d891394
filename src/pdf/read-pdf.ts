import { inflateSync } from 'node:zlib'

/** Reads back what paper.ts writes, for tests: the text through the fonts' own tables, and the filled squares. */
export interface ReadPage {
  /** Each stretch of text as its font's table spells it, from left to right. */
  texts: string[]
  /** What is read instead of the signs, where signs are out of order. */
  readings: string[]
  /** Signs, other than spaces, that are not drawn. */
  missing: number
  /** Drawn in place of signs that no font can write. */
  boxes: number
  /** Filled by one stroke of the pen each. */
  fills: { rectangles: Rectangle[] }[]
  height: number
  width: number
}

interface Rectangle {
  x: number
  y: number
  width: number
  height: number
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
  const [, , width = 0, height = 0] = (valueOf(page.dictionary, 'MediaBox') ?? '').match(/[\d.]+/g)!.map(Number)
  const { texts, missing } = readTexts(content, fonts)
  return { texts, missing, readings: readReadings(content), ...readRectangles(content), width, height }
}

interface ReadFont {
  spelling: string[]
  /** Whether each sign of the embedded font has a drawing. */
  drawn: boolean[]
}

const readFont = (font: Entry, entry: Lookup): ReadFont => {
  const table = entry(valueOf(font.dictionary, 'ToUnicode')).stream!.toString('latin1')
  const ranges = Array.from(table.matchAll(/<\w+> <\w+> \[(.*)\]/g), ([, codes]) => codes!).join(' ')
  const spelling = Array.from(ranges.matchAll(/<([^>]*)>/g), ([, code]) => spell(code!))
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
  for (const [, block] of content.matchAll(/^BT\n([\s\S]*?)\nET$/gm)) {
    const font = fonts.get(/\/(F\d+) [\d.]+ Tf/.exec(block!)?.[1] ?? '')!
    const hexadecimals = Array.from(block!.matchAll(/<([0-9a-f]+)>/g), ([, signs]) => signs!.match(/.{4}/g)!)
    const signs = hexadecimals.flat().map((sign) => Number.parseInt(sign, 16))
    const isMissing = (sign: number) =>
      sign === 0 || (!font.drawn[sign] && /[^\s\u200c\u200d]/.test(font.spelling[sign]!))
    missing += signs.filter(isMissing).length
    texts.push(signs.map((sign) => font.spelling[sign] ?? '').join(''))
  }
  return { texts, missing }
}

const readReadings = (content: string) =>
  Array.from(content.matchAll(/\/ActualText \(((?:\\[\s\S]|[^\\)])*)\)/g), ([, text]) => {
    const bytes = text!.replaceAll(/\\([nrtbf()\\])/g, (_match, letter: string) => ESCAPES[letter] ?? letter)
    return Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le')
  })

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const readRectangles = (content: string) => {
  const fills: { rectangles: Rectangle[] }[] = []
  let rectangles: Rectangle[] = []
  let boxes = 0
  for (const line of content.split('\n')) {
    const [x = 0, y = 0, width = 0, height = 0] = line.split(' ').map(Number)
    if (line.endsWith(' re')) rectangles.push({ x, y, width, height })
    if (line === 'f') fills.push({ rectangles })
    if (line === 'S') boxes += rectangles.length
    if (['f', 'S', 'n'].includes(line)) rectangles = []
  }
  return { fills, boxes }
}

/** Paints the page's rectangles in black, as a camera would see them: red, green, blue and opacity of each dot. */
export const paint = (page: ReadPage, dotsPerPoint: number) => {
  const width = Math.ceil(page.width * dotsPerPoint)
  const height = Math.ceil(page.height * dotsPerPoint)
  const dots = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const { x, y, width: across, height: down } of page.fills.flatMap(({ rectangles }) => rectangles)) {
    const [left, right] = [Math.round(x * dotsPerPoint), Math.round((x + across) * dotsPerPoint)]
    for (let row = Math.round(y * dotsPerPoint); row < Math.round((y + down) * dotsPerPoint); row += 1) {
      for (let at = left; at < right; at += 1) dots.set([0, 0, 0], 4 * (row * width + at))
    }
  }
  return { dots, width, height }
}
