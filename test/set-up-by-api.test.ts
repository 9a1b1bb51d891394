import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addDuration } from '../src/kernel/durations.ts'
import type { Client } from './kit/venue/client.ts'
import type { VenueFile } from './kit/venue/neue-halle.ts'
import { openVenue } from './kit/venue/venue.ts'

/*
 * The demo venue is set up three times: from its file, by one call for each event, and by the addresses of its single
 * things. Whoever asks afterwards cannot tell which.
 */

// oxlint-disable-next-line typescript/no-explicit-any
type Thing = Record<string, any>

const LISTS = ['tickets', 'standing_areas', 'places', 'questions'] as const
const WITH_EVENT = ['performers', 'faq_items'] as const

/** The demo's venues and events with what belongs to their setting up, all at times that are the same for everybody. */
const readDemo = (now: Date): { venues: Thing[]; events: Thing[] } => {
  const atTimes = (_: string, value: unknown) =>
    typeof value === 'string' && /^[+-]P/.test(value) ? addDuration(now, value)!.toISOString() : value
  const file = new URL('../src/venue-file/demo-venue.json', import.meta.url)
  const demo = JSON.parse(readFileSync(file, 'utf8'), atTimes) as { venues: Thing[]; events: Thing[] }
  const kept = new Set<string>([...LISTS, ...WITH_EVENT])
  const events = demo.events.map((event) =>
    Object.fromEntries(Object.entries(event).filter(([key, value]) => !Array.isArray(value) || kept.has(key))),
  )
  return { venues: demo.venues, events }
}

const demo = readDemo(new Date())

const asked = async (call: Promise<{ status: number; text: string; body: Thing }>) => {
  const reply = await call
  expect([200, 201], reply.text).toContain(reply.status)
  return reply.body
}

/** What an empty account needs of the file before anything can be asked of it. */
const openEmpty = () =>
  openVenue((file: VenueFile) => {
    file['venues'] = []
    file['events'] = []
    file['people'] = [{ name: 'Olga Owner', email: 'olga@neue-halle.example', role: 'owner' }]
    file['api_tokens'] = file['api_tokens'].filter(
      ({ person }: Thing) => person === undefined || person === 'olga@neue-halle.example',
    )
  })

const addVenues = async (office: Client) => {
  const ids = new Map<string, number>()
  for (const venue of demo.venues) {
    ids.set(venue['key'], (await asked(office.post('/admin/venues', { venue })))['id'])
  }
  return ids
}

const setUpByEvents = async (office: Client) => {
  const venues = await addVenues(office)
  for (const { venue, ...event } of demo.events) {
    await asked(office.post('/admin/events', { event: { ...event, venue_id: venues.get(venue) } }))
    await asked(office.post(`/admin/events/${event['slug']}/publication`))
  }
}

const setUpByParts = async (office: Client) => {
  const venues = await addVenues(office)
  for (const { venue, ...event } of demo.events) {
    const own = Object.fromEntries(Object.entries(event).filter(([, value]) => !Array.isArray(value)))
    const { slug } = await asked(office.post('/admin/events', { event: { ...own, venue_id: venues.get(venue) } }))
    const path = `/admin/events/${slug}`
    const along = Object.fromEntries(WITH_EVENT.map((list) => [list, event[list] ?? []]))
    await asked(office.patch(path, { event: along }))

    const tickets = new Map<string, number>()
    for (const ticket of event['tickets']) {
      tickets.set(ticket.key, (await asked(office.post(`${path}/tickets`, { ticket })))['id'])
    }
    for (const { tickets: keys, ...area } of event['standing_areas'] ?? []) {
      const ticket_ids = keys.map((key: string) => tickets.get(key))
      await asked(office.post(`${path}/standing_areas`, { standing_area: { ...area, ticket_ids } }))
    }
    const places = (event['places'] ?? []).map(({ ticket, ...place }: Thing) => ({
      ...place,
      ticket_id: tickets.get(ticket),
    }))
    if (places.length > 0) await asked(office.post(`${path}/places`, { places }))
    for (const question of event['questions'] ?? []) await asked(office.post(`${path}/questions`, { question }))
    await asked(office.post(`${path}/publication`))
  }
}

/** All that can be asked of the events, without what is nobody's choice: IDs and when it was written down. */
const readBack = async (office: Client) => {
  const events: Thing[] = []
  for (const { slug } of (await asked(office.get('/admin/events')))['events']) {
    const path = `/admin/events/${slug}`
    const event = await asked(office.get(path))
    const lists: Thing = {}
    for (const list of LISTS) lists[list] = (await asked(office.get(`${path}/${list}`)))[list]
    const keys = new Map(lists['tickets'].map(({ id, key }: Thing) => [id, key]))
    const byKeys = (thing: Thing) => ({
      ...thing,
      ...(thing['ticket_id'] && { ticket_id: keys.get(thing['ticket_id']) }),
      ...(thing['ticket_ids'] && { ticket_ids: thing['ticket_ids'].map((id: number) => keys.get(id)) }),
    })
    events.push({ ...event, ...Object.fromEntries(LISTS.map((list) => [list, lists[list].map(byKeys)])) })
  }
  const { venues } = await asked(office.get('/admin/venues'))
  const skipped = new Set(['id', 'venue_id', 'lock_version', 'created_at', 'updated_at'])
  return JSON.parse(JSON.stringify({ venues, events }, (key, value) => (skipped.has(key) ? undefined : value)))
}

/** Access codes are the same in capitals; they are kept in small letters. */
const withPlainCodes = (file: Thing): Thing =>
  JSON.parse(JSON.stringify(file), (key, value) =>
    key === 'access_codes' ? value.map((code: string) => code.toLowerCase()) : value,
  )

/** The venues and events of the account's export; it is a venue file again. */
const exported = async (office: Client) => {
  const { venues, events } = await asked(office.get('/admin/export'))
  return { venues, events }
}

test('the demo venue can be set up over the API alone, whole events at once or thing by thing', async () => {
  const loaded = await openVenue((file: VenueFile) => {
    file['venues'] = demo.venues
    file['events'] = demo.events
    for (const person of file['people']) delete person.events
  })
  const expected = await readBack(loaded.office)
  expect(expected.events).toHaveLength(4)
  expect(expected.events.flatMap(({ places }: Thing) => places)).toHaveLength(52)

  const byEvents = await openEmpty()
  await setUpByEvents(byEvents.office)
  expect(await readBack(byEvents.office)).toEqual(expected)

  const byParts = await openEmpty()
  await setUpByParts(byParts.office)
  expect(await readBack(byParts.office)).toEqual(expected)

  const file = await exported(loaded.office)
  expect(file).toMatchObject(withPlainCodes(demo))
  expect(await exported(byEvents.office)).toEqual(file)
  expect(await exported(byParts.office)).toEqual(file)
}, 60_000)
