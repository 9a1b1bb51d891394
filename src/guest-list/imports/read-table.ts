import { FileFault } from './file-fault.ts'

export interface TableRecord {
  /** The line of the file it begins on, counted from 1. */
  line: number
  cells: string[]
}

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|', none: '' } as const
export type Delimiter = keyof typeof DELIMITERS

/** No table of guests has nearly as many; a line of a million commas ends here. */
const CELLS_MAX = 50
const QUOTE = '"'

/**
 * The records of a table with cells apart by one character, quoted where they hold it. Lines end with CRLF, LF or CR.
 * A quote within a plain cell is a quote. Records without a word in them are passed over.
 */
export function* readTable(text: string, delimiter: string): Generator<TableRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1

  const isEnd = (letter: string | undefined) => letter === undefined || letter === '\n' || letter === '\r'

  /** Leaves `at` behind the closing quote. */
  const readQuoted = (): string => {
    const from = line
    let cell = ''
    for (;;) {
      const end = text.indexOf(QUOTE, at + 1)
      if (end < 0) throw new FileFault(`has a quote that is not closed on line ${from}`)
      const part = text.slice(at + 1, end)
      cell += part
      line += part.split(/\r\n|\r|\n/).length - 1
      at = end + 1
      if (text[at] !== QUOTE) return cell
      cell += QUOTE
    }
  }

  const readPlain = (): string => {
    const start = at
    while (!isEnd(text[at]) && text[at] !== delimiter) at++
    return text.slice(start, at)
  }

  while (at < text.length) {
    const record: TableRecord = { line, cells: [] }
    for (;;) {
      const cell = text[at] === QUOTE && delimiter !== '' ? readQuoted() + readPlain() : readPlain()
      record.cells.push(cell.trim())
      if (record.cells.length > CELLS_MAX) throw new FileFault(`has too many columns on line ${record.line}`)
      if (isEnd(text[at])) break
      at++
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    line++
    if (record.cells.some((cell) => cell !== '')) yield record
  }
}

const LOOKED_AT = 30

/** What stands between the cells: the character that cuts most lines into equally many of them. */
export const guessDelimiter = (text: string): Delimiter => {
  let best: { name: Delimiter; score: number } = { name: 'none', score: 0 }
  // A comma stands in names, too, so the others come first.
  for (const name of ['tab', 'semicolon', 'pipe', 'comma'] as const) {
    const score = scoreOf(text, DELIMITERS[name])
    if (score > best.score) best = { name, score }
  }
  return best.name
}

const scoreOf = (text: string, delimiter: string): number => {
  const widths: number[] = []
  try {
    for (const { cells } of readTable(text, delimiter)) {
      widths.push(cells.length)
      if (widths.length === LOOKED_AT) break
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    // What is wrong with it is told when it is read; with another delimiter it may be nothing.
    return widths.length > 0 && widths.every((width) => width > 1) ? 0.01 : 0
  }
  const counts = Map.groupBy(widths, (width) => width)
  const [width, records] = [...counts].toSorted((a, b) => b[1].length - a[1].length || b[0] - a[0])[0] ?? [1, []]
  return width === 1 ? 0 : (records.length / widths.length) * Math.min(width, 4)
}
