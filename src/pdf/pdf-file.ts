import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** The objects of a file, in the order in which they are written; each is known by its number. */
export interface PdfFile {
  /** A number for what is written later. */
  reserve(): number
  write(number: number, body: string): void
  add(body: string): number
  /** The entries beside its length are those of its dictionary. */
  addStream(content: Buffer | string, entries?: string): number
  /** The same for what is packed already. */
  addPacked(stream: Buffer): number
  /** The whole file, whose catalogue and description are these objects. */
  finish(catalog: number, info: number): Buffer
}

export const referenceTo = (number: number) => `${number} 0 R`

/** Four bytes that are no text tell programs that the file is none. */
const HEAD = '%PDF-1.7\n%\xff\xff\xff\xff\n'

/** Packing costs more than it spares below this. */
const PACKED_MIN = 600

/** A twentieth more could be spared by taking four times as long; and so small a window is soon made. */
const PACKING = { level: 4, windowBits: 13, memLevel: 7 }

export const pack = (content: Buffer | string): Buffer => deflateSync(content, PACKING)

/** For what many documents share. */
export const packTightly = (content: Buffer | string): Buffer => deflateSync(content, { level: 9 })

const PACKED = '/Filter /FlateDecode\n'

export const openPdfFile = (): PdfFile => {
  const pieces: Buffer[] = []
  const starts: number[] = []
  /** What was not turned into bytes yet, all of it characters of one byte. */
  let text = HEAD
  let length = 0

  const flush = () => {
    const piece = Buffer.from(text, 'latin1')
    pieces.push(piece)
    length += piece.length
    text = ''
  }
  const reserve = () => starts.push(0)
  const begin = (number: number) => {
    starts[number - 1] = length + text.length
    text += `${number} 0 obj\n`
  }
  const write = (number: number, body: string) => {
    begin(number)
    text += `${body}\nendobj\n`
  }
  const writeStream = (stream: Buffer, entries: string) => {
    const number = reserve()
    begin(number)
    text += `<<\n${entries}/Length ${stream.length}\n>>\nstream\n`
    flush()
    pieces.push(stream)
    length += stream.length
    text = '\nendstream\nendobj\n'
    return number
  }

  return {
    reserve,
    write,
    add: (body) => {
      const number = reserve()
      write(number, body)
      return number
    },
    addStream: (content, entries = '') => {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
      return bytes.length >= PACKED_MIN ? writeStream(pack(bytes), entries + PACKED) : writeStream(bytes, entries)
    },
    addPacked: (stream) => writeStream(stream, PACKED),
    finish: (catalog, info) => {
      const at = length + text.length
      const id = randomBytes(16).toString('hex')
      const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
      text += `xref\n0 ${starts.length + 1}\n0000000000 65535 f \n${table}trailer\n<<
/Size ${starts.length + 1}
/Root ${referenceTo(catalog)}
/Info ${referenceTo(info)}
/ID [<${id}> <${id}>]
>>
startxref
${at}
%%EOF
`
      flush()
      return Buffer.concat(pieces)
    },
  }
}

const PLAIN = /^[\x20-\x7e]*$/

/** A text for people, in whichever script. */
export const pdfText = (text: string): string =>
  PLAIN.test(text) ? `(${text.replaceAll(/[\\()]/g, String.raw`\$&`)})` : `<feff${toUtf16(text)}>`

export const pdfNumber = (value: number) => String(Math.round(value * 1000) / 1000)

export const toHex = (number: number) => number.toString(16).padStart(4, '0')

export const toUtf16 = (text: string): string => {
  let units = ''
  for (let at = 0; at < text.length; at += 1) units += toHex(text.charCodeAt(at))
  return units
}
