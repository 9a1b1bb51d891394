import { expect, test } from 'vitest'
import { FileFault } from '../loading/fault.ts'
import { type VenueFile, neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { theApp } from '../../test/kit/venue/venue.ts'
import { loadVenue } from './load-venue.ts'

const TABLES = [
  'accounts',
  'shop_hosts',
  'people',
  'memberships',
  'assignments',
  'credentials',
  'credential_digests',
  'venues',
  'events',
  'tickets',
  'ticket_access_codes',
  'standing_areas',
  'standing_area_tickets',
  'places',
  'questions',
  'performers',
  'faq_items',
] as const

const countRows = async () => {
  const { app } = await theApp()
  const counts = TABLES.map((table) => `(select count(*) from ${table}) as ${table}`)
  const { rows } = await app.database.pool.query<Record<string, number>>(`select ${counts.join(', ')}`)
  return rows[0]
}

/** The file is refused with this sentence, and nothing of it is left. */
const expectFault = async (text: string, sentence: string) => {
  const { app } = await theApp()
  const before = await countRows()
  await expect(loadVenue(app, text)).rejects.toThrow(new FileFault(sentence))
  expect(await countRows()).toEqual(before)
}

/** Formatting that is never closed is opened again in every paragraph that follows. */
const REOPENING = `<p>${Array.from({ length: 90 }, (_, n) => `<b a${n}>`).join('')}</p>${'<p>x</p>'.repeat(1_000)}`

type Change = (file: VenueFile) => void

const event =
  (changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['events'][0], changes)
const ticket =
  (n: number, changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['events'][0].tickets[n], changes)
const person =
  (n: number, changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['people'][n], changes)
const account =
  (changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['account'], changes)
const place =
  (n: number, changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['events'][0].places[n], changes)
const area =
  (n: number, changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['events'][0].standing_areas[n], changes)
const question =
  (n: number, changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['events'][0].questions[n], changes)
const venue =
  (changes: VenueFile): Change =>
  (file) =>
    void Object.assign(file['venues'][0], changes)
const without =
  (key: string): Change =>
  (file) =>
    void delete file[key]
const add =
  (key: string, thing: unknown): Change =>
  (file) =>
    void file[key].push(thing)

const NO_TIME = 'is neither a time like "2030-01-31T20:00:00Z" nor a duration from now like "+P30D" or "-PT2H"'

const FAULTS: [string, Change][] = [
  // Keys and shapes.
  ['acounts: is an unknown key.', (file) => void (file['acounts'] = {})],
  ['account: is missing.', without('account')],
  ['people: is missing.', without('people')],
  ['account.plan: is an unknown key.', account({ plan: 'gold' })],
  ['people[1].nick: is an unknown key.', person(1, { nick: 'M' })],
  ['events[0].colour: is an unknown key.', event({ colour: 'red' })],
  ['events[0].tickets[2].colour: is an unknown key.', ticket(2, { colour: 'red' })],
  [
    'events[0].performers[0].links.myspace: is an unknown key.',
    event({ performers: [{ name: 'A', links: { myspace: null } }] }),
  ],
  ['events: is not a list.', (file) => void (file['events'] = {})],
  ['account: is not an object.', (file) => void (file['account'] = 'Neue Halle')],
  ['events[0].published: is neither true nor false.', event({ published: 'yes' })],

  // The account.
  ['account.name: is blank.', account({ name: ' ' })],
  ['account.subdomain: is missing.', (file) => void delete file['account'].subdomain],
  [
    'account.subdomain: is not one host label of lower-case letters, digits and hyphens.',
    account({ subdomain: 'Neue Halle' }),
  ],
  [
    'account.subdomain: is not one host label of lower-case letters, digits and hyphens.',
    account({ subdomain: '-halle' }),
  ],
  ['account.subdomain: "taken" is taken by another account.', account({ subdomain: 'taken' })],
  ['account.currency: is not a currency like "EUR".', account({ currency: 'EURO' })],
  ['account.time_zone: is not a time zone like "Europe/Berlin".', account({ time_zone: 'Europe/Atlantis' })],
  [
    'account.custom_domains[0]: is not a host name like "tickets.example.com".',
    account({ custom_domains: ['https://a.example'] }),
  ],
  ['account.custom_domains[1]: "a.example" is given twice.', account({ custom_domains: ['a.example', 'A.example'] })],
  ['account.custom_domains[0]: "localhost" is an address of Foyer itself.', account({ custom_domains: ['localhost'] })],
  [
    'account.custom_domains[0]: "other.localhost" is an address of Foyer itself.',
    account({ custom_domains: ['other.localhost'] }),
  ],
  ['account.custom_domains[0]: "127.0.0.1" is an address of Foyer itself.', account({ custom_domains: ['127.0.0.1'] })],
  [
    'account.custom_domains[1]: "tickets.taken.example" is taken by another account.',
    account({ custom_domains: ['free.example', 'tickets.taken.example'] }),
  ],

  // People.
  ['people: at least one active owner is needed.', person(0, { role: 'manager' })],
  ['people: at least one active owner is needed.', person(0, { state: 'deactivated' })],
  ['people[0].role: is none of scanner, manager, owner, co_organizer, promoter.', person(0, { role: 'boss' })],
  ['people[0].state: is none of active, deactivated.', person(0, { state: 'asleep' })],
  ['people[1].email: is not an email address.', person(1, { email: 'mara' })],
  ['people[1].email: "olga@neue-halle.example" is given twice.', person(1, { email: 'OLGA@neue-halle.example' })],
  ['people[1].password: is blank.', person(1, { password: '' })],
  ['people[1].password: has more than 200 characters.', person(1, { password: 'x'.repeat(201) })],
  ['events[0].description: has too much markup.', event({ description: '<b>'.repeat(200) })],
  ['events[0].performers[0].bio: has too much markup.', event({ performers: [{ name: 'x', bio: REOPENING }] })],
  [
    'events[0].faq_items[0].answer: has too much markup.',
    event({ faq_items: [{ question: 'x', answer: '<i></i>'.repeat(20_001) }] }),
  ],
  ['people[1].events: only co-organizers are assigned to events.', person(1, { events: ['winter-ball'] })],
  ['people[2].events[1]: there is no event "summer-ball".', person(2, { events: ['winter-ball', 'summer-ball'] })],
  ['people[2].events[1]: "winter-ball" is given twice.', person(2, { events: ['winter-ball', 'winter-ball'] })],

  // Tokens and devices.
  ['api_tokens[9].description: "old" is given twice.', add('api_tokens', { description: 'old', permission: 'read' })],
  ['api_tokens[9].permission: is none of read, write.', add('api_tokens', { description: 'new', permission: 'admin' })],
  [
    'api_tokens[9].person: there is no person "nobody@neue-halle.example".',
    add('api_tokens', { description: 'new', permission: 'read', person: 'nobody@neue-halle.example' }),
  ],
  [
    'api_tokens[9].token: has characters that cannot be sent as a bearer token.',
    add('api_tokens', { description: 'new', permission: 'read', token: 'two words' }),
  ],
  [
    'api_tokens[9].token: is a mistyped token of Foyer.',
    add('api_tokens', { description: 'new', permission: 'read', token: 'foyer_api_made_up_by_hand' }),
  ],
  [
    'api_tokens[9].token: is in use already.',
    add('api_tokens', { description: 'new', permission: 'read', token: 'taken-token' }),
  ],
  ['devices[3].token: is in use already.', add('devices', { name: 'Door 3', token: 'taken-token' })],
  [
    'devices[4].token: is in use already.',
    (file) => void file['devices'].push({ name: 'Door 3', token: 'same' }, { name: 'Door 4', token: 'same' }),
  ],
  ['devices[3].name: "Door 1" is given twice.', add('devices', { name: 'Door 1' })],

  // Venues and events.
  ['venues[1].key: "halle" is given twice.', add('venues', { key: 'halle', name: 'Second' })],
  ['venues[0].latitude: is more than 90.', venue({ latitude: 153.5 })],
  ['venues[0].longitude: is missing, and latitude alone is no place.', venue({ longitude: null })],
  ['venues[0].latitude: is missing, and longitude alone is no place.', venue({ latitude: null })],
  ['events[0].venue: there is no venue "garten".', event({ venue: 'garten' })],
  [
    'events[0].slug: is not a slug of lower-case letters and digits with single hyphens between them.',
    event({ slug: 'Winter Ball' }),
  ],
  ['events[1].slug: "spring-night" is given twice.', event({ slug: 'spring-night' })],
  ['events[0].starts_at: is missing.', (file) => void delete file['events'][0].starts_at],
  [`events[0].starts_at: ${NO_TIME}.`, event({ starts_at: 'P30D' })],
  ['events[0].doors_open_at: is after starts_at.', event({ doors_open_at: '+P30DT1S' })],
  ['events[0].ends_at: is not after starts_at.', event({ ends_at: '+P30D' })],
  ['events[0].show_end_time: needs ends_at.', event({ show_end_time: true })],
  ['events[0].sales_ends_at: is not after sales_starts_at.', event({ sales_starts_at: '+P2D', sales_ends_at: '+P1D' })],
  ['events[0].minimum_age: is more than 120.', event({ minimum_age: 121 })],
  ['events[0].capacity: is less than 0.', event({ capacity: -1 })],
  ['events[0].video_url: is not a web address.', event({ video_url: 'javascript:alert(1)' })],
  ['events[0].image: is a path, and there is no folder that it could begin in.', event({ image: 'ball.jpg' })],
  [
    'events[0].gallery_images[1]: is neither an https URL nor a path.',
    event({ gallery_images: ['https://a.example/1.jpg', 'ftp://a.example/2.jpg'] }),
  ],

  // Tickets, areas, places, questions.
  ['events[0].tickets[1].key: "ga" is given twice.', ticket(1, { key: 'ga' })],
  ['events[0].tickets[2].price: is not an amount of EUR.', ticket(2, { price: '45,00' })],
  ['events[0].tickets[0].price: is less than 0.', ticket(0, { price: '-1.00' })],
  ['events[0].tickets[0].price: is not an amount of JPY.', account({ currency: 'JPY' })],
  ['events[0].tickets[0].kind: is none of StandardTicket, GroupTicket.', ticket(0, { kind: 'Pass' })],
  ['events[0].tickets[0].color: is not a color like "#2f6fed".', ticket(0, { color: null })],
  ['events[0].tickets[0].stock: is less than 0.', ticket(0, { stock: -1 })],
  ['events[0].tickets[0].stock: is not a whole number.', ticket(0, { stock: 1.5 })],
  ['events[0].tickets[0].max_per_order: is less than 1.', ticket(0, { max_per_order: 0 })],
  ['events[0].tickets[4].group_size: is missing, and a GroupTicket needs it.', ticket(4, { group_size: null })],
  ['events[0].tickets[0].group_size: is given, but only a GroupTicket has one.', ticket(0, { group_size: 4 })],
  ['events[0].tickets[4].group_size: is less than 2.', ticket(4, { group_size: 1 })],
  [
    'events[0].tickets[3].access_codes[1]: "backstage" is given twice.',
    ticket(3, { access_codes: ['Backstage', ' BACKSTAGE'] }),
  ],
  ['events[0].standing_areas[0].tickets[0]: there is no ticket "stage".', area(0, { tickets: ['stage'] })],
  [
    'events[0].standing_areas[0].tickets[1]: the ticket "ga" is not of inventory_kind "standing".',
    area(0, { tickets: ['floor', 'ga'] }),
  ],
  ['events[0].standing_areas[1].key: "front" is given twice.', area(1, { key: 'front' })],
  ['events[0].standing_areas[1].blocked: is more than the capacity.', area(1, { blocked: 101 })],
  ['events[0].standing_areas[1].capacity: is less than 0.', area(1, { capacity: -1 })],
  ['events[0].places[1].key: "A-1" is given twice.', place(1, { key: 'A-1' })],
  ['events[0].places[0].ticket: there is no ticket "stage".', place(0, { ticket: 'stage' })],
  ['events[0].places[0].ticket: the ticket "floor" is not of inventory_kind "places".', place(0, { ticket: 'floor' })],
  ['events[0].places[0].accessibility: is none of wheelchair, companion.', place(0, { accessibility: 'ramp' })],
  ['events[0].places[6].pair: there is no place "W-9".', place(6, { pair: 'W-9' })],
  ['events[0].places[0].pair: the place "W-1" does not name "A-1" as its pair.', place(0, { pair: 'W-1' })],
  [
    'events[0].places[6].pair: a pair is one wheelchair place and one companion place.',
    place(7, { accessibility: 'wheelchair' }),
  ],
  [
    'events[0].places[6].pair: a pair is one wheelchair place and one companion place.',
    place(7, { accessibility: null }),
  ],
  ['events[0].places[6].pair: a pair is one wheelchair place and one companion place.', place(6, { pair: 'W-1' })],
  ['events[0].questions[1].key: "heard" is given twice.', question(1, { key: 'heard' })],
  ['events[0].questions[0].options: is empty, and there is nothing to select from.', question(0, { options: [] })],
  [
    'events[0].questions[1].options: is given, but only select and multi_select questions have options.',
    question(1, { options: ['Yes'] }),
  ],
  ['events[0].questions[0].scope: is none of order, attendee.', question(0, { scope: 'all' })],
  [
    'events[0].performers[0].ends_at: is not after starts_at.',
    event({ performers: [{ name: 'A', starts_at: '+P2D', ends_at: '+P1D' }] }),
  ],
  [
    'events[0].performers[0].links.website: is not a web address.',
    event({ performers: [{ name: 'A', links: { website: 'lowtides' } }] }),
  ],
  ['events[0].faq_items[0].answer: is missing.', event({ faq_items: [{ question: 'Why?' }] })],
]

const someoneElse = {
  account: { name: 'Taken', subdomain: 'taken', custom_domains: ['tickets.taken.example'] },
  people: [{ name: 'Tom', email: 'tom@taken.example', role: 'owner' }],
  api_tokens: [{ description: 'theirs', permission: 'read', token: 'taken-token' }],
}

let count = 0
let theirs: Promise<unknown> | undefined

test.each(FAULTS)('%s', async (sentence, change) => {
  const { app } = await theApp()
  await (theirs ??= loadVenue(app, JSON.stringify(someoneElse)))
  const file = neueHalle(`refused-${++count}`)
  change(file)
  await expectFault(JSON.stringify(file), sentence)
})

test('a file that is no JSON is refused with the line', async () => {
  await expectFault('{\n  "account": {\n    "name" "Neue Halle"\n', 'line 3, column 12: is not valid JSON.')
})

test('a file that is JSON but no object is refused', async () => {
  await expectFault('[]', 'The file is not an object.')
  await expectFault('null', 'The file is not an object.')
})

test('after its fault is put right the same file loads', async () => {
  const { app } = await theApp()
  const file = neueHalle('mended')
  file['people'][2].events = ['summer-ball']
  await expectFault(JSON.stringify(file), 'people[2].events[0]: there is no event "summer-ball".')

  file['people'][2].events = ['winter-ball']
  expect(await loadVenue(app, JSON.stringify(file))).toMatchObject({ account: { subdomain: 'mended' } })
})

test('a subdomain never leads to the console', async () => {
  const { app } = await theApp()
  const settings = { ...app.settings, consoleHost: 'app.foyer.example', shopHost: 'foyer.example' }
  await expect(loadVenue({ ...app, settings }, JSON.stringify(neueHalle('app')))).rejects.toThrow(
    new FileFault('account.subdomain: "app" leads to the console.'),
  )
})
