import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'

/** One character that stands for eighteen, of which each is looked for as six letters. */
const EXPANDING = '\uFDFA'
const WORDS = [
  EXPANDING.repeat(100),
  EXPANDING.repeat(255),
  Array.from({ length: 255 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(''),
  Array.from({ length: 8 }, () => EXPANDING.repeat(30)).join(' '),
  '\u0301'.repeat(255),
  `a${'\u0301\u0316'.repeat(127)}`,
  '㎯'.repeat(255),
  'x'.repeat(255),
  'guest of '.repeat(28),
]

test.each(WORDS.map((word) => [word.slice(0, 2), word]))(
  'a search for %s and so on costs no more than another',
  async (_name, word) => {
    const { office } = await openVenue()
    const started = performance.now()
    const q = encodeURIComponent(word)
    for (const path of [
      `/scanner/search?q=${q}`,
      `/scanner/search?event_slug=winter-ball&q=${q}`,
      `/scanner/tickets?query=${q}`,
      `/scanner/events/winter-ball/tickets?query=${q}`,
      `/admin/events/winter-ball/guest_list?query=${q}`,
    ]) {
      expect((await office.get(path)).status, path).toBe(200)
    }
    expect(performance.now() - started).toBeLessThan(2_500)
  },
)

test('a guest whose name expands is put on the list at once, and found by it', async () => {
  const { office, report } = await openVenue()
  const ticketId = report.events['winter-ball']!.tickets['ga']
  const started = performance.now()
  const name = `Omar ${EXPANDING.repeat(250)}`
  const party = { customer_name: name, ticket_id: ticketId, party_size: 10 }
  expect((await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })).status).toBe(201)
  expect(performance.now() - started).toBeLessThan(2_500)
  for (const typed of ['omar', `omar ${EXPANDING}`, EXPANDING.repeat(3)]) {
    const { body } = await office.get(`/scanner/search?q=${encodeURIComponent(typed)}&event_slug=winter-ball`)
    expect(body.tickets.length, typed).toBe(10)
  }
})

test('long words still name exactly those who bear them', async () => {
  const { office, report } = await openVenue()
  const ticketId = report.events['winter-ball']!.tickets['ga']
  const one = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe'
  for (const customerName of [`${one} One`, `${one}x Two`]) {
    const party = { customer_name: customerName, ticket_id: ticketId }
    expect((await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })).status).toBe(201)
  }
  const found = async (typed: string) =>
    (await office.get(`/scanner/search?q=${typed}&event_slug=winter-ball`)).body.tickets.length
  expect(await found(one)).toBe(2)
  expect(await found(`${one}x`)).toBe(1)
  expect(await found(`${one}y`)).toBe(0)
  expect(await found(one.slice(20))).toBe(2)
})
