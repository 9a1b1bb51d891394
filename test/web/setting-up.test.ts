import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sanitizeHtml } from '../../src/rich-text/sanitize.ts'
import { md5Base64 } from '../../web/api/md5.ts'
import { generatePlaces, parseRowNames } from '../../web/console/setting-up/generate-places.ts'
import { editorHtmlToStored, storedToEditorHtml } from '../../web/ui/editor/markup.ts'
import { layOutPlaces, seatsIn } from '../../web/ui/seat-plan/places.ts'
import { fromZoned, toZoned } from '../../web/ui/zoned-time.ts'

test('a clock elsewhere shows its own time, also where summer begins and ends', () => {
  const berlin = 'Europe/Berlin'
  expect(toZoned('2030-05-04T18:00:00.000Z', berlin)).toBe('2030-05-04T20:00')
  expect(fromZoned('2030-05-04T20:00', berlin)).toBe('2030-05-04T18:00:00.000Z')
  expect(fromZoned('2026-12-31T00:30', 'Pacific/Kiritimati')).toBe('2026-12-30T10:30:00.000Z')
  expect(fromZoned('2026-03-29T03:30', berlin)).toBe('2026-03-29T01:30:00.000Z')
  expect(fromZoned('2026-10-25T12:00', berlin)).toBe('2026-10-25T11:00:00.000Z')
  expect(fromZoned('', berlin)).toBeNull()
  for (const zone of ['Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC']) {
    expect(toZoned(fromZoned('2030-07-01T19:45', zone)!, zone)).toBe('2030-07-01T19:45')
  }
})

test('the sum of an upload is the one that the server makes', () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 100_003]) {
    const bytes = randomBytes(length)
    expect(md5Base64(bytes)).toBe(createHash('md5').update(bytes).digest('base64'))
  }
})

test('rows are read as people write them', () => {
  expect(parseRowNames('A–D')).toEqual(['A', 'B', 'C', 'D'])
  expect(parseRowNames('Y-AB')).toEqual(['Y', 'Z', 'AA', 'AB'])
  expect(parseRowNames('1..3, 5')).toEqual(['1', '2', '3', '5'])
  expect(parseRowNames('A, B, Loge')).toEqual(['A', 'B', 'Loge'])
  for (const nonsense of ['', ' , ', 'M–A', 'A–5', 'A, A', '1–9999']) expect(parseRowNames(nonsense)).toBeNull()
})

const PATTERN = {
  section: '',
  rows: 'A–M',
  seats: '20',
  first: '1',
  direction: 'right',
  pairs: '2',
  pairRow: '',
  label: 'Row {row} Seat {seat}',
} as const
const NOTHING = { labels: new Set<string>(), keys: new Set<string>() }

test('rows A to M, twenty seats, two wheelchair pairs', () => {
  const { places } = generatePlaces(PATTERN, NOTHING)
  expect(places).toHaveLength(260)
  expect(places![0]).toMatchObject({ key: 'A-1', label: 'Row A Seat 1', row: 'A', seat: '1', section: null })
  expect(places!.filter(({ accessibility }) => accessibility !== null)).toMatchObject([
    { key: 'M-1', accessibility: 'wheelchair', pair: 'M-2' },
    { key: 'M-2', accessibility: 'companion', pair: 'M-1' },
    { key: 'M-19', accessibility: 'companion', pair: 'M-20' },
    { key: 'M-20', accessibility: 'wheelchair', pair: 'M-19' },
  ])
})

test('what cannot be made says which field is wrong', () => {
  const faultOf = (change: Partial<Record<keyof typeof PATTERN, string>>, taken = NOTHING) =>
    generatePlaces({ ...PATTERN, ...change } as never, taken).fault
  expect(faultOf({ rows: '?–!' })).toEqual({ field: 'rows' })
  expect(faultOf({ seats: '0' })).toEqual({ field: 'seats' })
  expect(faultOf({ first: 'x' })).toEqual({ field: 'first' })
  expect(faultOf({ rows: '1–400' })).toEqual({ field: 'tooMany' })
  expect(faultOf({ pairs: '11' })).toEqual({ field: 'pairs' })
  expect(faultOf({ pairRow: 'Q' })).toEqual({ field: 'pairRow' })
  expect(faultOf({ label: 'Seat' })).toEqual({ field: 'twice', label: 'Seat' })
  expect(faultOf({}, { ...NOTHING, labels: new Set(['Row C Seat 4']) })).toEqual({
    field: 'taken',
    label: 'Row C Seat 4',
  })
})

test('sections stand beneath each other, shorter rows in the middle, and a box finds what it touches', () => {
  const place = (section: string, row: string, seat: number) => ({
    key: `${section}${row}${seat}`,
    label: '',
    section,
    row,
    seat: String(seat),
    state: 'free' as const,
  })
  const places = [
    ...[1, 2, 3, 4].map((seat) => place('Stalls', 'A', seat)),
    ...[1, 2].map((seat) => place('Stalls', 'B', seat)),
    place('Gallery', 'A', 1),
  ]
  const layout = layOutPlaces(places)
  expect(layout.sections.map(({ name }) => name)).toEqual(['Stalls', 'Gallery'])
  const [first, second] = layout.sections[0]!.rows
  expect(second!.seats[0]!.x).toBe(first!.seats[1]!.x)
  const { x, y } = first!.seats[2]!
  const found = seatsIn(layout, { left: x + 1, top: y + 1, right: x + 1, bottom: y + 30 })
  expect(found.map(({ key }) => key)).toEqual(['StallsA3', 'StallsB2'])
})

test('a text without tags is opened in paragraphs, and what the editor writes the server leaves as it is', () => {
  expect(storedToEditorHtml('One & two\nthree\n\nfour')).toBe('<p>One &amp; two<br>three</p><p>four</p>')
  expect(storedToEditorHtml('<p>kept</p>')).toBe('<p>kept</p>')
  expect(editorHtmlToStored('<p></p>')).toBe('')
  const written =
    '<h2>Late</h2><p>A <strong>b</strong> <em>c</em> <u>d</u> <s>e</s> H<sub>2</sub>O <small>f</small><br>g</p><ul><li><p>h</p></li></ul><ol><li><p>i</p></li></ol><blockquote><p>j</p></blockquote><hr>'
  expect(sanitizeHtml(written)).toBe(written)
})
