import { expect, test } from 'vitest'
import { opaqueIdOf } from '../src/webhooks/opaque-id.ts'
import { openClient } from './kit/venue/client.ts'
import { openFarBuyer } from './kit/venue/far-buyer.ts'
import { askAtHost } from './kit/network/ask-at-host.ts'
import { openVenueIn } from './kit/venue/venue-in.ts'
import { openVenueWithListener } from './kit/network/webhook-listener.ts'

const { listener, running } = await openVenueWithListener()

const BALL = '/admin/events/winter-ball'

/** Neue Halle with a webhook of Foyer and one of Cem, a co-organizer, who are both told everything. */
const open = async () => {
  const { report, client } = await openVenueIn(running)
  const [office, partner] = [client('office write'), client('cem write')]
  for (const [who, at] of [
    [office, '/house'],
    [partner, '/cem'],
  ] as const) {
    const endpoint = { webhook_endpoint: { url: listener.address + at } }
    expect((await who.post('/admin/webhook_endpoints', endpoint)).status).toBe(201)
  }
  // oxlint-disable-next-line typescript/no-explicit-any
  const ball = (report as any).events['winter-ball']
  const addParty = async (party: object = {}) =>
    (
      await office.post(`${BALL}/guest_parties`, {
        guest_party: { customer_name: 'Petra Press', ticket_id: ball.tickets.ga, ...party },
      })
    ).body
  return { report, office, ball, addParty }
}

type Opened = Awaited<ReturnType<typeof open>>

/** A guest who signs up; answers with the secret in the address of the form. */
const signUp = async ({ office, ball, report }: Opened, settings: object, email: string): Promise<string> => {
  const { body: form } = await office.post(`${BALL}/guest_list_forms`, {
    guest_list_form: { ticket_id: ball.tickets.ga, max_companions: 4, ...settings },
  })
  const { host } = new URL(report.account.shop_url)
  const { pathname } = new URL(form.public_url)
  const reply = await askAtHost(running.origin, pathname, {
    method: 'POST',
    headers: { host, accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ guest_request: { name: 'Ada', email, companions: 1 } }),
  })
  expect(reply.status).toBe(201)
  return pathname.split('/').at(-1)!
}

test('no message holds anything that opens something, whatever happened', async () => {
  const venue = await open()
  const { office, ball, report, addParty } = venue
  const party = await addParty({ party_size: 2, delivery_email: 'petra@press.example' })
  const seated = await addParty({ ticket_id: ball.tickets.seat, event_place_ids: [ball.places['A-1']] })
  await office.post(`/admin/order_items/${seated.admissions[0].public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: ball.places['A-5'] },
  })
  const tokens = [
    await signUp(venue, { name: 'Friends', approval_mode: 'automatic' }, 'ada@guest.example'),
    await signUp(venue, { name: 'Others' }, 'eve@guest.example'),
  ]
  await office.post('/admin/vouchers', { voucher: { amount: '10' } })
  await office.post(`${BALL}/guest_parties/${party.public_id}/admissions/${party.admissions[1].public_id}/cancellation`)
  await office.post(`${BALL}/guest_parties/${party.public_id}/cancellation`)
  const buyer = openFarBuyer({ origin: running.origin, shopUrl: report.account.shop_url, office })
  const items = [{ ticket_id: ball.tickets.ga, quantity: 1 }]
  const bought = await buyer.buy(items)
  await office.post(`/admin/orders/${bought.id}/refunds`)
  const ordered = await buyer.order(items)
  await office.post(`/admin/orders/${ordered.id}/cancellation`)
  tokens.push(bought.token, ordered.token)
  await running.workOffJobs()

  const kinds = new Set(listener.heard.map(({ text }) => JSON.parse(text).type))
  expect(kinds.size).toBe(10)
  const told = listener.heard.map(({ text }) => text).join('\n')
  const keysOf = async (table: string, columns: string) =>
    (
      await running.app.database.pool.query(`select ${columns} from ${table} where account_id = $1`, [
        report.account.id,
      ])
    ).rows.flatMap((row): string[] => Object.values(row))
  const keys = [
    ...tokens,
    ...(await keysOf('admissions', 'public_id, check_in_code')),
    ...(await keysOf('orders', 'order_code')),
  ]
  expect(keys.length).toBeGreaterThan(12)
  expect(keys.filter((key) => told.includes(key))).toEqual([])

  // What stands there in its place opens no door and no page.
  const id = opaqueIdOf(seated.admissions[0].public_id)
  expect(told).toContain(id)
  const door = openClient(running.origin, { token: report.devices['Door 1']! })
  expect(await door.get(`/scanner/tickets/${id}`)).toRefuse(404)
  expect(await door.post(`/scanner/tickets/${id}/redemption`)).toRefuse(404)
  expect(
    await office.post(`/admin/order_items/${id}/seat_exchange`, {
      seat_exchange: { event_place_id: ball.places['A-1'] },
    }),
  ).toRefuse(404)
})

test('a message says who sends it', async () => {
  const { addParty } = await open()
  await addParty()
  await running.workOffJobs()
  expect(listener.heard[0]!.headers['user-agent']).toMatch(/^Foyer\/\d+\.\d+\.\d+ \(\+http:\/\/localhost:3000\)$/)
})
