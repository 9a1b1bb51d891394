import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { PrintedTicket } from '../src/pdf/printed-ticket.ts'
import { ticketsPdf } from '../src/pdf/tickets-pdf.ts'
import { voucherPdf } from '../src/vouchers/deliveries/voucher-pdf.ts'
import { countMissingGlyphShapes, viewPdf } from './kit/browser/pdf-viewer.ts'
import { readPdf } from './kit/venue/read-pdf.ts'

/** The scripts that Unicode recommends for identifiers (UAX #31, table 5), Tifinagh and emoji. */
const NAMES = {
  Arabic: 'فاطمة مُحَمَّد',
  Armenian: 'Արամ Խաչատրյան',
  Bengali: 'শ্রীকৃষ্ণ রবীন্দ্রনাথ',
  Bopomofo: 'ㄨㄤ ㄒㄧㄠ ㄇㄧㄥ',
  Cyrillic: 'Иван Ґалаґан',
  Devanagari: 'श्रीकृष्ण त्रिवेदी',
  Ethiopic: 'ኃይለ ሥላሴ አበበ',
  Georgian: 'შოთა რუსთაველი',
  Greek: 'Ελένη Παπαδοπούλου',
  Gujarati: 'નરેન્દ્ર ત્રિવેદી',
  Gurmukhi: 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ',
  // Without ㅁ, which is a box itself.
  Hangul: '이서윤',
  Han: '王小明 鄧麗君',
  Hebrew: 'שָׂרָה כהן',
  Hiragana: 'さくら',
  Kannada: 'ಕೃಷ್ಣ ರಾಜ್\u200cಕುಮಾರ್',
  Katakana: 'タナカ',
  Khmer: 'សុខ ស្រីមុំ',
  Lao: 'ສົມຊາຍ ແກ້ວມະນີ',
  Latin: 'Zoë Nguyễn Thị Ặng',
  Malayalam: 'ശ്രീ വിശ്വനാഥൻ',
  Myanmar: 'အောင်ဆန်း မြင့်',
  Oriya: 'ନବୀନ ପଟ୍ଟନାୟକ',
  Sinhala: 'ශ්\u200dරී චන්ද්\u200dරිකා',
  Tamil: 'பொன்னி கௌதம்',
  Telugu: 'శ్రీకృష్ణ క్ష్మి',
  Thaana: 'މުޙައްމަދު ނަޝީދު',
  Thai: 'น้ำ ปิ่นใจดี',
  Tibetan: 'བསྟན་འཛིན་རྒྱ་མཚོ',
  Tifinagh: 'ⵎⴰⵙⵉⵏⵉⵙⴰ ⵢⵓⴱⴰ',
  Emoji: 'Zoë 👩\u200d👩\u200d👧 🇩🇪 👍🏽 🦊',
}
const SCRIPTS = Object.entries(NAMES)

const QR_TOP = 238

const ticketOf = (name: string): PrintedTicket => ({
  publicId: '7kQ2mXvB9cRtLp4WnZs6aB',
  checkInCode: 'ABCD2345',
  orderCode: 'K7M2P9QX',
  organizer: 'Neue Halle',
  eventTitle: 'Winter Ball',
  startsAt: new Date('2027-01-15T19:00:00Z'),
  doorsOpenAt: null,
  timeZone: 'Europe/Berlin',
  // One is written in regular letters, the other in bold ones.
  venueName: name,
  venueAddress: null,
  attendeeName: name,
  partyLead: 'Zoë Müller',
  isLead: true,
  ticketTitle: 'Balcony seat',
  ticketColor: '#2f6fed',
  place: null,
  number: 1,
  partySize: 1,
})

const voucherOf = (name: string) =>
  voucherPdf({
    language: 'en',
    organizer: 'Neue Halle',
    amount: '50.00 EUR',
    code: 'K7WM-3XQD-9TFA-NPQR',
    productName: null,
    forName: name,
    fromName: 'Zoë Müller',
    message: name,
    validUntil: null,
  })

const asOneLine = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, ' ')
const timesIn = (text: string, name: string) => asOneLine(text).split(name).length - 1

test.each(SCRIPTS)('a name in %s is drawn, without the shape of a missing glyph', async (_script, name) => {
  for (const file of [await ticketsPdf([ticketOf(name)], 'en'), await voucherOf(name)]) {
    expect(countMissingGlyphShapes(viewPdf(file)[0]!, QR_TOP)).toBe(0)
    const [page] = readPdf(file).pages
    expect(page).toMatchObject({ missing: 0 })
    expect(page!.texts.join('')).toContain(name)
  }
})

test('the shape of a missing glyph is seen where there is one', async () => {
  // Cherokee is not among the scripts that tickets are written in.
  const [page] = viewPdf(await ticketsPdf([ticketOf('ᏣᎳᎩ')], 'en'))

  expect(countMissingGlyphShapes(page!, QR_TOP)).toBe(6)
})

test.each(SCRIPTS)('a name in %s can be copied from a viewer', async (_script, name) => {
  expect(timesIn(viewPdf(await ticketsPdf([ticketOf(name)], 'en'))[0]!.text, name)).toBe(2)
  expect(timesIn(viewPdf(await voucherOf(name))[0]!.text, name)).toBe(2)
})

const RIGHT_TO_LEFT_EMBEDDING = /[\u202b\u202c]/g

/** Poppler's own, compiled so that it runs wherever Node does. */
const PDFTOTEXT = createRequire(import.meta.url).resolve('pdftotext-wasm/bin.js')

test('pdftotext finds a name in every script', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foyer-pdf-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [pdf, txt] = [path.join(folder, 'tickets.pdf'), path.join(folder, 'tickets.txt')]
  const file = await ticketsPdf(
    SCRIPTS.map(([, name]) => ticketOf(name)),
    'en',
  )
  writeFileSync(pdf, file)
  execFileSync(process.execPath, [PDFTOTEXT, pdf, txt], { stdio: 'pipe' })
  const pages = readFileSync(txt, 'utf8').split('\f')

  const found = SCRIPTS.map(([script], index) => {
    const text = asOneLine(pages[index]!).replaceAll(RIGHT_TO_LEFT_EMBEDDING, '')
    return [script, timesIn(text, asPdftotextTells(script as keyof typeof NAMES))]
  })
  expect(found).toEqual(SCRIPTS.map(([script]) => [script, 2]))
})

/** On a page that mostly runs from the left, it takes a last vowel sign of Thaana for something that stands before it. */
const asPdftotextTells = (script: keyof typeof NAMES) =>
  script === 'Thaana' ? `${NAMES.Thaana.slice(-1)}${NAMES.Thaana.slice(0, -1)}` : NAMES[script]
