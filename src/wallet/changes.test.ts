import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { addOrder } from '../../test/kit/venue/orders.ts'
import { openBuyer } from '../../test/kit/venue/checkouts.ts'
import { type Installed, openPhone, openWallets } from '../../test/kit/venue/wallet.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

/* Whatever a pass shows reaches the phone, whoever changes it and wherever. */

const wallets = await openWallets()
const { apns } = wallets
const TYPE = 'pass.example.foyer'

beforeEach(() => {
  apns.heard.length = 0
})

interface Holder {
  ball: WinterBall
  // oxlint-disable-next-line typescript/no-explicit-any
  party: any
  // oxlint-disable-next-line typescript/no-explicit-any
  item: any
  phone: ReturnType<typeof openPhone>
  held: Installed
}

const holdTicket = async (party: object = {}, at = 0): Promise<Holder> => {
  const ball = await openWinterBall()
  const made = await ball.party(party)
  const item = made.admissions[at]
  const phone = openPhone(ball.origin)
  const held = await phone.install(wallets.linksOf(ball.accountId, item.public_id).apple)
  return { ball, party: made, item, phone, held }
}

/** What the phone shows once everything that was to be told has been told; it must have been told once. */
const shownAfter = async ({ ball, phone }: Pick<Holder, 'ball' | 'phone'>) => {
  apns.heard.length = 0
  await ball.workOffJobs()
  expect(apns.pushesTo(phone.pushToken)).toHaveLength(1)
  expect(await phone.hearPush(TYPE)).toHaveLength(1)
  return phone.shown
}

test('a party’s new name', async () => {
  const holder = await holdTicket()
  const { ball, party } = holder
  const reply = await ball.office.patch(ball.partyPath(party), { guest_party: { customer_name: 'Grace Hopper' } })
  expect(reply.status, reply.text).toBe(200)
  expect((await shownAfter(holder)).fields).toMatchObject({ name: 'Grace Hopper', status: 'Valid' })
})

test('a redemption shows as used, and its annulment takes that back', async () => {
  const holder = await holdTicket()
  const { ball, item } = holder
  const redeemed = await ball.door.post(`/scanner/tickets/${item.public_id}/redemption`)
  expect(redeemed.status, redeemed.text).toBe(200)
  const used = await shownAfter(holder)
  expect(used.fields).toMatchObject({ status: 'Used', standing: 'Used' })
  expect(used.json.voided).toBeUndefined()

  const annulled = await ball.door.post(`/scanner/tickets/${item.public_id}/annulment`, {
    client_id: randomUUID(),
    reason: 'Scanned by mistake',
  })
  expect(annulled.status, annulled.text).toBeLessThan(300)
  const valid = await shownAfter(holder)
  expect(valid.fields).toMatchObject({ status: 'Valid' })
  expect(valid.fields['standing']).toBeUndefined()
})

test('a cancelled admission and a cancelled party are void and have no code any more', async () => {
  const holder = await holdTicket({ party_size: 2 }, 1)
  const { ball, party, item } = holder
  const reply = await ball.office.post(ball.partyPath(party, `/admissions/${item.public_id}/cancellation`))
  expect(reply.status, reply.text).toBeLessThan(300)
  const cancelled = await shownAfter(holder)
  expect(cancelled.fields).toMatchObject({ status: 'Cancelled' })
  expect(cancelled.json).toMatchObject({ voided: true })
  expect(cancelled.json.barcodes).toBeUndefined()
  expect(JSON.stringify(cancelled.json)).not.toContain(item.check_in_code)

  const other = await holdTicket()
  await other.ball.office.post(other.ball.partyPath(other.party, '/cancellation'))
  expect((await shownAfter(other)).json).toMatchObject({ voided: true })
})

test('an event that is cancelled, moved and put somewhere else', async () => {
  const holder = await holdTicket()
  const { ball } = holder
  const later = { starts_at: '2031-03-03T19:00:00.000Z', doors_open_at: '2031-03-03T18:00:00.000Z', ends_at: null }
  const moved = await ball.office.patch(ball.path, { event: { ...later, show_end_time: false } })
  expect(moved.status, moved.text).toBe(200)
  const shown = await shownAfter(holder)
  expect(shown.fields).toMatchObject({ date: '2031-03-03T19:00:00Z', doors: '2031-03-03T18:00:00Z' })
  expect(shown.json.relevantDate).toBe('2031-03-03T18:00:00Z')

  const { body } = await ball.office.get(ball.path)
  await ball.office.patch(`/admin/venues/${body.venue_id}`, {
    venue: { name: 'Große Halle', latitude: 53.5, longitude: 10 },
  })
  const elsewhere = await shownAfter(holder)
  expect(elsewhere.fields['venue']).toContain('Große Halle')
  expect(elsewhere.json.locations).toEqual([{ latitude: 53.5, longitude: 10 }])

  await ball.office.post(`${ball.path}/cancellation`, {})
  expect((await shownAfter(holder)).fields).toMatchObject({ status: 'The event is cancelled' })
  await ball.office.delete(`${ball.path}/cancellation`)
  expect((await shownAfter(holder)).fields).toMatchObject({ status: 'Valid' })
})

test('the account’s new name and colour', async () => {
  const holder = await holdTicket()
  const { ball } = holder
  const named = await ball.office.patch('/admin/account', { account: { name: 'Neueste Halle' } })
  expect(named.status, named.text).toBe(200)
  expect((await shownAfter(holder)).json).toMatchObject({ organizationName: 'Neueste Halle' })
  const reply = await ball.office.patch('/admin/wallet', { wallet: { color: '#FFEE00' } })
  expect(reply).toMatchObject({ status: 200, body: { color: '#ffee00' } })
  expect((await shownAfter(holder)).json).toMatchObject({
    backgroundColor: 'rgb(255, 238, 0)',
    foregroundColor: 'rgb(0, 0, 0)',
  })
})

test('a refund', async () => {
  const buyer = await openBuyer()
  const { venue } = buyer
  const bought = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  const { public_id: order, admissions } = bought.order
  const accountId = venue.report.account.id
  const phone = openPhone(venue.origin)
  await phone.install(wallets.linksOf(accountId, admissions[0].public_id).apple)
  const refunded = await venue.office.post(`/admin/orders/${order}/refunds`, {
    admission_public_ids: [admissions[0].public_id],
  })
  expect(refunded.status, refunded.text).toBeLessThan(300)
  const shown = await shownAfter({ ball: venue as WinterBall, phone })
  expect(shown.fields).toMatchObject({ status: 'Refunded' })
  expect(shown.json.voided).toBe(true)
})

test('what a pass does not show tells nobody', async () => {
  const { ball, party, phone } = await holdTicket()
  await ball.office.patch(ball.partyPath(party), { guest_party: { staff_note: 'Allergic to nuts' } })
  await ball.office.patch(ball.path, { event: { capacity: 500 } })
  const { body } = await ball.office.get(ball.path)
  await ball.office.patch(`/admin/venues/${body.venue_id}`, { venue: { key: 'other' } })
  await ball.workOffJobs()
  expect(apns.pushesTo(phone.pushToken)).toEqual([])
})

test('ten changes before anybody is told are told once', async () => {
  const holder = await holdTicket()
  const { ball, party } = holder
  for (let n = 0; n < 10; n++) {
    await ball.office.patch(ball.partyPath(party), { guest_party: { customer_name: `Ada ${n}` } })
  }
  expect((await shownAfter(holder)).fields).toMatchObject({ name: 'Ada 9' })
})

test.each(['booking_cancelled', 'unpaid', 'cancelled', 'refunded', 'disputed'])(
  'nobody gets a pass for an order that is %s',
  async (status) => {
    const ball = await openVenue()
    const accountId = ball.report.account.id
    const origin = status === 'booking_cancelled' ? 'guest_list' : 'shop'
    const [admission] = await addOrder(ball, 'winter-ball', { status, origin })
    const { apple, google } = wallets.linksOf(accountId, admission!.publicId)
    for (const link of [apple, google])
      expect((await fetch(ball.origin + link, { redirect: 'manual' })).status).toBe(404)
    const { rows } = await ball.app.database.pool.query('select from wallet_passes where account_id = $1', [accountId])
    expect(rows).toEqual([])
  },
)

test(
  'a thousand passes are told of an event’s new time within a minute, and mail does not wait for them',
  { timeout: 180_000 },
  async () => {
    const ball = await openVenue()
    const accountId = ball.report.account.id
    const { pool } = ball.app.database
    for (let n = 0; n < 10; n++) {
      await addOrder(ball, 'winter-ball', { admissions: Array.from({ length: 100 }, () => ({})) })
    }
    await pool.query(
      `with passes as (
         insert into wallet_passes (account_id, event_id, admission_id, issued_at, modified_at, digest)
         select account_id, event_id, id, date_trunc('second', foyer_now()), date_trunc('second', foyer_now()), ''
         from admissions where account_id = $1 returning account_id, admission_id, issued_at
       )
       insert into wallet_registrations (account_id, admission_id, pass_type_id, device_digest, push_token, told_at)
       select account_id, admission_id, $2, sha256(admission_id::text::bytea), lpad(to_hex(admission_id), 64, '0'), issued_at
       from passes`,
      [accountId, TYPE],
    )
    const changed = await ball.office.patch('/admin/events/winter-ball', { event: { title: 'Later Ball' } })
    expect(changed.status).toBe(200)
    const startedAt = performance.now()
    const party = { customer_name: 'Ada', ticket_id: ball.report.events['winter-ball']!.tickets['ga'] }
    await ball.office.post('/admin/events/winter-ball/guest_parties', {
      guest_party: { ...party, delivery_email: 'mail@guest.example' },
    })
    const working = ball.workOffJobs()
    let mailedAfter = 0
    await expect
      .poll(
        async () => {
          const { rowCount } = await pool.query(`select from lane_jobs where lane = 'mail' and account_id = $1`, [
            accountId,
          ])
          mailedAfter = performance.now() - startedAt
          return rowCount
        },
        { timeout: 30_000, interval: 50 },
      )
      .toBe(0)
    const toldByThen = apns.heard.length
    await working
    const seconds = (performance.now() - startedAt) / 1000
    expect(new Set(apns.heard.map(({ token }) => token)).size).toBe(1_000)
    expect(seconds).toBeLessThan(60)
    expect(toldByThen, `mailed after ${mailedAfter} ms of ${seconds} s`).toBeLessThan(1_000)
  },
)
