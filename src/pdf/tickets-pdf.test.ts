import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countMissingGlyphShapes, scanQrCode, viewPdf } from '../../test/kit/browser/pdf-viewer.ts'
import { readPdf } from '../../test/kit/venue/read-pdf.ts'
import type { PrintedTicket } from './printed-ticket.ts'
import { ticketsPdf } from './tickets-pdf.ts'

const ticket = (change: Partial<PrintedTicket> = {}): PrintedTicket => ({
  publicId: '7kQ2mXvB9cRtLp4WnZs6aB',
  checkInCode: 'ABCD2345',
  orderCode: 'K7M2P9QX',
  organizer: 'Neue Halle',
  eventTitle: 'Winter Ball',
  startsAt: new Date('2027-01-15T19:00:00Z'),
  doorsOpenAt: new Date('2027-01-15T18:00:00Z'),
  timeZone: 'Europe/Berlin',
  venueName: 'Neue Halle',
  venueAddress: 'Hafenstraße 7, 20359 Hamburg, DE',
  attendeeName: 'Zoë Müller',
  partyLead: 'Łukasz Żółć',
  isLead: false,
  ticketTitle: 'Balcony seat',
  ticketColor: '#2f6fed',
  place: 'Row A Seat 4',
  number: 2,
  partySize: 3,
  ...change,
})

/** As it is written, and as a viewer shows it. */
const pageOf = async (change: Partial<PrintedTicket>) => {
  const file = await ticketsPdf([ticket(change)], 'en')
  return { ...readPdf(file).pages[0]!, viewed: viewPdf(file)[0]! }
}

test('a ticket shows the event, the guest, the seat and the codes', async () => {
  const page = await pageOf({})

  expect(page.texts).toEqual([
    'Winter Ball',
    'Friday, 15 January 2027 · 20:00 CET',
    'Doors open 19:00 CET',
    'Neue Halle',
    'Hafenstraße 7, 20359 Hamburg, DE',
    'Zoë Müller',
    'Party of Łukasz Żółć',
    'Balcony seat',
    'Row A Seat 4',
    'Check-in code',
    'ABCD-2345',
    'Order',
    'K7M2-P9QX',
    'Ticket',
    '2 of 3',
    'Show this code at the door. It admits one person, once.',
  ])
  expect(page.missing).toBe(0)
})

test('each page carries the QR code of its own admission', async () => {
  const publicIds = ['3vQ8mXvB9cRtLp4WnZs6aB', '111111111111111111111z', 'zzzzzzzzzzzzzzzzzzzzzz']
  const file = await ticketsPdf(
    publicIds.map((publicId) => ticket({ publicId })),
    'en',
  )

  expect(viewPdf(file).map(scanQrCode)).toEqual(publicIds)
})

const NAMES = {
  Latin: 'Zoë Łukasz Nguyễn Thị Ặng',
  Cyrillic: 'Иван Петрович Ґалаґан',
  Greek: 'Ελένη Παπαδοπούλου',
  Chinese: '王小明 鄧麗君',
  Japanese: 'さくら 田中 髙﨑',
  Korean: '김민준',
  Thai: 'สมชาย ใจดี',
  Devanagari: 'नरेन्द्र शर्मा',
}

test.each(Object.entries(NAMES))('%s names are written with every letter drawn', async (_script, name) => {
  const page = await pageOf({ attendeeName: name, isLead: true })

  expect(page.missing).toBe(0)
  expect(page.texts.join('')).toContain(name)
})

const fromLeft = (letters: { letter: string; x: number }[]) =>
  letters
    .toSorted((one, other) => one.x - other.x)
    .map(({ letter }) => letter)
    .join('')

test.each([
  ['Arabic', 'عمر حسن', 'نسح رمع'],
  ['Hebrew', 'שרה כהן', 'ןהכ הרש'],
])('%s names run from the right and are read in their own order', async (_script, name, asSeen) => {
  const page = await pageOf({ attendeeName: name })

  expect(page.missing).toBe(0)
  expect(page.texts).toContain(name)
  const letters = page.viewed.letters.filter(({ letter }) => name.includes(letter) && letter !== ' ')
  expect(fromLeft(letters)).toBe(asSeen.replace(' ', ''))
})

test('scripts that run against each other stand in the order of the page and are read in the order of the text', async () => {
  const page = await pageOf({ attendeeName: 'Zoë (عمر 42) 王', partyLead: 'محمد (Mo)', isLead: true })

  expect(page.texts.slice(5, 10).join('')).toBe('Zoë (عمر 42) 王')
  const letters = page.viewed.letters.slice(page.viewed.letters.findIndex(({ letter }) => letter === 'ë') - 2)
  const name = letters.slice(0, letters.findIndex(({ letter }) => letter === '王') + 1)
  expect(fromLeft(name.filter(({ letter }) => letter.trim() !== ''))).toBe('Zoë(42رمع)王')
})

test('what no font can write is a box, one for each sign, and is read as it was typed', async () => {
  const page = await pageOf({ attendeeName: 'Zoë 𓀀𓁐', isLead: true })

  expect(page.missing).toBe(0)
  expect(countMissingGlyphShapes(page.viewed, 200)).toBe(2)
  expect(page.viewed.text).toContain('Zoë 𓀀𓁐')
})

test.each([
  ['accents', `Zoë e${'\u0301\u0323'.repeat(2_000)}`],
  ['joined pictures', '👩\u200d'.repeat(1_000)],
  ['letters that grow together', `${'क्'.repeat(2_000)}कि`],
  ['marks without a letter', '\u0301\u0bc6\u064b\u0e31'.repeat(500)],
])('a thousand %s are written without harm to the rest of the ticket', async (_kind, name) => {
  const page = await pageOf({ attendeeName: name })

  expect(page.texts).toContain('Winter Ball')
  expect(scanQrCode(page.viewed)).toBe(ticket().publicId)
})

test('marks that turn text around do not come from a name', async () => {
  const page = await pageOf({ attendeeName: '\u202eZoë\u202c \u2067M\u2069\u0000üller\n' })

  expect(page.texts).toContain('Zoë M üller')
})

test('a guest without a name is the guest of the party’s lead', async () => {
  expect((await pageOf({ attendeeName: null })).texts).toContain('Guest of Łukasz Żółć')
})

test('the time is the venue’s, with the day the doors open when it is another', async () => {
  const page = await pageOf({
    timeZone: 'Asia/Tokyo',
    startsAt: new Date('2027-01-15T15:30:00Z'),
    doorsOpenAt: new Date('2027-01-15T14:30:00Z'),
  })

  expect(page.texts[1]).toMatch(/^Saturday, 16 January 2027 · 00:30 /)
  expect(page.texts[2]).toMatch(/^Doors open Friday, 15 January 2027 · 23:30 /)
})

test('a document says what it is, in which language, and can be read aloud', async () => {
  const { catalog, entries } = readPdf(await ticketsPdf([ticket()], 'en'))

  expect(catalog).toContain('/Lang (en)')
  expect(catalog).toContain('/StructTreeRoot')
  expect(entries.some((entry) => entry.includes('(Tickets for Winter Ball)'))).toBe(true)
  expect(entries.some((entry) => entry.includes('QR code of the ticket with check-in code ABCD-2345'))).toBe(true)
})

test('a bold and a regular Chinese character of one slice are two fonts', async () => {
  const { entries } = readPdf(await ticketsPdf([ticket({ attendeeName: '王', venueName: '王' })], 'en'))
  const names = entries.flatMap((entry) => /\/FontName \/\w+\+(noto-sans-sc-\S+)/.exec(entry)?.[1] ?? [])

  expect(names.toSorted()).toEqual(['noto-sans-sc-116-bold', 'noto-sans-sc-116-regular'])
})

test('any text at all can be written', async () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(texts, async ([attendeeName = '', eventTitle = '', place = '']) => {
      const page = await pageOf({ attendeeName, eventTitle, place })
      expect(page.missing).toBe(0)
      expect(scanQrCode(page.viewed)).toBe(ticket().publicId)
    }),
    { numRuns: 40 },
  )
})
