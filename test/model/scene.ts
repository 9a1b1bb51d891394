import { openAccountForJob } from '../../src/access/job-scope.ts'
import type { AccountScope } from '../../src/access/scopes.ts'
import type { Client, Reply } from '../kit/venue/client.ts'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'
import { EVENT_CAPACITY, FRONT_CAPACITY, type Link, type Model, SEATS, STOCK, newModel } from './model.ts'

/** A small Winter Ball, everybody who acts in it, and what they are expected to bring about. */
export interface Scene {
  venue: Venue
  model: Model
  ball: string
  tickets: Record<string, number>
  seats: Record<string, number>
  front: number
  eventId: number
  /** The order of a shop that vouchers are spent on. */
  orderId: number
  scope: AccountScope
  actors: Record<string, Client>
  atShop(url: string, body: object): Promise<Pick<Reply, 'status' | 'text' | 'body'>>
}

const ROLES = { olga: 'owner', olaf: 'owner', mara: 'manager', una: 'manager', cem: 'co_organizer' } as const
const DOMAINS: Record<string, string> = { cem: 'partner.example' }
const addressOf = (name: string) => `${name}@${DOMAINS[name] ?? 'neue-halle.example'}`

const LINKS = {
  open: { name: 'Open house', ticket: 'ga', approval_mode: 'automatic', max_companions: 2, capacity: 5 },
  asked: { name: 'Ask us', ticket: 'ga', approval_mode: 'manual', max_companions: 2, capacity: 6 },
}

export const openScene = async (): Promise<Scene> => {
  const venue = await openVenue((file) => {
    const [ball] = file['events']
    ball.capacity = EVENT_CAPACITY
    ball.questions = []
    ball.tickets = [
      { key: 'ga', title: 'General admission', price: '25.00', stock: STOCK.ga },
      { key: 'floor', title: 'Standing', price: '30.00', inventory_kind: 'standing' },
      { key: 'seat', title: 'Balcony seat', price: '45.00', inventory_kind: 'places' },
    ]
    ball.standing_areas = [{ key: 'front', name: 'Front', capacity: FRONT_CAPACITY, tickets: ['floor'] }]
    ball.places = SEATS.map((key) => ({ key, label: key, ticket: 'seat' }))
    ball.signup_links = Object.entries(LINKS).map(([key, link]) => ({ key, ...link }))
    ball.orders = [
      { key: 'sold', customer_name: 'Bea', customer_email: 'bea@x.example', status: 'paid', items: [{ ticket: 'ga' }] },
    ]
    file['people'].push({ name: 'Olaf', email: addressOf('olaf'), role: 'owner' })
    file['people'].push({ name: 'Una', email: addressOf('una'), role: 'manager' })
    for (const name of ['olaf', 'una']) {
      file['api_tokens'].push({ description: `${name} write`, permission: 'write', person: addressOf(name) })
    }
  })
  const { report, app, client } = venue
  const ball = report.events['winter-ball']!
  const shop = new URL(report.account.shop_url)

  const model = newModel()
  model.links = Object.entries(LINKS).map(([key, link]): Link => {
    const { public_id: id, public_url: url } = ball.signup_links[key]!
    const isAutomatic = link.approval_mode === 'automatic'
    return { id, url, isAutomatic, isOpen: true, capacity: link.capacity, companionsMost: link.max_companions }
  })
  const sold = ball.orders['sold']!
  const guests = sold.items.map(({ public_id: id, check_in_code: code }) => ({
    id,
    code,
    isActive: true,
    isIn: false,
    seat: null,
  }))
  model.parties.push({ id: sold.public_id, ticket: 'ga', isLive: true, isSold: true, link: null, guests })
  for (const [name, role] of Object.entries(ROLES)) {
    const id = report.people[addressOf(name)]!.membership_id
    model.members[name] = { id, role, isActive: true, hasToken: true }
  }

  const { rows } = await app.database.pool.query<{ id: number }>('select id from orders where account_id = $1', [
    report.account.id,
  ])
  return {
    venue,
    model,
    ball: '/admin/events/winter-ball',
    tickets: ball.tickets,
    seats: ball.places,
    front: ball.standing_areas['front']!,
    eventId: ball.id,
    orderId: rows[0]!.id,
    scope: (await openAccountForJob(app, report.account.id))!,
    actors: {
      office: venue.office,
      reader: venue.reader,
      'Door 1': client(report.devices['Door 1']),
      'Door 2': client(report.devices['Door 2']),
      ...Object.fromEntries(Object.keys(ROLES).map((name) => [name, client(report.api_tokens[`${name} write`])])),
    },
    atShop: async (url, body) => {
      const reply = await askAtHost(venue.origin, new URL(url, shop).pathname, {
        method: 'POST',
        headers: { host: shop.host, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await reply.text()
      return { status: reply.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
    },
  }
}
