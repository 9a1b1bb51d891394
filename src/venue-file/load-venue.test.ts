import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { verifyPassword } from '../access/passwords.ts'
import { directoryOf } from '../access/shards.ts'
import { digestOf } from '../access/tokens.ts'
import { FileFault } from '../loading/fault.ts'
import { type VenueFile, neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { theApp } from '../../test/kit/venue/venue.ts'
import { loadVenue } from './load-venue.ts'

let count = 0

/** Loads Neue Halle under a subdomain of its own, after the test changed it. */
const load = async (change: (file: VenueFile) => void = () => {}) => {
  const { app } = await theApp()
  const file = neueHalle(`halle-${++count}`)
  change(file)
  return loadVenue(app, JSON.stringify(file))
}

const query = async (text: string, values: unknown[] = []) => {
  const { app } = await theApp()
  const { rows } = await app.database.pool.query<Record<string, unknown>>(text, values)
  return rows
}

const now = async () => (await query('select foyer_now() as now'))[0]!['now'] as Date

const DAY = 24 * 60 * 60 * 1_000

test('the example file loads, and what it made is printed by the names it gave', async () => {
  const { app } = await theApp()
  const text = readFileSync(path.join(import.meta.dirname, 'example-venue.json'), 'utf8')
  const report = await loadVenue(app, text)

  expect(report).toMatchObject({
    account: { id: expect.any(Number), subdomain: 'neue-halle', shop_url: 'http://neue-halle.localhost:3000' },
    people: { 'olga@neue-halle.example': { user_id: expect.any(Number), membership_id: expect.any(Number) } },
    invitations: {},
    api_tokens: {
      'office write': expect.stringMatching(/^foyer_api_/),
      'cem write': expect.stringMatching(/^foyer_me_/),
    },
    devices: { 'Door 1': expect.stringMatching(/^foyer_door_/), 'Lost phone': expect.stringMatching(/^foyer_door_/) },
    events: {
      'winter-ball': {
        id: expect.any(Number),
        tickets: { ga: expect.any(Number), floor: expect.any(Number), four: expect.any(Number) },
        standing_areas: { front: expect.any(Number), back: expect.any(Number) },
        places: { 'A-1': expect.any(Number), 'W-1': expect.any(Number), 'W-1C': expect.any(Number) },
        questions: { heard: expect.any(Number), terms: expect.any(Number), diet: expect.any(Number) },
        orders: {},
        guest_parties: {},
        signup_links: {},
      },
      'last-summer': { tickets: { ga: expect.any(Number) }, standing_areas: {}, places: {}, questions: {} },
    },
    voucher_products: {},
    vouchers: {},
    voucher_imports: {},
  })
  expect(Object.keys(report)).toEqual([
    'account',
    'people',
    'invitations',
    'api_tokens',
    'devices',
    'events',
    'voucher_products',
    'vouchers',
    'voucher_imports',
  ])
  expect(Object.keys(report.people)).toHaveLength(5)
  expect(Object.keys(report.events)).toEqual(['winter-ball', 'spring-night', 'draft-show', 'last-summer'])
})

test('an account with the least a file can say has the documented defaults', async () => {
  const { app } = await theApp()
  const file = {
    account: { name: 'Least', subdomain: 'least' },
    people: [{ name: 'Olga', email: 'least@house.example', role: 'owner' }],
    events: [{ slug: 'night', title: 'Night', starts_at: '+P1D', tickets: [{ key: 'ga', title: 'General' }] }],
  }
  const report = await loadVenue(app, JSON.stringify(file))

  const [account] = await query('select * from accounts where id = $1', [report.account.id])
  expect(account).toMatchObject({
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
    shop_published_at: expect.any(Date),
  })
  const [event] = await query('select * from events where account_id = $1', [report.account.id])
  expect(event).toMatchObject({
    description: '',
    venue_id: null,
    show_end_time: false,
    gallery_images: [],
    published_at: expect.any(Date),
    unlisted_at: null,
    cancelled_at: null,
    archived_at: null,
    capacity: null,
  })
  const [ticket] = await query('select * from tickets where account_id = $1', [report.account.id])
  expect(ticket).toMatchObject({
    kind: 'StandardTicket',
    color: '#2f6fed',
    features: [],
    price_cents: 0,
    inventory_kind: 'ga',
    stock: null,
    max_per_order: null,
    hidden: false,
    group_size: null,
    tax_rate: 0,
  })
})

test('every state of an event is kept as the fact it is', async () => {
  const report = await load((file) => {
    Object.assign(file['events'][1], { published: false, listed: false, cancelled: true, archived: true })
    Object.assign(file['events'][0], {
      ends_at: '+P30DT6H',
      show_end_time: true,
      image: 'https://pictures.example/ball.jpg',
    })
  })
  const [ball, spring] = await query('select * from events where account_id = $1 order by id', [report.account.id])

  expect(spring).toMatchObject({
    published_at: null,
    unlisted_at: expect.any(Date),
    cancelled_at: expect.any(Date),
    archived_at: expect.any(Date),
  })
  expect(ball).toMatchObject({
    published_at: expect.any(Date),
    unlisted_at: null,
    show_end_time: true,
    minimum_age: 18,
    capacity: 500,
    image: 'https://pictures.example/ball.jpg',
  })
  const startsAt = ball!['starts_at'] as Date
  expect(Math.abs(startsAt.getTime() - (await now()).getTime() - 30 * DAY)).toBeLessThan(60_000)
  expect(startsAt.getTime() - (ball!['doors_open_at'] as Date).getTime()).toBe(DAY / 24)
  expect((ball!['public_ends_at'] as Date).getTime() - startsAt.getTime()).toBe(DAY / 4)
})

test('durations are counted from the time of the house', async () => {
  const { moveClock } = await theApp()
  await moveClock('40 days')
  const report = await load()
  await moveClock('-40 days')

  const [ball] = await query('select starts_at from events where id = $1', [report.events['winter-ball']!.id])
  expect(Math.abs((ball!['starts_at'] as Date).getTime() - Date.now() - 70 * DAY)).toBeLessThan(60_000)
})

test('tickets, areas, places and questions stand in the order of the file with all that was said of them', async () => {
  const report = await load()
  const event = report.events['winter-ball']!
  const ofEvent = (table: string) => query(`select * from ${table} where event_id = $1 order by position`, [event.id])

  const tickets = await ofEvent('tickets')
  expect(tickets.map((ticket) => ticket['title'])).toEqual([
    'General admission',
    'Standing',
    'Balcony seat',
    'Crew',
    'Table of four',
  ])
  expect(tickets.map((ticket) => ticket['color'])).toEqual(['#2f6fed', '#0f9d7a', '#c2410c', '#7c3aed', '#be185d'])
  expect(tickets[4]).toMatchObject({ kind: 'GroupTicket', group_size: 4, price_cents: 9000, stock: 10 })
  expect(await query('select ticket_id, code from ticket_access_codes where event_id = $1', [event.id])).toEqual([
    { ticket_id: event.tickets['crew'], code: 'backstage' },
  ])

  expect(await ofEvent('standing_areas')).toMatchObject([
    { id: event.standing_areas['front'], name: 'Front', capacity: 50, blocked_count: 0, closed_at: null },
    { id: event.standing_areas['back'], name: 'Back', capacity: 100, blocked_count: 10, closed_at: null },
  ])
  expect(await query('select distinct ticket_id from standing_area_tickets where event_id = $1', [event.id])).toEqual([
    { ticket_id: event.tickets['floor'] },
  ])

  const places = await ofEvent('places')
  expect(places).toHaveLength(8)
  expect(places[2]).toMatchObject({
    key: 'A-3',
    row: 'A',
    seat: '3',
    blocked_at: expect.any(Date),
    pair_place_id: null,
  })
  expect(places[6]).toMatchObject({ key: 'W-1', accessibility: 'wheelchair', pair_place_id: event.places['W-1C'] })
  expect(places[7]).toMatchObject({ key: 'W-1C', accessibility: 'companion', pair_place_id: event.places['W-1'] })

  expect(await ofEvent('questions')).toMatchObject([
    { id: event.questions['heard'], type: 'select', scope: 'order', options: ['Friends', 'Radio'], required: false },
    { id: event.questions['terms'], type: 'checkbox', options: [] },
    { id: event.questions['diet'], scope: 'attendee', required: true, complete_later: true },
  ])
})

test('performers and FAQ items are kept as the feed shows them', async () => {
  const report = await load((file) => {
    file['events'][0].performers = [
      {
        name: 'The Low Tides',
        genre: 'Soul',
        bio: '<p>Loud.</p>',
        links: { website: 'https://lowtides.example', spotify: null },
      },
      { name: '王小明', performer_type: 'person', role: 'guest', starts_at: '+P30D', ends_at: '+P30DT1H' },
    ]
    file['events'][0].faq_items = [{ question: 'Is there a cloakroom?', answer: 'Yes, at the entrance.' }]
  })
  const { id } = report.events['winter-ball']!

  expect(await query('select * from performers where event_id = $1 order by position', [id])).toMatchObject([
    {
      name: 'The Low Tides',
      performer_type: 'performing_group',
      role: 'headliner',
      genre: 'Soul',
      bio: '<p>Loud.</p>',
      links: { website: 'https://lowtides.example', spotify: null },
    },
    { name: '王小明', performer_type: 'person', role: 'guest', starts_at: expect.any(Date), links: {} },
  ])
  expect(await query('select question, answer from faq_items where event_id = $1', [id])).toEqual([
    { question: 'Is there a cloakroom?', answer: 'Yes, at the entrance.' },
  ])
})

test('tokens and devices open the account, as whom and on what the file says', async () => {
  const { app } = await theApp()
  const report = await load((file) => {
    file['api_tokens'].push({ description: 'brought along', permission: 'read', token: `brought-${count}` })
  })
  const callerOf = async (token: string | undefined, eventSlug = 'winter-ball') =>
    app.directory.findCaller({ digest: digestOf(token!), eventSlug })

  expect(await callerOf(report.api_tokens['office write'])).toMatchObject({
    caller: {
      account: { id: report.account.id },
      credential: { kind: 'account_token', permission: 'write', role: null },
      actor: { email: 'olga@neue-halle.example' },
    },
  })
  expect(await callerOf(report.api_tokens['cem write'])).toMatchObject({
    caller: { credential: { kind: 'personal_token', role: 'co_organizer' }, actor: { email: 'cem@partner.example' } },
    event: { assigned: true },
  })
  expect(await callerOf(report.api_tokens['cem write'], 'spring-night')).toMatchObject({ event: { assigned: false } })
  expect(await callerOf(report.devices['Door 1'])).toMatchObject({
    caller: { credential: { kind: 'scanner_device', description: 'Door 1' } },
  })
  expect(report.api_tokens['brought along']).toBe(`brought-${count}`)
  expect(await callerOf(`brought-${count}`)).toMatchObject({ caller: { credential: { permission: 'read' } } })
  expect(await callerOf(report.api_tokens['old'])).toBeNull()
  expect(await callerOf(report.devices['Lost phone'])).toBeNull()
  expect(
    await query('select digest from credential_digests where digest = $1', [Buffer.from(`brought-${count}`)]),
  ).toEqual([])
})

test('the first owner of the file is the account owner', async () => {
  const { app } = await theApp()
  const report = await load((file) => {
    file['people'].unshift({
      name: 'Gone Owner',
      email: 'gone@neue-halle.example',
      role: 'owner',
      state: 'deactivated',
    })
    file['people'].push({ name: 'Second Owner', email: 'anna@neue-halle.example', role: 'owner' })
  })
  const introduction = await app.directory.findCaller({
    digest: digestOf(report.api_tokens['office read']!),
    eventSlug: null,
  })
  expect(introduction?.caller.actor).toMatchObject({
    email: 'olga@neue-halle.example',
    personId: report.people['olga@neue-halle.example']!.user_id,
    membershipId: report.people['olga@neue-halle.example']!.membership_id,
  })
})

test('a person who is known already keeps name and password and gains the membership', async () => {
  const withVera = (name: string, password?: string) => (file: VenueFile) =>
    void file['people'].push({ name, email: 'Vera@Both.example', role: 'manager', ...(password && { password }) })
  const first = await load(withVera('Vera', 'first password'))
  const second = await load(withVera('Vera Other', 'second password'))

  const [one, other] = [first.people['vera@both.example']!, second.people['vera@both.example']!]
  expect(other.user_id).toBe(one.user_id)
  expect(other.membership_id).not.toBe(one.membership_id)
  const { rows } = await directoryOf((await theApp()).app).pool.query<{ name: string; password_digest: string }>(
    'select name, password_digest from people where id = $1',
    [one.user_id],
  )
  const [vera] = rows
  expect(vera!.name).toBe('Vera')
  expect(await verifyPassword('first password', vera!.password_digest)).toBe(true)
  expect(await verifyPassword('second password', vera!.password_digest)).toBe(false)
})

test('two accounts have events of the same slug, each its own', async () => {
  const [one, other] = [await load(), await load()]
  expect(one.events['winter-ball']!.id).not.toBe(other.events['winter-ball']!.id)
  expect(
    await query(`select 1 from events where slug = 'winter-ball' and id = any($1)`, [
      [one.events['winter-ball']!.id, other.events['winter-ball']!.id],
    ]),
  ).toHaveLength(2)
})

test('files with the same new people load at the same time', async () => {
  const { app } = await theApp()
  const people = Array.from({ length: 30 }, (_, n) => ({
    name: `Guest ${n}`,
    email: `p${n}@crowd.example`,
    role: 'owner',
  }))
  const files = Array.from({ length: 6 }, (_, n) => ({
    account: { name: 'Crowd', subdomain: `crowd-${n}` },
    people: n % 2 ? people : people.toReversed(),
  }))
  const reports = await Promise.all(files.map((file) => loadVenue(app, JSON.stringify(file))))
  expect(new Set(reports.map((report) => report.people['p7@crowd.example']!.user_id)).size).toBe(1)
})

test('of two files that want one subdomain at the same time, one is loaded', async () => {
  const { app } = await theApp()
  const text = JSON.stringify(neueHalle('wanted'))
  const results = await Promise.allSettled([loadVenue(app, text), loadVenue(app, text)])
  expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find((result) => result.status === 'rejected')?.reason).toEqual(
    new FileFault('account.subdomain: "wanted" is taken by another account.'),
  )
})

test('a shop is found at its custom domains', async () => {
  const { app } = await theApp()
  const report = await load((file) => {
    file['account'].custom_domains = ['Tickets.Own.example', 'karten.müller.example']
  })
  expect(await app.directory.findShop({ host: 'tickets.own.example' })).toMatchObject({
    id: report.account.id,
  })
  expect(await app.directory.findShop({ host: 'karten.xn--mller-kva.example' })).toMatchObject({
    id: report.account.id,
  })
})

test('twenty thousand places are a matter of seconds, because they are not inserted one by one', async () => {
  const places = Array.from({ length: 20_000 }, (_, n) => ({
    key: `S-${n}`,
    label: `Row ${Math.floor(n / 100)} Seat ${n % 100}`,
    section: 'Arena',
    row: String(Math.floor(n / 100)),
    seat: String(n % 100),
    ticket: 'seat',
    ...(n < 200 && { accessibility: n % 2 ? 'companion' : 'wheelchair', pair: `S-${n ^ 1}` }),
  }))
  const start = performance.now()
  const report = await load((file) => {
    file['events'][0].places = places
  })
  expect(performance.now() - start).toBeLessThan(8_000)

  const event = report.events['winter-ball']!
  expect(Object.keys(event.places)).toHaveLength(20_000)
  expect(await query('select key, pair_place_id from places where id = $1', [event.places['S-1']])).toEqual([
    { key: 'S-1', pair_place_id: event.places['S-0'] },
  ])
  expect(await query('select count(*) as n from places where event_id = $1', [event.id])).toEqual([{ n: 20_000 }])
})
