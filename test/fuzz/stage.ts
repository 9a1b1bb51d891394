import { randomBytes } from 'node:crypto'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { SESSION_COOKIE } from '../../src/access/cookies.ts'
import { loadVenue } from '../../src/venue-file/load-venue.ts'
import { BUYER } from '../kit/venue/checkouts.ts'
import { openClient } from '../kit/venue/client.ts'
import { neueHalle, type VenueFile } from '../kit/venue/neue-halle.ts'
import { sessionToken } from '../kit/venue/sessions.ts'
import { atShop } from '../kit/venue/shop.ts'
import { PNG, uploadFile } from '../kit/venue/uploads.ts'
import { type Venue, theApp } from '../kit/venue/venue.ts'
import { type Names, namesOf } from './names.ts'

/** Two venues in one house: what belongs to the second is none of the first one's business. */
export interface Stage {
  venue: Venue
  shopHost: string
  names: Names
  foreign: Names
  /** Headers by which each caller is known. */
  callers: Record<string, Record<string, string>>
  /** Looks again, after requests have changed what there is. */
  look(): Promise<void>
}

const EXAMPLE = path.join(import.meta.dirname, '../../src/venue-file/example-venue.json')

/** Neue Halle with something of everything, and people and credentials to spare. */
const furnish = async (file: VenueFile) => {
  const example = JSON.parse(await readFile(EXAMPLE, 'utf8')) as VenueFile
  for (const key of ['invitations', 'tasks', 'voucher_products', 'vouchers', 'voucher_imports'])
    file[key] = example[key]
  const ball = file['events'][0]
  for (const key of [
    'performers',
    'faq_items',
    'orders',
    'guest_parties',
    'signup_links',
    'signup_requests',
    'holds',
  ]) {
    ball[key] = example['events'][0][key]
  }
  ball.image = 'ball.png'
  ball.guest_parties.push({ key: 'seated', customer_name: 'Sue Seated', ticket: 'seat', places: ['A-4'] })
  ball.signup_links.push({
    key: 'open',
    name: 'Open house',
    ticket: 'ga',
    approval_mode: 'automatic',
    max_companions: 3,
    capacity: 100,
  })
  file['people'].push(
    ...['una', 'uwe', 'ute'].map((name) => ({
      name: `${name} Spare`,
      email: `${name}@spare.example`,
      role: 'manager',
    })),
  )
  file['people'].push({ name: 'Udo Spare', email: 'udo@spare.example', role: 'manager', state: 'deactivated' })
  for (const n of [1, 2, 3]) {
    file['api_tokens'].push({ description: `spare ${n}`, permission: 'write' })
    file['devices'].push({ name: `Spare ${n}` })
  }
}

const openFurnished = async (): Promise<Venue> => {
  const running = await theApp()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-fuzz-'))
  await writeFile(path.join(folder, 'ball.png'), PNG)
  const file = neueHalle(`furnished-${randomBytes(5).toString('hex')}`)
  await furnish(file)
  try {
    const report = await loadVenue(running.app, JSON.stringify(file), { folder })
    const client = (token?: string) => openClient(running.origin, { token })
    const withToken = (description: string) => client(report.api_tokens[description])
    return {
      ...running,
      file,
      report,
      client,
      office: withToken('office write'),
      reader: withToken('office read'),
      partner: withToken('cem write'),
      door: client(report.devices['Door 1']),
      stranger: client(),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const openStage = async (): Promise<Stage> => {
  const venue = await openFurnished()
  const other = await openFurnished()
  await prepare(venue)
  await prepare(other)

  const bearer = (token: string | undefined) => ({ authorization: `Bearer ${token}` })
  const { api_tokens: tokens, devices } = venue.report
  const stage: Stage = {
    venue,
    shopHost: new URL(venue.report.account.shop_url).host,
    names: { paths: {}, pools: {} },
    foreign: { paths: {}, pools: {} },
    callers: {
      office: bearer(tokens['office write']),
      owner: bearer(tokens['olga write']),
      manager: bearer(tokens['mara write']),
      'co-organizer': bearer(tokens['cem write']),
      reader: bearer(tokens['office read']),
      scanner: bearer(tokens['sami write']),
      device: bearer(devices['Door 1']),
      revoked: bearer(tokens['old']),
      foreigner: bearer(other.report.api_tokens['olga write']),
      none: {},
      garbage: { authorization: 'Bearer \u00ff\u00fe garbage, x', cookie: 'foyer_session=%00; =; a' },
      session: {},
      'their session': {},
    },
    look: async () => {
      const cookie = async (of: Venue, email: string) => ({
        cookie: `${SESSION_COOKIE}=${await sessionToken(of, email)}`,
      })
      stage.callers['session'] = await cookie(venue, 'olga@neue-halle.example')
      stage.callers['their session'] = await cookie(other, 'mara@neue-halle.example')
      stage.names = await namesOf(venue)
    },
  }
  stage.foreign = await namesOf(other)
  await stage.look()
  return stage
}

/** Things that only a request can make. */
const prepare = async (venue: Venue) => {
  const { origin, office, report } = venue
  const client = venue.client(report.api_tokens['olga write'])
  await venue.office.post('/admin/webhook_endpoints', { webhook_endpoint: { url: 'https://books.example/foyer' } })
  await client.post('/admin/webhook_endpoints', { webhook_endpoint: { url: 'https://books.example/olga' } })
  await client.post('/admin/push_subscriptions', PUSH)
  await uploadFile({ origin, client }, PNG, 'plan.png', 'image/png')
  const { signed_id } = await uploadFile(
    { origin, client: office, path: '/admin/direct_uploads' },
    PNG,
    'a.png',
    'image/png',
  )
  const product = { name: 'Pictured', pricing_type: 'fixed', fixed_amount: '20.00', image: signed_id }
  await office.post('/admin/voucher_products', { voucher_product: product })
  await office.post('/admin/vouchers', { voucher: { amount: '10.00' } })
  const task = { title: 'Count the coats', assignee_id: report.people['olga@neue-halle.example']!.membership_id }
  await venue.client(report.api_tokens['mara write']).post('/admin/tasks', { task })
  await buyAndRefund(venue)
  await venue.app.database.pool.query(
    'update webhook_deliveries set failed_at = foyer_now(), next_attempt_at = null where account_id = $1',
    [report.account.id],
  )
}

/** Money of an order that is on its way back. */
const buyAndRefund = async (venue: Venue) => {
  const { ask } = atShop(venue)
  const items = [{ ticket_id: venue.report.events['winter-ball']!.tickets['ga'], quantity: 1 }]
  const begun = await ask('POST', '/checkouts', { body: { checkout: { event_slug: 'winter-ball', items } } })
  const address = `/checkouts/${begun.body.token}`
  await ask('PATCH', address, { body: { checkout: BUYER } })
  const paying = await ask('POST', `${address}/payment`, { body: { payment_method: 'test' } })
  await venue.stranger.post(new URL(paying.body.payment.redirect_url).pathname, { outcome: 'paid' })
  const { order } = (await ask('GET', address)).body
  await venue.office.post(`/admin/orders/${order.public_id}/refunds`, { amount: '1.00' })
}

const PUSH = {
  push_subscription: {
    endpoint: 'https://push.example.com/send/abc',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
}
