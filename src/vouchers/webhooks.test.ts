import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeJobsDue } from '../../test/kit/process/jobs.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openVenueWithListener } from '../../test/kit/network/webhook-listener.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { openAccountForJob } from '../access/job-scope.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { requireFound } from '../kernel/refusals.ts'
import { DELIVER_WEBHOOK_JOB } from '../webhooks/rules.ts'
import { refundPurchase } from './deliveries/refund-purchase.ts'
import { captureReservation, refundRedemption, reserveUpTo } from './reservations/reserve.ts'

const { listener, running } = await openVenueWithListener()

const open = async () => {
  const { report, client } = await openVenueIn(running, (file) => {
    file['vouchers'] = [{ key: 'v', amount: '50.00' }]
    file['events'][0].orders = [
      {
        key: 'o',
        customer_name: 'Rita',
        customer_email: 'rita@guest.example',
        status: 'paid',
        items: [{ ticket: 'ga' }],
      },
    ]
  })
  const office = client('office write')
  const listen = async (path: string, more: object = {}, who = office) =>
    (await who.post('/admin/webhook_endpoints', { webhook_endpoint: { url: listener.address + path, ...more } })).body
  const deliveries = async (id: string) =>
    (await office.get(`/admin/webhook_endpoints/${id}/deliveries`)).body.webhook_deliveries
  return { report, office, partner: client('cem write'), reader: client('office read'), listen, deliveries }
}

/** The pauses between attempts are real time; here they pass at once. */
const passTime = () => makeJobsDue(running.app.database.pool)

const redeem = async ({ report }: Awaited<ReturnType<typeof open>>, amountCents: number) => {
  const scope = (await openAccountForJob(running.app, report.account.id))!
  const { rows } = await running.app.database.pool.query('select id from orders where account_id = $1', [
    report.account.id,
  ])
  const wanted = {
    voucher: { code: report.vouchers['v']!.code },
    mostCents: amountCents,
    checkout: `c${amountCents}`,
    expiresAt: new Date(Date.now() + 60_000),
  }
  await captureReservation(scope, requireFound(await reserveUpTo(scope, wanted)), rows[0].id)
}

const giveBack = async ({ report }: Awaited<ReturnType<typeof open>>, amountCents: number) => {
  const scope = (await openAccountForJob(running.app, report.account.id))!
  const idsOf = async (table: string) =>
    (
      await running.app.database.pool.query(`select id from ${table} where account_id = $1 order by id`, [
        report.account.id,
      ])
    ).rows[0].id
  const [voucherId, orderId] = [await idsOf('vouchers'), await idsOf('orders')]
  await refundRedemption(scope, { voucherId, orderId, amountCents, actor: null, reason: null })
}

test('what happens to vouchers is told, signed, and with masked codes only', async () => {
  const venue = await open()
  const { office, listen, deliveries } = venue
  const made = await listen('/all')
  expect(made.secret).toMatch(/^whsec_/)
  expect(made).toMatchObject({ kinds: [], personal: false, enabled: true })
  await listen('/some', { kinds: ['voucher.blocked'] })

  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00' } })
  const path = `/admin/vouchers/${issued.id}`
  await office.post(`${path}/adjustment`, { direction: 'credit', amount: '5', reason: 'x' })
  await office.post(`${path}/block`, { reason: 'Stolen' })
  await office.post(`${path}/block`, { reason: 'Again' })
  await office.delete(`${path}/block`)
  await redeem(venue, 1000)
  await running.workOffJobs()

  const kinds = listener.bodies('/all').map(({ type }) => type)
  expect(kinds.toSorted()).toEqual([
    'voucher.adjusted',
    'voucher.blocked',
    'voucher.issued',
    'voucher.redeemed',
    'voucher.unblocked',
  ])
  expect(listener.bodies('/some').map(({ type }) => type)).toEqual(['voucher.blocked'])
  const told = listener.bodies('/all').find(({ type }) => type === 'voucher.issued')
  const { code, ...masked } = issued
  expect(told.data).toEqual({ voucher: masked })
  expect(told.timestamp).toMatch(/Z$/)
  expect(JSON.stringify(listener.heard)).not.toContain(code)

  for (const { headers, text } of listener.heard.filter((each) => each.path === '/all')) {
    const signed = [headers['webhook-id'], headers['webhook-timestamp'], text].join('.')
    const key = Buffer.from(made.secret.slice('whsec_'.length), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    expect(headers['content-type']).toBe('application/json')
  }
  expect(
    new Set(listener.heard.filter((each) => each.path === '/all').map(({ headers }) => headers['webhook-id'])).size,
  ).toBe(5)
  expect(await deliveries(made.id)).toMatchObject(
    Array.from({ length: 5 }, () => ({ status: 'delivered', attempts_count: 1, response_status: 200 })),
  )
})

test('an expiration is told too, and the secret is shown once', async () => {
  const { office, reader, listen } = await open()
  const made = await listen('/expired', { kinds: ['voucher.expired'] })
  const expires_at = new Date(Date.now() + 1000).toISOString()
  const { body: issued } = await office.post('/admin/vouchers', { voucher: { amount: '25.00', expires_at } })
  await running.moveClock('1 minute')
  await running.workOffJobs()
  expect(listener.bodies('/expired')).toMatchObject([
    { type: 'voucher.expired', data: { voucher: { id: issued.id, status: 'expired' } } },
  ])

  const list = await reader.get('/admin/webhook_endpoints')
  expect(list.body.webhook_endpoints).toHaveLength(1)
  expect(list.text + (await reader.get(`/admin/webhook_endpoints/${made.id}`)).text).not.toContain(made.secret)
})

test('a mail that goes out or is given up is told of, and so is money that comes back', async () => {
  const { report, client } = await openVenueIn(running, (file) => {
    const sold = (key: string, address: string) => {
      const delivery = { audience: 'buyer', recipient_name: 'Bea', recipient_email: address }
      const deliveries = [{ ...delivery, queued_at: '-P1D', failed_at: '-P1D', attempts_count: 1 }]
      const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', deliveries }
      return { key, amount: '60.00', source: 'shop', purchase }
    }
    file['vouchers'] = [sold('here', 'bea@guest.example'), sold('nowhere', 'nobody@guest.example')]
  })
  // An address from before such were refused; a delivery keeps its recipient, so its guard looks away.
  await running.app.database.pool.query(
    `begin; set local session_replication_role = 'replica';
     update voucher_deliveries set recipient_email = 'no..body@guest.example' where recipient_email = 'nobody@guest.example';
     commit`,
  )
  const office = client('office write')
  await office.post('/admin/webhook_endpoints', { webhook_endpoint: { url: `${listener.address}/mails` } })
  const { here, nowhere } = report.vouchers
  for (const { deliveries } of [here!, nowhere!])
    expect((await office.post(`/admin/voucher_deliveries/${deliveries[0]}/retry`)).status).toBe(202)
  await running.workOffJobs()
  await running.workOffJobs()

  const told = listener.bodies('/mails').toSorted((a, b) => a.type.localeCompare(b.type))
  expect(told).toMatchObject([
    { type: 'voucher.delivered', data: { voucher: { id: here!.id } } },
    { type: 'voucher.delivery_failed', data: { voucher: { id: nowhere!.id } } },
  ])
  expect(told[0].data.delivery).toEqual({ id: here!.deliveries[0], audience: 'buyer' })
  expect(JSON.stringify(listener.heard)).not.toContain('guest.example')

  listener.reset()
  const scope = (await openAccountForJob(running.app, report.account.id))!
  const { purchase } = (await office.get(`/admin/vouchers/${here!.id}`)).body
  await refundPurchase(scope, purchase.id, { creditCents: 2000, actor: null, reason: null })
  await running.workOffJobs()
  expect(listener.bodies('/mails')).toMatchObject([
    {
      type: 'voucher.refunded',
      data: { voucher: { id: here!.id, balance: { amount: '40.00' } }, amount: { amount: '-20.00' } },
    },
  ])
})

test('a message that several workers want to send is sent once; with claims that do not hold it is not', async () => {
  const { office, listen, report } = await open()
  const { database } = running.app
  await listen('/once')
  const announceMany = async () => {
    listener.heard = []
    for (let n = 0; n < 4; n++) await office.post('/admin/vouchers', { voucher: { amount: '1' } })
    const { rows } = await database.pool.query(
      'select id from webhook_deliveries where account_id = $1 and delivered_at is null',
      [report.account.id],
    )
    // As if they were another endpoint's, so that they do not wait for each other.
    const payloads = rows.map(({ id }) => ({ accountId: report.account.id, endpointId: 0, deliveryId: Number(id) }))
    await enqueueMany(database.kysely, DELIVER_WEBHOOK_JOB, [...payloads, ...payloads])
    await Promise.all([running.workOffJobs(), running.workOffJobs(), running.workOffJobs()])
    return listener.heard.map(({ headers }) => headers['webhook-id'])
  }
  const once = await announceMany()
  expect([once.length, new Set(once).size]).toEqual([4, 4])

  await database.pool.query(`
    create function forget_the_claim() returns trigger language plpgsql as $$
    begin
      new.delivering_at := foyer_now() - interval '2 hours';
      return new;
    end $$;
    create trigger forget_the_claim before update on webhook_deliveries for each row
      when (new.attempts_count > old.attempts_count) execute function forget_the_claim()`)
  listener.holdsBackMs = 100
  try {
    const often = await announceMany()
    expect(often.length).toBeGreaterThan(4)
  } finally {
    await database.pool.query('drop trigger forget_the_claim on webhook_deliveries; drop function forget_the_claim()')
  }
})

test('what did not arrive is sent again later, with the same ID, and can be sent again by hand', async () => {
  const { office, listen, deliveries } = await open()
  const made = await listen('/flaky')
  listener.answer = { status: 500 }
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  await running.workOffJobs()
  expect(await deliveries(made.id)).toMatchObject([
    { status: 'pending', attempts_count: 1, response_status: 500, failure_message: 'The address answered with 500' },
  ])
  await running.workOffJobs()
  expect(listener.heard).toHaveLength(1)

  listener.answer = { status: 204 }
  await passTime()
  await running.workOffJobs()
  const [delivered] = await deliveries(made.id)
  expect(delivered).toMatchObject({
    status: 'delivered',
    attempts_count: 2,
    failure_message: null,
    next_attempt_at: null,
  })
  expect(new Set(listener.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

  const again = await office.post(`/admin/webhook_deliveries/${delivered.id}/redelivery`)
  expect([again.status, again.body]).toEqual([202, { id: delivered.id, status: 'queued' }])
  expect(await office.post(`/admin/webhook_deliveries/${delivered.id}/redelivery`)).toRefuse(422)
  await running.workOffJobs()
  expect(listener.heard).toHaveLength(3)
  expect(await office.post('/admin/webhook_deliveries/nothing/redelivery')).toRefuse(404)
})

test('a message whose worker died is taken up again', async () => {
  const { office, listen, deliveries } = await open()
  const made = await listen('/dead')
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  const { pool } = running.app.database
  const claim =
    'update webhook_deliveries set delivering_at = foyer_now(), attempts_count = 1 where delivered_at is null and failed_at is null'
  await pool.query(claim)
  await running.workOffJobs()
  expect(listener.heard).toEqual([])

  await running.moveClock('6 minutes')
  await passTime()
  await running.workOffJobs()
  expect(listener.bodies('/dead')).toHaveLength(1)
  expect(await deliveries(made.id)).toMatchObject([{ status: 'delivered', attempts_count: 2 }])
})

test('redirects are not followed, and an address that nobody answers at fails', async () => {
  const { office, listen, deliveries } = await open()
  const moved = await listen('/moved')
  const dead = await office.post('/admin/webhook_endpoints', { webhook_endpoint: { url: 'http://127.0.0.1:9/' } })
  listener.answer = { status: 302, headers: { location: `${listener.address}/elsewhere` } }
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  await running.workOffJobs()
  expect(listener.heard.map(({ path }) => path)).toEqual(['/moved'])
  expect(await deliveries(moved.id)).toMatchObject([{ status: 'pending', response_status: 302 }])
  expect(await deliveries(dead.body.id)).toMatchObject([
    { status: 'pending', failure_message: 'The address could not be reached (ECONNREFUSED)' },
  ])
})

test('an endpoint that is gone, or fails for days, is switched off', async () => {
  const { office, listen, deliveries } = await open()
  const gone = await listen('/gone')
  listener.answer = { status: 410 }
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  await running.workOffJobs()
  expect((await office.get(`/admin/webhook_endpoints/${gone.id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'the address said that it is gone',
  })
  expect(await deliveries(gone.id)).toMatchObject([{ status: 'failed', response_status: 410 }])
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  expect(await deliveries(gone.id)).toHaveLength(1)

  const back = await office.patch(`/admin/webhook_endpoints/${gone.id}`, { webhook_endpoint: { enabled: true } })
  expect(back.body).toMatchObject({ enabled: true, disabled_at: null })
  listener.answer = { status: 503 }
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  for (let attempt = 1; attempt <= 10; attempt++) {
    await running.workOffJobs()
    await passTime()
    await running.moveClock('9 hours')
  }
  expect((await deliveries(gone.id))[0]).toMatchObject({ status: 'failed', attempts_count: 10 })
  expect((await office.get(`/admin/webhook_endpoints/${gone.id}`)).body).toMatchObject({
    enabled: false,
    disabled_reason: 'nothing has arrived for three days',
  })
})

test('a co-organizer hears of assigned events at the moment of sending, and nothing of the money', async () => {
  const venue = await open()
  const { office, partner, listen, report, deliveries } = venue
  const own = await listen('/cem', {}, partner)
  expect(own.personal).toBe(true)
  const all = await listen('/house')
  expect(
    (await partner.get('/admin/webhook_endpoints')).body.webhook_endpoints.map(({ id }: { id: string }) => id),
  ).toEqual([own.id])
  expect(await partner.get(`/admin/webhook_endpoints/${all.id}`)).toRefuse(404)

  await office.post('/admin/vouchers', { voucher: { amount: '5' } })
  await redeem(venue, 1000)
  await running.workOffJobs()
  const event = report.events['winter-ball']!
  expect(listener.bodies('/cem')).toMatchObject([{ type: 'voucher.redeemed' }])
  expect(listener.bodies('/cem')[0].data).toEqual({
    order_id: event.orders['o']!.public_id,
    event: { id: event.id, slug: 'winter-ball' },
  })
  expect(listener.bodies('/house')).toHaveLength(2)

  await giveBack(venue, 400)
  await running.workOffJobs()
  expect(listener.bodies('/cem')[1]).toMatchObject({ type: 'voucher.refunded' })
  expect(listener.bodies('/cem')[1].data).toEqual(listener.bodies('/cem')[0].data)
  expect(listener.bodies('/house')[2]).toMatchObject({
    type: 'voucher.refunded',
    data: { amount: { amount: '4.00' }, voucher: { balance: { amount: '44.00' } } },
  })

  await redeem(venue, 500)
  await running.app.database.pool.query('delete from assignments where account_id = $1', [report.account.id])
  await running.workOffJobs()
  expect(listener.bodies('/cem')).toHaveLength(2)
  expect(listener.bodies('/house')).toHaveLength(4)
  expect((await deliveries(own.id))[0]).toMatchObject({
    status: 'failed',
    failure_message: 'Nobody may hear of it there any more',
  })
})

test('a webhook that cannot be is refused by field, and one that is removed is forgotten', async () => {
  const { office, reader, listen } = await open()
  const post = (webhook_endpoint: object) => office.post('/admin/webhook_endpoints', { webhook_endpoint })
  expect(await post({})).toRefuse(422, { url: ["can't be blank"] })
  expect(await post({ url: 'nonsense' })).toRefuse(422, { url: ['is invalid'] })
  expect(await post({ url: listener.address, kinds: ['voucher.eaten'] })).toRefuse(422, {
    kinds: ['is not included in the list'],
  })
  expect(await post({ url: listener.address, kinds: 'voucher.issued' })).toRefuse(422, { kinds: ['is invalid'] })
  expect(await reader.post('/admin/webhook_endpoints', { webhook_endpoint: { url: listener.address } })).toRefuse(401)

  const made = await listen('/short')
  expect((await office.delete(`/admin/webhook_endpoints/${made.id}`)).status).toBe(204)
  expect(await office.get(`/admin/webhook_endpoints/${made.id}`)).toRefuse(404)
  expect(await office.patch(`/admin/webhook_endpoints/${made.id}`, { webhook_endpoint: { enabled: 7 } })).toRefuse(404)
  await office.post('/admin/vouchers', { voucher: { amount: '1' } })
  await running.workOffJobs()
  expect(listener.heard).toEqual([])
})

test('a house that was told nothing else sends to public https addresses only', async () => {
  const { office } = await openVenue()
  const post = (url: string) => office.post('/admin/webhook_endpoints', { webhook_endpoint: { url } })
  for (const url of [listener.address, 'https://127.0.0.1/', 'http://books.example/', 'https://localhost/']) {
    expect(await post(url)).toRefuse(422, { url: ['is invalid'] })
  }
  expect((await post('https://books.example/foyer')).status).toBe(201)
})
