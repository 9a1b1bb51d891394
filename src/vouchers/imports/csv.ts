/** What is wrong with a file as a whole. */
export class CsvFault extends Error {}

export interface CsvRecord {
  /** The line of the file it begins on, counted from 1. */
  line: number
  cells: string[]
}

/** No record of ours has nearly as many; a line of a million commas ends here. */
const CELLS_MAX = 50

const QUOTE = '"'

/**
 * Reads CSV by RFC 4180, record by record: cells may be quoted and then hold commas, line breaks and doubled quotes;
 * lines end with CRLF or LF. Lines without a character are passed over.
 */
export function* readCsv(text: string): Generator<CsvRecord> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1

  /** Leaves `at` behind the closing quote. */
  const readQuoted = (): string => {
    let cell = ''
    for (;;) {
      const end = text.indexOf(QUOTE, at + 1)
      if (end < 0) throw new CsvFault(`has a quote that is not closed on line ${line}`)
      const part = text.slice(at + 1, end)
      cell += part
      line += countBreaks(part)
      at = end + 1
      if (text[at] !== QUOTE) return cell
      cell += QUOTE
    }
  }

  const readPlain = (): string => {
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text[at] !== '\r') {
      if (text[at] === QUOTE) throw new CsvFault(`has a quote inside of a cell on line ${line}`)
      at++
    }
    return text.slice(start, at)
  }

  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] }
    for (;;) {
      record.cells.push(text[at] === QUOTE ? readQuoted() : readPlain())
      if (record.cells.length > CELLS_MAX) throw new CsvFault(`has too many columns on line ${record.line}`)
      if (text[at] !== ',') break
      at++
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    if (at < text.length && text[at] !== '\n' && text[at] !== '\r')
      throw new CsvFault(`goes on after a quote on line ${line}`)
    at++
    line++
    if (record.cells.length > 1 || record.cells[0] !== '') yield record
  }
}

const countBreaks = (text: string) => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\n' || (text[at] === '\r' && text[at + 1] !== '\n')) count++
  }
  return count
}
