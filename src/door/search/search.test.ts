import { expect, test } from 'vitest'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const names = async (venue: Venue, path: string) => {
  const reply = await venue.door.get(path)
  expect(reply.status).toBe(200)
  return reply.body.tickets.map((ticket: { attendee_name: string }) => ticket.attendee_name).toSorted()
}

const search = (venue: Venue, q: string, more = '') => names(venue, `/scanner/search?q=${encodeURIComponent(q)}${more}`)

test('names are found by parts, without accents, in any case and order, and in every script', async () => {
  const venue = await openVenue()
  for (const customerName of ['Zoë Lindqvist', 'Łukasz Żółć', 'Jürgen Groß', '王小明', 'عمر خالد', 'Ann Lee']) {
    await addTicket(venue, 'winter-ball', { customerName, email: null })
  }

  expect(await search(venue, 'zoe')).toEqual(['Zoë Lindqvist'])
  expect(await search(venue, 'ZOË')).toEqual(['Zoë Lindqvist'])
  expect(await search(venue, 'dqvi')).toEqual(['Zoë Lindqvist'])
  expect(await search(venue, 'lindqvist zoe')).toEqual(['Zoë Lindqvist'])
  expect(await search(venue, 'zolc')).toEqual(['Łukasz Żółć'])
  expect(await search(venue, 'gross')).toEqual(['Jürgen Groß'])
  expect(await search(venue, '王')).toEqual(['王小明'])
  expect(await search(venue, '小明')).toEqual(['王小明'])
  expect(await search(venue, 'خالد')).toEqual(['عمر خالد'])
  expect(await search(venue, 'le')).toEqual(['Ann Lee'])
  expect(await search(venue, 'L')).toHaveLength(3)
  expect(await search(venue, 'nobody')).toEqual([])
  expect(await search(venue, '')).toEqual([])
  expect(await search(venue, '   ')).toEqual([])
})

test('words of one and two letters narrow a search like any other, within an event and without', async () => {
  const venue = await openVenue()
  for (const customerName of ['Zoë Lindqvist', 'Ida Lö\\fgren', 'Łukasz Żółć', 'Li Na', '王小明', 'Bo Q'] as const) {
    await addTicket(venue, 'winter-ball', { customerName, email: null })
  }

  for (const more of ['', '&event_slug=winter-ball']) {
    const found = (q: string) => search(venue, q, more)
    expect(await found('id lo')).toEqual(['Ida Lö\\fgren'])
    expect(await found('Lö')).toEqual(['Ida Lö\\fgren'])
    expect(await found('ö\\')).toEqual(['Ida Lö\\fgren'])
    expect(await found('li qv oë')).toEqual(['Zoë Lindqvist'])
    expect(await found('LI')).toEqual(['Li Na', 'Zoë Lindqvist'])
    expect(await found('n li')).toEqual(['Li Na', 'Zoë Lindqvist'])
    expect(await found('小明')).toEqual(['王小明'])
    expect(await found('明小')).toEqual([])
    expect(await found('q')).toEqual(['Bo Q', 'Zoë Lindqvist'])
    expect(await found('q bo')).toEqual(['Bo Q'])
    expect(await found('aq')).toEqual([])
    expect(await found('il')).toEqual([])
  }
})

test('whatever part of a name is typed finds it, in one event and in all', async () => {
  const venue = await openVenue()
  const everyone = [
    'Zoë Lindqvist',
    'Łukasz Żółć',
    'Jürgen Groß',
    '王小明',
    'عمر خالد',
    'Nguyễn Thị Ánh',
    'अनिल शर्मा',
    'Ægir Ðór-O’Neill',
  ]
  for (const customerName of everyone) await addTicket(venue, 'winter-ball', { customerName, email: null })

  for (const name of everyone) {
    const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
    for (let length = 1; length <= 5; length++) {
      for (let first = 0; first + length <= letters.length; first += 2) {
        const part = letters
          .slice(first, first + length)
          .join('')
          .trim()
        if (part === '') continue
        expect(await search(venue, part), part).toContain(name)
        expect(await search(venue, part, '&event_slug=winter-ball'), part).toContain(name)
      }
    }
  }
})

test('in all events together the latest come first', async () => {
  const venue = await openVenue()
  const early = Array.from({ length: 80 }, () => ({}))
  await addOrder(venue, 'winter-ball', { customerName: 'Anna Before', admissions: early })
  await addOrder(venue, 'spring-night', { customerName: 'Anna After', admissions: [{}, {}] })

  const { body } = await venue.door.get('/scanner/search?q=anna')
  expect(body.tickets).toHaveLength(50)
  const later = body.tickets.filter((ticket: { event_slug: string }) => ticket.event_slug === 'spring-night')
  expect(later).toHaveLength(2)
})

test('an address is found by its parts and never shown', async () => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball', { email: 'hidden.address@secret.example' })
  await addTicket(venue, 'winter-ball', {
    origin: 'guest_list',
    customerName: 'Gala Guest',
    email: 'guest.address@secret.example',
  })

  const reply = await venue.door.get('/scanner/search?q=secret.example')
  expect(reply.body.tickets).toHaveLength(2)
  expect(reply.text).not.toContain('secret')
  expect(await names(venue, '/scanner/events/winter-ball/tickets?query=guest.address')).toEqual(['Gala Guest'])
  expect(await names(venue, '/scanner/tickets?query=hidden.addr')).toEqual(['Zoë Lindqvist'])
})

test('what is typed means itself', async () => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball', { customerName: '100% Anna_Lena O’Neill "Bo\\b"' })
  await addTicket(venue, 'winter-ball', { customerName: 'Somebody Else' })
  for (const q of ['100%', 'anna_l', '"bo\\b"', "o'neill"]) expect(await search(venue, q)).toHaveLength(1)
  for (const q of ['%%%', '_____', "' or 1=1 --", '\\', 'a%b']) {
    const reply = await venue.door.get(`/scanner/search?q=${encodeURIComponent(q)}`)
    expect([reply.status, reply.body.tickets.length]).toEqual([200, q === '\\' ? 1 : 0])
  }
  expect(await search(venue, '\0')).toEqual([])
})

test('companions are found by their own name and as guests of their lead', async () => {
  const venue = await openVenue()
  await addOrder(venue, 'winter-ball', {
    origin: 'guest_list',
    customerName: 'Mara Lead',
    admissions: [{}, { attendeeName: 'Nils Named' }, {}],
  })
  await addOrder(venue, 'winter-ball', { origin: 'guest_list', customerName: 'Otto Other', admissions: [{}, {}] })

  expect(await search(venue, 'nils')).toEqual(['Nils Named'])
  expect(await search(venue, 'Guest of Mara')).toEqual(['Guest of Mara Lead'])
  expect(await search(venue, 'Guest    of  MARA   lead')).toEqual(['Guest of Mara Lead'])
  expect(await search(venue, 'guest of')).toEqual(['Guest of Mara Lead', 'Guest of Otto Other'])
  expect(await search(venue, 'mara')).toHaveLength(3)
})

test('text finds valid tickets only, and those inside stay visible; an exact code finds a blocked one in the search', async () => {
  const venue = await openVenue()
  const refunded = await addTicket(venue, 'winter-ball', { customerName: 'Rita Refunded', status: 'refunded' })
  await addTicket(venue, 'winter-ball', { customerName: 'Carl Cancelled', admissions: [{ status: 'cancelled' }] })
  await addTicket(venue, 'winter-ball', { customerName: 'Ina Inside', admissions: [{ redeemedAt: new Date() }] })

  expect(await search(venue, 'rita')).toEqual([])
  expect(await search(venue, 'carl')).toEqual([])
  expect(await search(venue, 'ina')).toEqual(['Ina Inside'])
  expect(await search(venue, refunded.code.toLowerCase())).toEqual(['Rita Refunded'])
  expect(await search(venue, refunded.publicId)).toEqual(['Rita Refunded'])
  for (const id of [refunded.code, refunded.publicId]) {
    expect(await names(venue, `/scanner/events/winter-ball/tickets?query=${id}`)).toEqual([])
    expect(await names(venue, `/scanner/tickets?query=${id}`)).toEqual([])
  }
  expect(await names(venue, '/scanner/events/winter-ball/tickets')).toEqual(['Ina Inside'])
  expect(await names(venue, '/scanner/events/winter-ball/tickets?query=%20')).toEqual(['Ina Inside'])
})

test('the event limits a search, and the envelope says which', async () => {
  const venue = await openVenue()
  const ball = await addTicket(venue, 'winter-ball')
  const spring = await addTicket(venue, 'spring-night')

  expect((await venue.door.get('/scanner/search?q=lindqvist')).body).toMatchObject({ event: null, tickets: [{}, {}] })
  const limited = await venue.door.get('/scanner/search?q=lindqvist&event_slug=spring-night')
  expect(limited.body.event.slug).toBe('spring-night')
  expect(limited.body.tickets).toMatchObject([{ public_id: spring.publicId }])
  expect((await venue.door.get(`/scanner/search?q=${ball.code}&event_slug=spring-night`)).body.tickets).toEqual([])
  expect(await venue.door.get('/scanner/search?q=lindqvist&event_slug=nowhere')).toRefuse(404, 'Not found')

  expect((await venue.door.get('/scanner/tickets')).body).toEqual({ event: null, tickets: [] })
  expect((await venue.door.get('/scanner/tickets?query=zoe')).body).toMatchObject({ event: null, tickets: [{}, {}] })
  const listed = await venue.door.get('/scanner/tickets?event_slug=winter-ball')
  expect(listed.body).toMatchObject({ event: null, tickets: [{ public_id: ball.publicId }] })
  expect(await venue.door.get('/scanner/tickets?event_slug=nowhere')).toRefuse(404, 'Not found')
  const within = await venue.door.get(`/scanner/events/winter-ball/tickets?query=${ball.publicId}`)
  expect(within.body).toMatchObject({ event: { slug: 'winter-ball' }, tickets: [{ public_id: ball.publicId }] })
  expect(await venue.door.get('/scanner/events/nowhere/tickets')).toRefuse(404, 'Not found')
})

test('a name that is changed is found by the new one', async () => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball', { customerName: 'Old Name', admissions: [{ attendeeName: 'Old Guest' }] })
  const { pool } = venue.app.database
  await pool.query(`update orders set customer_name = 'New Name' where account_id = $1`, [venue.report.account.id])
  await pool.query(`update admissions set attendee_name = 'New Guest' where account_id = $1`, [venue.report.account.id])
  expect(await search(venue, 'new name')).toEqual(['New Guest'])
  expect(await search(venue, 'new guest')).toEqual(['New Guest'])
  expect(await search(venue, 'old')).toEqual([])
})
