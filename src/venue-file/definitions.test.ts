import { expect, test } from 'vitest'
import { accountDefinition } from '../accounts/definitions.ts'
import {
  eventDefinition,
  faqItemDefinition,
  performerDefinition,
  placeDefinition,
  questionDefinition,
  standingAreaDefinition,
  ticketDefinition,
  venueDefinition,
} from '../events/definitions.ts'
import { readWithSchema } from '../loading/fault.ts'
import { type Definition, type Fields, exportThing, fileSchema, fromRow, toRow } from '../definitions/define.ts'

const NOW = new Date('2030-01-01T12:00:00.000Z')
const TERMS = { now: NOW, currency: 'EUR', timeZone: 'Europe/Berlin' }

/** Read from a file, kept in a row, and said again as a file. */
const roundTrip = <F extends Fields>(definition: Definition<F>, said: Record<string, unknown>) => {
  const thing = readWithSchema(fileSchema(definition, TERMS), said, []) as Record<string, unknown>
  const row = { ...thing, ...toRow(definition, thing, NOW) }
  return exportThing(definition, fromRow(definition, row), TERMS)
}

const links = {
  website: 'https://a.example',
  instagram: null,
  spotify: null,
  soundcloud: null,
  tiktok: null,
  youtube: null,
}

test.each<[string, Definition<never>, Record<string, unknown>]>([
  [
    'account',
    accountDefinition as never,
    { name: 'Halle', subdomain: 'halle', language: 'de', shop_published: false, custom_domains: ['a.example'] },
  ],
  [
    'venue',
    venueDefinition as never,
    { key: 'halle', name: 'Halle', city: 'Hamburg', latitude: 53.5, longitude: 10, time_zone: 'UTC' },
  ],
  [
    'event',
    eventDefinition as never,
    {
      slug: 'gala',
      title: 'Gala',
      venue: 'halle',
      starts_at: '2030-04-01T18:00:00.000Z',
      ends_at: '2030-04-01T22:00:00.000Z',
      show_end_time: true,
      published: false,
      listed: false,
      cancelled: true,
      gallery_images: ['https://a.example/1.jpg'],
      capacity: 0,
    },
  ],
  [
    'ticket',
    ticketDefinition as never,
    {
      key: 'ga',
      title: 'GA',
      color: '#2f6fed',
      price: '25.50',
      stock: 0,
      hidden: true,
      access_codes: ['backstage'],
      kind: 'GroupTicket',
      group_size: 4,
    },
  ],
  [
    'standing area',
    standingAreaDefinition as never,
    { key: 'front', name: 'Front', capacity: 10, blocked: 2, open: false, tickets: ['floor'] },
  ],
  [
    'place',
    placeDefinition as never,
    { key: 'W-1', label: 'W 1', ticket: 'seat', accessibility: 'wheelchair', pair: 'W-2', blocked: true },
  ],
  [
    'question',
    questionDefinition as never,
    { key: 'drink', label: 'Drink?', type: 'select', scope: 'order', options: ['Tea'], required: true },
  ],
  [
    'performer',
    performerDefinition as never,
    { name: 'A', role: 'guest', bio: '', starts_at: '2030-04-01T18:00:00.000Z', links },
  ],
  ['FAQ item', faqItemDefinition as never, { question: 'Why?', answer: '' }],
])('a whole %s is said again as the file said it', (_, definition, said) => {
  expect(roundTrip(definition, said)).toMatchObject(said)
})

test('what the file would take for granted is said too, so that it stays when that changes', () => {
  const said = { key: 'ga', title: 'GA', color: '#2f6fed' }
  const atLength = { ...said, price: '0.00', features: [], stock: null, hidden: false, kind: 'StandardTicket' }
  expect(roundTrip(ticketDefinition, said)).toMatchObject(atLength)
  expect(roundTrip(ticketDefinition, atLength)).toEqual(roundTrip(ticketDefinition, said))
})

test('a row keeps since when something is so', () => {
  const since = new Date('2029-01-01T00:00:00.000Z')
  expect(toRow(eventDefinition, { listed: false }, NOW)).toEqual({ unlisted_at: NOW })
  expect(toRow(eventDefinition, { listed: false }, NOW, { unlisted_at: since })).toEqual({ unlisted_at: since })
  expect(toRow(eventDefinition, { listed: true }, NOW, { unlisted_at: since })).toEqual({ unlisted_at: null })
})
