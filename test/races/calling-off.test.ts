import { afterEach, expect, test } from 'vitest'
import { openAccountForJob } from '../../src/access/job-scope.ts'
import { compareCounters } from '../../src/inventory/consistency/records.ts'
import { findOrderFaults } from '../../src/orders/consistency/records.ts'
import { closeGate, openSecondServer } from '../kit/database/second-server.ts'
import { header } from '../kit/network/read-eml.ts'
import { BUYER, offerTransfers, openBuyer } from '../kit/venue/checkouts.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { mailsTo } from '../kit/venue/outbox.ts'
import { hostOf } from '../kit/venue/shop.ts'

/*
 * An order is made while its event is called off, at two servers. Whoever comes first stands at a gate inside its
 * transaction when the other comes. The same is done without the lock on which they meet, and then it ends badly.
 */

type Reply = Awaited<ReturnType<Client['post']>>

const withoutLock = (statement: string) =>
  statement
    .replaceAll('pg_advisory_xact_lock_shared(key)', 'key')
    .replaceAll(/pg_advisory_xact_lock(?=\(hashtextextended\('orders of event ')/g, '')

let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

/** Buyers at one server, the office at another. */
const openTable = async (isGuarded: boolean) => {
  const buyer = await openBuyer((file) => {
    file['vouchers'] = [
      { key: 'small', amount: '10.00' },
      { key: 'large', amount: '100.00' },
    ]
  })
  const { venue, tickets } = buyer
  await offerTransfers(venue)
  const open = async () => {
    const server = await openSecondServer(venue.app, isGuarded ? undefined : withoutLock)
    tidy.push(server.close)
    return server.origin
  }
  const [shopOrigin, officeOrigin] = [await open(), await open()]
  const office = openClient(officeOrigin, { token: venue.report.api_tokens['office write'] })
  const email = `berit.${Math.random().toString(36).slice(2)}@guest.example`

  const fillIn = async (voucher: 'small' | 'large' | null): Promise<string> => {
    const token = await buyer.begin([{ ticket_id: tickets['ga'], quantity: 2 }])
    expect((await buyer.change(token, { ...BUYER, customer_email: email })).status).toBe(200)
    if (voucher === null) return token
    const { code } = venue.report.vouchers[voucher]!
    expect((await buyer.post(`/checkouts/${token}/vouchers`, { code })).status).toBe(200)
    return token
  }
  const goToPay = async (token: string): Promise<string> => (await buyer.pay(token)).body.payment.redirect_url
  const decide = (redirectUrl: string) =>
    openClient(shopOrigin).ask('POST', new URL(redirectUrl).pathname, { body: { outcome: 'paid' } })
  const pay = (token: string, body: object) =>
    openClient(shopOrigin).ask('POST', `/checkouts/${token}/payment`, { body, headers: { host: hostOf(venue) } })
  const subjects = async () => (await mailsTo(venue, email)).map((mail) => header(mail, 'subject')!)
  const kept = async () => {
    const { rows } = await venue.app.database.pool.query<{ cents: number }>(
      `select coalesce(sum(amount_cents - refunded_cents), 0)::int as cents from payments
       where account_id = $1 and status = 'paid'`,
      [venue.report.account.id],
    )
    return rows[0]!.cents
  }
  const sound = async () => {
    const { id } = venue.report.account
    expect(await compareCounters(venue.app.database.kysely, id)).toEqual([])
    expect(await findOrderFaults((await openAccountForJob(venue.app, id))!.rows)).toEqual([])
  }
  return { ...buyer, office, fillIn, goToPay, decide, payAtServer: pay, subjects, kept, sound }
}

type Table = Awaited<ReturnType<typeof openTable>>

const callOff = ({ office }: Pick<Table, 'office'>, by: 'cancellation' | 'archival' = 'cancellation') =>
  office.post(`/admin/events/winter-ball/${by}`, by === 'cancellation' ? { notify: true } : {})

/** The ways in which an order comes into the world. */
const WAYS: [string, (table: Table) => Promise<{ token: string; finish: () => Promise<Reply> }>][] = [
  [
    'money',
    async (table) => {
      const token = await table.fillIn(null)
      const redirectUrl = await table.goToPay(token)
      return { token, finish: () => table.decide(redirectUrl) }
    },
  ],
  [
    'a voucher and money',
    async (table) => {
      const token = await table.fillIn('small')
      const redirectUrl = await table.goToPay(token)
      return { token, finish: () => table.decide(redirectUrl) }
    },
  ],
  [
    'a voucher',
    async (table) => {
      const token = await table.fillIn('large')
      return { token, finish: () => table.payAtServer(token, {}) }
    },
  ],
  [
    'money to come',
    async (table) => {
      const token = await table.fillIn(null)
      return { token, finish: () => table.payAtServer(token, { payment_method: 'bank_transfer' }) }
    },
  ],
]

/**
 * The second comes while the first stands at the gate; whatever is due by then is done, and the gate is opened. Tells
 * whether the second has passed the first.
 */
const meet = async (table: Table, gateAt: string, first: () => Promise<Reply>, second: () => Promise<Reply>) => {
  const gate = await closeGate(table.venue.app.database.pool, gateAt)
  const both: Promise<Reply>[] = []
  let isSecondDone = false
  let hasPassed = false
  try {
    both.push(first())
    await gate.waiting(1, both[0])
    both.push(second().finally(() => (isSecondDone = true)))
    await gate.waiting(2, both[1])
    await table.venue.workOffJobs()
    hasPassed = isSecondDone
  } finally {
    await gate.open()
  }
  const replies = await Promise.all(both)
  await table.settle()
  return { statuses: replies.map(({ status }) => status), hasPassed }
}

const orderIsMadeFirst = async (isGuarded: boolean, prepare: (typeof WAYS)[number][1], by?: 'archival') => {
  const table = await openTable(isGuarded)
  const { token, finish } = await prepare(table)
  const met = await meet(table, 'orders', finish, () => callOff(table, by))
  await table.sound()
  const { order } = await table.see(token)
  return { ...met, order: order.status, told: (await table.subjects()).filter((each) => each.startsWith('Cancelled')) }
}

const TOLD = ['Cancelled: Winter Ball']

test.each(WAYS)(
  'an order for %s that is under way comes before the cancellation of its event, which tells whoever has paid',
  async (name, prepare) => {
    const [order, told] = name === 'money to come' ? ['unpaid', []] : ['paid', TOLD]
    expect(await orderIsMadeFirst(true, prepare)).toEqual({
      statuses: [200, 200],
      hasPassed: false,
      order,
      told,
    })
  },
)

test('an event is archived after the orders for it that are under way', async () => {
  expect(await orderIsMadeFirst(true, WAYS[0]![1], 'archival')).toMatchObject({ hasPassed: false, order: 'paid' })
})

test.each(WAYS)('control: without the lock, an order for %s is made after the cancellation', async (name, prepare) => {
  expect(await orderIsMadeFirst(false, prepare)).toEqual({
    statuses: [200, 200],
    hasPassed: true,
    order: name === 'money to come' ? 'unpaid' : 'paid',
    told: [],
  })
})

const cancelledFirst = async (isGuarded: boolean, prepare: (typeof WAYS)[number][1]) => {
  const table = await openTable(isGuarded)
  const { token, finish } = await prepare(table)
  const before = await table.subjects()
  const met = await meet(table, 'audit_entries', () => callOff(table), finish)
  await table.sound()
  const { status, order } = await table.see(token)
  return { ...met, status, order, kept: await table.kept(), told: (await table.subjects()).slice(before.length) }
}

test.each([
  ['money', 200, 'expired', ['Your payment for Winter Ball goes back']],
  ['a voucher and money', 200, 'expired', ['Your payment for Winter Ball goes back']],
  ['a voucher', 422, 'open', []],
  ['money to come', 422, 'open', []],
])(
  '%s that comes while an event is being cancelled buys nothing, and goes back',
  async (name, answer, status, told) => {
    const [, prepare] = WAYS.find(([each]) => each === name)!
    expect(await cancelledFirst(true, prepare)).toEqual({
      statuses: [200, answer],
      hasPassed: false,
      status,
      order: null,
      kept: 0,
      told,
    })
  },
)

test('control: without the lock, tickets are issued while the event is being cancelled', async () => {
  const { hasPassed, order } = await cancelledFirst(false, WAYS[0]![1])
  expect([hasPassed, order?.status]).toEqual([true, 'paid'])
})

const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_each, n) => work(n)))

test('buyers and an office that cancels and takes it back never wait for each other in a circle', async () => {
  const table = await openTable(true)
  const { venue, tickets } = table
  const paying = await times(30, async () => table.goToPay(await table.fillIn(null)))
  // Whoever holds nothing any more takes it anew, and locks the event for it.
  await venue.app.database.pool.query(
    `update holds set expires_at = foyer_now() - interval '1 minute' where account_id = $1 and id % 2 = 0`,
    [venue.report.account.id],
  )
  const acts: (() => Promise<Reply>)[] = [
    ...paying.map((redirectUrl) => () => table.decide(redirectUrl)),
    ...Array.from({ length: 10 }, () => () => table.create([{ ticket_id: tickets['ga'], quantity: 1 }])),
  ]
  const switching = async () => {
    for (let n = 0; n < 6; n++) {
      for (const by of ['cancellation', 'archival'] as const) {
        expect((await callOff(table, by)).status).toBe(200)
        expect((await table.office.delete(`/admin/events/winter-ball/${by}`)).status).toBe(200)
      }
    }
  }
  const [replies] = await Promise.all([Promise.all(acts.map((act) => act())), switching()])
  for (const { status, text } of replies) expect([200, 201, 422], text).toContain(status)
  await table.settle()
  await table.sound()
})
