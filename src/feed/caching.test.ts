import { expect, test } from 'vitest'
import { openClient } from '../../test/kit/venue/client.ts'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { atShop } from '../../test/kit/venue/shop.ts'
import { openVenue, type Venue } from '../../test/kit/venue/venue.ts'

/** Until Foyer hears what is announced; before that nothing is kept, and there is nothing to be wrong. */
const untilListening = async ({ app }: Pick<Venue, 'app'>, shop: ReturnType<typeof atShop>) => {
  await shop.get('/events')
  await expect.poll(() => app.database.pgNotifications.barrier(), { interval: 20 }).not.toBeNull()
}

const openShop = async (...change: Parameters<typeof openVenue>) => {
  const venue = await openVenue(...change)
  const shop = atShop(venue)
  await untilListening(venue, shop)
  const query = (text: string, values: unknown[] = []) => venue.app.database.pool.query(text, values)
  return { venue, shop, query, eventId: venue.report.events['winter-ball']!.id, accountId: venue.report.account.id }
}

test('both answers may be kept for a minute by anyone, and read by any site', async () => {
  const { shop } = await openShop()
  for (const path of ['/events', '/events/winter-ball', '/events/winter-ball.json']) {
    const { headers } = await shop.get(path)
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
})

test('whoever has the event already is told so without a body, and with the same headers', async () => {
  const { shop } = await openShop()
  const first = await shop.get('/events/winter-ball')
  const etag = first.headers.get('etag')!
  expect(etag).toMatch(/^W\/"[\w-]+"$/)
  expect(Date.parse(first.headers.get('last-modified')!)).toBeLessThanOrEqual(Date.now())

  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
    const again = await shop.get('/events/winter-ball', { headers: { 'if-none-match': tag } })
    expect([again.status, again.text], tag).toEqual([304, ''])
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('cache-control')).toBe('public, max-age=60')
    expect(again.headers.get('access-control-allow-origin')).toBe('*')
    expect(again.headers.get('vary')).toBe('Accept, Accept-Encoding')
  }
  expect((await shop.get('/events/winter-ball', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('HEAD answers like GET without the body', async () => {
  const { shop } = await openShop()
  const { headers } = await shop.get('/events/winter-ball')
  const head = await shop.ask('HEAD', '/events/winter-ball')
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', headers.get('etag')])
})

test('a preflight is answered, and refusals can be read by other sites too', async () => {
  const { shop } = await openShop()
  for (const path of ['/events', '/events/winter-ball', '/events/no-such-event']) {
    const reply = await shop.ask('OPTIONS', path, {
      headers: {
        origin: 'https://band.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'accept, if-none-match',
      },
    })
    expect([reply.status, reply.text]).toEqual([204, ''])
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    expect(reply.headers.get('access-control-allow-headers')).toBe('accept, if-none-match')
  }
  const missing = await shop.get('/events/no-such-event')
  expect([missing.status, missing.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
  expect(missing.headers.get('cache-control')).toBe('private, no-store')
  expect((await shop.ask('POST', '/events')).status).toBe(405)
})

test('those who unlocked a ticket have another tag, and neither is told that it has what it has not', async () => {
  const { shop } = await openShop()
  const plain = (await shop.get('/events/winter-ball')).headers.get('etag')!
  const crew = (await shop.get('/events/winter-ball?code=backstage')).headers.get('etag')!
  expect(crew).not.toBe(plain)
  expect((await shop.get('/events/winter-ball?code=BACKSTAGE', { headers: { 'if-none-match': crew } })).status).toBe(
    304,
  )
  expect((await shop.get('/events/winter-ball?code=BACKSTAGE', { headers: { 'if-none-match': plain } })).status).toBe(
    200,
  )
  expect((await shop.get('/events/winter-ball', { headers: { 'if-none-match': crew } })).status).toBe(200)
  expect((await shop.get('/events/winter-ball?code=wrong', { headers: { 'if-none-match': plain } })).status).toBe(304)
})

const few = (file: Parameters<NonNullable<Parameters<typeof openVenue>[0]>>[0]) => {
  file['events'][0].tickets[0].stock = 17
}

/** What changes, and what it changes. Each is asked for at once, with no time for anybody to hear of it. */
const EDITS: Record<string, { sql: string; shows: object }> = {
  'a title': { sql: `update events set title = 'Summer Ball' where id = $1`, shows: { title: 'Summer Ball' } },
  'a description': {
    sql: `update events set description = '<p>New</p>' where id = $1`,
    shows: { description: '<p>New</p>' },
  },
  'a cancellation': { sql: 'update events set cancelled_at = foyer_now() where id = $1', shows: { sold_out: true } },
  'a capacity that is reached': { sql: 'update events set capacity = 0 where id = $1', shows: { sold_out: true } },
  'a price': {
    sql: `update tickets set price_cents = 100 where event_id = $1 and title = 'Standing'`,
    shows: { cheapest_available_price: { amount: '1.00' } },
  },
  'a new ticket': {
    sql: `insert into tickets (account_id, event_id, key, position, title, color, price_cents) select account_id, id, 'late', 9, 'Late', '#000000', 50 from events where id = $1`,
    shows: { cheapest_available_price: { amount: '0.50' } },
  },
  'a ticket taken away': {
    sql: `update tickets set archived_at = foyer_now() where event_id = $1 and title = 'General admission'`,
    shows: { cheapest_available_price: { amount: '30.00' } },
  },
  'a ticket that is hidden': {
    sql: `update tickets set hidden = true where event_id = $1 and title = 'General admission'`,
    shows: { cheapest_available_price: { amount: '30.00' } },
  },
  'a performer': {
    sql: `insert into performers (account_id, event_id, position, name) select account_id, id, 0, 'Ana' from events where id = $1`,
    shows: { performers: [{ name: 'Ana' }] },
  },
  'a question': {
    sql: `insert into faq_items (account_id, event_id, position, question, answer) select account_id, id, 0, 'Q?', 'A.' from events where id = $1`,
    shows: { faq_items: [{ question: 'Q?', answer: 'A.' }] },
  },
  'a venue': {
    sql: `update venues v set city = 'Bremen' from events e where e.id = $1 and v.account_id = e.account_id`,
    shows: { venue: { city: 'Bremen' } },
  },
  'a currency': {
    sql: `update accounts a set currency = 'CHF' from events e where e.id = $1 and a.id = e.account_id`,
    shows: { cheapest_available_price: { amount: '25.00', currency: 'CHF' } },
  },
}

test.each(Object.keys(EDITS))('%s shows at the very next request, on the event and its old tag', async (name) => {
  const { shop, query, eventId } = await openShop()
  const before = await shop.get('/events/winter-ball')
  await shop.get('/events')
  await query(EDITS[name]!.sql, [eventId])

  const after = await shop.get('/events/winter-ball', { headers: { 'if-none-match': before.headers.get('etag')! } })
  expect(after.status).toBe(200)
  expect(after.body).toMatchObject(EDITS[name]!.shows)
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
})

test('an event that is taken back is gone at the very next request', async () => {
  const { shop, query, eventId } = await openShop()
  const { headers } = await shop.get('/events/winter-ball')
  expect((await shop.get('/events')).body.events).toHaveLength(1)
  await query('update events set published_at = null where id = $1', [eventId])
  expect((await shop.get('/events/winter-ball', { headers: { 'if-none-match': headers.get('etag')! } })).status).toBe(
    404,
  )
  expect((await shop.get('/events')).body.events).toHaveLength(0)
})

test('a shop that closes, and a domain that moves, are noticed at once', async () => {
  const { venue, shop, query, accountId } = await openShop()
  const host = `tickets.${venue.report.account.subdomain}.example`
  const other = await openVenue((file) => {
    file['events'][0].title = 'Their Ball'
  })
  const setDomains = async ({ office }: Venue, domains: string[]) => {
    expect((await office.patch('/admin/account', { account: { custom_domains: domains } })).status).toBe(200)
  }
  await setDomains(venue, [host])
  expect((await shop.get('/events/winter-ball', { headers: { host } })).body.title).toBe('Winter Ball')
  await setDomains(venue, [])
  await setDomains(other, [host])
  expect((await shop.get('/events/winter-ball', { headers: { host } })).body.title).toBe('Their Ball')

  await query('update accounts set shop_published_at = null where id = $1', [accountId])
  expect((await shop.get('/events')).status).toBe(404)
  await query('update accounts set shop_published_at = foyer_now() where id = $1', [accountId])
  expect((await shop.get('/events')).status).toBe(200)
})

test('a sale shows when it leaves few, when it leaves none, and when it is given back', async () => {
  const { shop, query, eventId } = await openShop(few)
  const sell = (count: number) =>
    query(
      `with e as (update events set claimed_count = claimed_count + $2 where id = $1)
       update tickets set claimed_count = claimed_count + $2 where event_id = $1 and title = 'General admission'`,
      [eventId, count],
    )
  const ticket = async () => (await shop.get('/events/winter-ball')).body.tickets[0]

  expect(await ticket()).toMatchObject({ available: true, low_stock: false })
  await sell(1)
  expect(await ticket()).toMatchObject({ available: true, low_stock: false })
  await sell(1)
  expect(await ticket()).toMatchObject({ available: true, low_stock: true })
  await sell(15)
  expect(await ticket()).toMatchObject({ available: false, sold_out: true, low_stock: true })
  expect((await shop.get('/events')).body.events[0].cheapest_available_price.amount).toBe('30.00')
  await sell(-2)
  expect(await ticket()).toMatchObject({ available: true, low_stock: true })
  await sell(-15)
  expect(await ticket()).toMatchObject({ low_stock: false })
})

test('a guest party and its cancellation show at the very next request', async () => {
  const { venue, shop } = await openShop((file) => {
    file['events'][0].tickets[0].stock = 2
  })
  const path = '/admin/events/winter-ball/guest_parties'
  const ticketId = venue.report.events['winter-ball']!.tickets['ga']
  expect((await shop.get('/events/winter-ball')).body.tickets[0]).toMatchObject({ available: true })

  const party = await venue.office.post(path, {
    guest_party: { customer_name: 'Ana', party_size: 2, ticket_id: ticketId },
  })
  expect(party.status).toBe(201)
  expect((await shop.get('/events/winter-ball')).body.tickets[0]).toMatchObject({ available: false, sold_out: true })

  expect((await venue.office.post(`${path}/${party.body.public_id}/cancellation`)).status).toBe(200)
  expect((await shop.get('/events/winter-ball')).body.tickets[0]).toMatchObject({ available: true })
})

test('seats that are blocked, and areas that close, show at once', async () => {
  const { shop, query, eventId } = await openShop()
  const titled = async (title: string) =>
    (await shop.get('/events/winter-ball')).body.tickets.find((each: { title: string }) => each.title === title)

  expect(await titled('Balcony seat')).toMatchObject({ available: true, low_stock: true })
  await query('update places set blocked_at = foyer_now() where event_id = $1', [eventId])
  expect(await titled('Balcony seat')).toMatchObject({ available: false })
  await query('update places set blocked_at = null where event_id = $1', [eventId])
  expect(await titled('Balcony seat')).toMatchObject({ available: true })

  expect(await titled('Standing')).toMatchObject({ available: true, low_stock: false })
  await query(`update standing_areas set closed_at = foyer_now() where event_id = $1 and name = 'Back'`, [eventId])
  await query(`update standing_areas set claimed_count = 36 where event_id = $1 and name = 'Front'`, [eventId])
  expect(await titled('Standing')).toMatchObject({ available: true, low_stock: true })
})

test('sales that change nothing to be seen change no tag and no date, so nobody can count them', async () => {
  const { shop, query, eventId } = await openShop()
  const before = await shop.get('/events/winter-ball')
  await query(
    `update tickets set claimed_count = claimed_count + 1 where event_id = $1 and title = 'General admission'`,
    [eventId],
  )
  await query('update events set claimed_count = claimed_count + 1 where id = $1', [eventId])
  // Something else makes the shop look again.
  await query(`update accounts a set name = name || '!' from events e where e.id = $1 and a.id = e.account_id`, [
    eventId,
  ])

  const after = await shop.get('/events/winter-ball')
  for (const name of ['etag', 'last-modified']) expect(after.headers.get(name), name).toBe(before.headers.get(name))
})

test('neither a redemption nor a sale in a well-stocked house is announced; one transaction announces once', async () => {
  const { venue, query, eventId, accountId } = await openShop()
  const heard: string[] = []
  venue.app.database.pgNotifications.listen('shop', { hear: (payload) => heard.push(payload), forget: () => {} })
  const told = async () => {
    await expect.poll(() => venue.app.database.pgNotifications.barrier()).not.toBeNull()
    return heard.splice(0).filter((payload) => payload === String(accountId)).length
  }
  await told()

  await query(`update tickets set claimed_count = claimed_count + 1 where event_id = $1 and stock > 100`, [eventId])
  await query('update events set claimed_count = claimed_count + 1 where id = $1', [eventId])
  await query('update events set slug = slug where id = $1', [eventId])
  expect(await told()).toBe(0)

  await query(
    `with e as (update events set title = 'A' where id = $1), t as (update tickets set title = title || '!' where event_id = $1)
     update places set blocked_at = foyer_now() where event_id = $1`,
    [eventId],
  )
  expect(await told()).toBe(1)
})

test('what is remembered is really remembered: a change that nobody announces goes unnoticed', async () => {
  const { shop, query, eventId } = await openShop()
  const titles = async () => [
    (await shop.get('/events/winter-ball')).body.title,
    (await shop.get('/events')).body.events[0].title,
  ]
  expect(await titles()).toEqual(['Winter Ball', 'Winter Ball'])
  await query('alter table events disable trigger announce_edit')
  await query(`update events set title = 'In silence' where id = $1`, [eventId])
  expect(await titles()).toEqual(['Winter Ball', 'Winter Ball'])

  await query('alter table events enable trigger announce_edit')
  await query(`update events set title = 'Aloud' where id = $1`, [eventId])
  expect(await titles()).toEqual(['Aloud', 'Aloud'])
})

test('nothing is remembered while the connection that listens is lost, and it comes back by itself', async () => {
  const { venue, shop, query, eventId } = await openShop()
  const title = async () => (await shop.get('/events/winter-ball')).body.title
  const hangUp = () =>
    query(`select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'foyer announcements' and datname = current_database()`)
  expect(await title()).toBe('Winter Ball')

  await Promise.all([hangUp(), query(`update events set title = 'First' where id = $1`, [eventId])])
  expect(await title()).toBe('First')
  await query(`update events set title = 'Second' where id = $1`, [eventId])
  expect(await title()).toBe('Second')

  await untilListening(venue, shop)
  expect(await title()).toBe('Second')
  await query(`update events set title = 'Third' where id = $1`, [eventId])
  expect(await title()).toBe('Third')
})

test('two processes on one database: the one that wrote is right at once, and the other agrees with it in a moment', async () => {
  const { venue, shop, query, eventId } = await openShop()
  const second = await openSecondApp(venue)
  try {
    const elsewhere = atShop({ ...venue, stranger: openClient(second.origin) })
    await untilListening(second, elsewhere)

    for (let n = 1; n <= 20; n++) {
      await query(`update events set title = $2 where id = $1`, [eventId, `Title ${n}`])
      const here = await shop.get('/events/winter-ball')
      expect(here.body.title).toBe(`Title ${n}`)
      const tagElsewhere = async () => (await elsewhere.get('/events/winter-ball')).headers.get('etag')
      await expect.poll(tagElsewhere, { interval: 5 }).toBe(here.headers.get('etag'))
    }
  } finally {
    await second.close()
  }
})

test('whatever readers see while the title counts up never goes back', async () => {
  const { shop, query, eventId } = await openShop()
  const progress = { written: 0, isDone: false }
  const write = async () => {
    for (let n = 1; n <= 60; n++) {
      await query(`update events set title = $2 where id = $1`, [eventId, String(n)])
      progress.written = n
    }
    progress.isDone = true
  }
  const read = async () => {
    while (!progress.isDone) {
      const least = progress.written
      const shown = Number((await shop.get('/events/winter-ball')).body.title)
      expect(shown).toBeGreaterThanOrEqual(least)
    }
  }
  await query(`update events set title = '0' where id = $1`, [eventId])
  await Promise.all([write(), read(), read(), read(), read()])
})

// Last in this file, because it moves the clock of the file's house.
test('the clock alone ends an event, and a checkout that was not finished', async () => {
  const { venue, shop, query } = await openShop((file) => {
    file['events'].push(
      { slug: 'soon', title: 'Soon', starts_at: '+PT1H', tickets: [{ key: 'a', title: 'A', stock: 2 }] },
      { slug: 'last', title: 'Last', starts_at: '+P300D' },
    )
  })
  await query(
    `with t as (update tickets set claimed_count = 2 where event_id = $1 returning account_id, event_id, id),
       e as (update events set claimed_count = 2 where id = $1)
     insert into holds (account_id, event_id, ticket_id, quantity, stock_quantity, expires_at)
     select account_id, event_id, id, 2, 2, foyer_now() + interval '10 minutes' from t`,
    [venue.report.events['soon']!.id],
  )
  const slugs = async () => (await shop.get('/events')).body.events.map((each: { slug: string }) => each.slug)
  expect((await shop.get('/events/soon')).body.sold_out).toBe(true)
  expect(await slugs()).toEqual(['soon', 'winter-ball', 'last'])

  await venue.moveClock('11 minutes')
  expect((await shop.get('/events/soon')).body.sold_out).toBe(false)
  await venue.moveClock('5 hours 30 minutes')
  expect(await slugs()).toEqual(['soon', 'winter-ball', 'last'])
  await venue.moveClock('20 minutes')
  expect(await slugs()).toEqual(['winter-ball', 'last'])
})
