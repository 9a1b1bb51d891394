import { expect, test } from 'vitest'
import { atFullSpeed } from '../../test/kit/process/machine-speed.ts'
import { parseRichText } from './attachments.ts'
import { TooMuchMarkup, isTooMuchMarkup, parseMarkup } from './parse.ts'
import { markupToPlainText, sanitizeHtml } from './sanitize.ts'

/** Formatting that is never closed is opened again in every paragraph that follows. */
const reopening = (formats: number, paragraphs: number) =>
  `<p>${Array.from({ length: formats }, (_, n) => `<b a${n}>`).join('')}</p>${'<p>x</p>'.repeat(paragraphs)}`

const attributes = (count: number) => Array.from({ length: count }, (_, n) => `a${n}`).join(' ')

const BOMBS: [name: string, markup: string][] = [
  ['17 KB of formatting that is opened again', reopening(1_000, 1_000)],
  ['99 KB of formatting that is opened again', reopening(5_800, 5_800)],
  ['formatting not too deep, opened again', reopening(90, 2_000)],
  ['attributes that are copied', `<p><b ${attributes(9_000)}></p>${'<p>x</p>'.repeat(9_000)}`],
  ['attributes by the hundred thousand', `<b ${attributes(130_000)}>x`],
  ['comments by the hundred thousand', '<!>'.repeat(300_000)],
  ['elements in elements', '<blockquote>'.repeat(80_000)],
  ['elements beside elements', '<i></i>'.repeat(140_000)],
]

/** What is computed and held meanwhile, beside the markup itself. */
const costOf = (work: () => void) => {
  const peak = process.resourceUsage().maxRSS
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  const megabytes = (process.resourceUsage().maxRSS - peak) / 1_024
  return { cpuMs: atFullSpeed((user + system) / 1_000), megabytes }
}

test.each(BOMBS)('%s: refused at once', (_name, markup) => {
  const { cpuMs, megabytes } = costOf(() => {
    expect(() => parseMarkup(markup)).toThrow(TooMuchMarkup)
    expect(() => parseRichText(markup)).toThrow(TooMuchMarkup)
    expect(isTooMuchMarkup(markup)).toBe(true)
  })
  expect(cpuMs).toBeLessThan(1_000)
  expect(megabytes).toBeLessThan(150)
})

test.each(BOMBS)('%s: where it is kept already, its text is shown at once', (_name, markup) => {
  const { cpuMs, megabytes } = costOf(() => {
    expect(sanitizeHtml(markup).includes('<')).toBe(false)
    expect(markupToPlainText(markup).includes('<')).toBe(false)
  })
  expect(cpuMs).toBeLessThan(1_000)
  expect(megabytes).toBeLessThan(150)
})

test.each([
  ['brackets that never close', '<'.repeat(1_000_000)],
  ['brackets that never close, and depth', `${'<b>'.repeat(200)}${'<'.repeat(900_000)}`],
  ['names of characters', '&notit;'.repeat(140_000)],
  ['ends of what never began', `${'<b>'.repeat(50)}${'</b></i></a>'.repeat(80_000)}`],
  ['words inside a table', `<table>${'x '.repeat(450_000)}`],
  ['line breaks', '<br>'.repeat(19_000)],
])('%s are read as quickly as they are long', (_name, markup) => {
  const { cpuMs } = costOf(() => {
    sanitizeHtml(markup)
    markupToPlainText(markup)
  })
  expect(cpuMs).toBeLessThan(3_000)
})
