import { expect, onTestFinished, test, vi } from 'vitest'
import { BUYER, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { openClient } from '../../test/kit/venue/client.ts'
import { withoutOrdersOf } from '../../test/kit/database/held-events.ts'
import { watchStatements } from '../../test/kit/database/statements.ts'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { findOrderFaults } from '../orders/consistency/records.ts'
import { openAccountForJob } from '../access/job-scope.ts'
import { compareCounters } from '../inventory/consistency/records.ts'

vi.setConfig({ testTimeout: 240_000 })

type Buyer = Awaited<ReturnType<typeof openBuyer>>

const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** So many that are about to pay for a ticket each, by where they do. */
const beginMany = async ({ begin, change, pay, tickets }: Buyer, count: number, nameOf = (_n: number) => 'Berit') => {
  const tokens = await times(count, () => begin([{ ticket_id: tickets['ga'], quantity: 1 }]))
  const changed = await times(count, (n) => change(tokens[n]!, { ...BUYER, customer_name: nameOf(n) }))
  expect(changed.map(({ body }) => body.customer?.customer_name)).toEqual(tokens.map((_, n) => nameOf(n)))
  const paying = await times(count, (n) => pay(tokens[n]!))
  expect(paying.map(({ status, body }) => [status, body.status])).toEqual(tokens.map(() => [200, 'pending']))
  return tokens.map((token, n) => ({ token, redirectUrl: paying[n]!.body.payment.redirect_url as string }))
}

const sound = async ({ venue }: Buyer) => {
  const { id } = venue.report.account
  expect(await compareCounters(venue.app.database.kysely, id)).toEqual([])
  expect(await findOrderFaults((await openAccountForJob(venue.app, id))!.rows)).toEqual([])
}

const receiptNumbers = async ({ venue }: Buyer) => {
  const { rows } = await venue.app.database.pool.query<{ number: number }>(
    'select number::int from receipts where account_id = $1 order by number',
    [venue.report.account.id],
  )
  return rows.map(({ number }) => number)
}

test('two hundred payments of one account at once, at two processes, are all taken, and their receipts have no gap', async () => {
  const vouched = 20
  const buyer = await openBuyer((file) => {
    file['vouchers'] = Array.from({ length: vouched }, (_, n) => ({ key: `v${n}`, amount: '10.00' }))
  })
  const { venue, tickets, begin, change, post, pay } = buyer
  const second = await openSecondApp(venue)
  onTestFinished(() => second.close())
  const plain = await beginMany(buyer, 200 - vouched)
  // A part of each of these is paid by a voucher, so each is looked at by itself.
  const others = await times(vouched, async (n) => {
    const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
    await change(token, BUYER)
    const { code } = venue.report.vouchers[`v${n}`]!
    expect((await post(`/checkouts/${token}/vouchers`, { code })).body.total).toBe('15.00')
    return { token, redirectUrl: (await pay(token)).body.payment.redirect_url as string }
  })
  const all = plain.flatMap((each, n) => (n % 9 === 0 ? [each, others[n / 9]!] : [each]))
  const answers = await times(200, (n) =>
    openClient(n % 2 === 0 ? venue.origin : second.origin).ask('POST', new URL(all[n]!.redirectUrl).pathname, {
      body: { outcome: 'paid' },
    }),
  )
  expect(answers.map(({ status, body }) => [status, body.status])).toEqual(all.map(() => [200, 'paid']))
  expect(await receiptNumbers(buyer)).toEqual(all.map((_, n) => n + 1))
  const orders = await times(200, async (n) => (await buyer.see(all[n]!.token)).order)
  expect(
    new Set(
      orders.flatMap(({ admissions }) => admissions.map(({ check_in_code: code }: { check_in_code: string }) => code)),
    ).size,
  ).toBe(200)
  await sound(buyer)
})

/** Those who come while the first one is held up are served together. */
const whileFirstIsHeld = async <T>({ venue }: Buyer, work: () => Promise<T>[]): Promise<T[]> => {
  const { pool } = venue.app.database
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(`select from checkouts where account_id = $1 and status = 'pending' for update`, [
      venue.report.account.id,
    ])
    const asked = work()
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%from checkouts%'`
    await vi.waitFor(async () => expect((await pool.query(waiting)).rowCount).toBe(1), { timeout: 60_000 })
    await client.query('commit')
    return await Promise.all(asked)
  } finally {
    client.release()
  }
}

test('payments that come together share their statements', async () => {
  const buyer = await openBuyer()
  const paying = await beginMany(buyer, 17)
  const watch = watchStatements([buyer.venue.app.database])
  try {
    const answers = await whileFirstIsHeld(buyer, () =>
      paying.map(({ redirectUrl }) => buyer.decide(redirectUrl, 'paid')),
    )
    expect(answers.map(({ body }) => body.status)).toEqual(answers.map(() => 'paid'))
  } finally {
    watch.close()
  }
  const statements = watch.watched.flatMap(({ moments }) => moments.flatMap((moment) => moment.statements))
  const orders = statements.filter((text) => /insert into orders/i.test(text))
  expect(orders.length).toBeLessThanOrEqual(5)
  expect(statements.length / 17).toBeLessThan(6)
  await sound(buyer)
})

test('one that the database will not have holds up none of the others, and is paid later', async () => {
  const buyer = await openBuyer()
  const { venue } = buyer
  const paying = await beginMany(buyer, 9, (n) => (n === 4 ? 'Mallory' : 'Berit'))
  await withoutOrdersOf(venue.app.database.pool, { name: 'Mallory', when: 'at once' }, async () => {
    const answers = await whileFirstIsHeld(buyer, () =>
      paying.map(({ redirectUrl }) => buyer.decide(redirectUrl, 'paid')),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map((_, n) => (n === 4 ? 500 : 200)))
  })
  expect(await receiptNumbers(buyer)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(await buyer.see(paying[4]!.token)).toMatchObject({ status: 'pending', order: null })
  expect((await buyer.decide(paying[4]!.redirectUrl, 'paid')).body.status).toBe('paid')
  expect((await receiptNumbers(buyer)).at(-1)).toBe(9)
  await sound(buyer)
})

test('each of those who come together is judged for itself, and whoever asks twice is asked once', async () => {
  const buyer = await openBuyer()
  const { tickets, change, pay, begin } = buyer
  const tokens = await times(6, () => begin([{ ticket_id: tickets['ga'], quantity: 1 }]))
  const guests = [{ name: 'One' }, { name: 'Two' }]
  const changed = await Promise.all([
    change(tokens[0]!, BUYER),
    change(tokens[1]!, { ...BUYER, attendees: guests }),
    // Whichever of the two comes first, neither undoes the other.
    change(tokens[2]!, { customer_email: BUYER.customer_email }),
    change(tokens[2]!, { customer_name: 'Bo Both' }),
    change(tokens[3]!, BUYER),
    change('1111111111111111111111', BUYER),
  ])
  expect(changed.map(({ status }) => status)).toEqual([200, 422, 200, 200, 200, 404])
  expect(changed[1].body.errors).toEqual({ attendees: ['is too long: must be less than or equal to 1'] })
  expect(await buyer.see(tokens[2]!)).toMatchObject({
    customer: { customer_name: 'Bo Both', customer_email: BUYER.customer_email },
  })
  expect(await buyer.see(tokens[1]!)).toMatchObject({ customer: { customer_name: null } })

  const paying = await Promise.all([
    pay(tokens[0]!),
    pay(tokens[1]!),
    pay(tokens[2]!, 'cash'),
    pay(tokens[3]!),
    pay(tokens[3]!),
    pay(tokens[4]!, null),
  ])
  expect(paying.map(({ status }) => status)).toEqual([200, 422, 422, 200, 200, 422])
  expect(paying[2].body.errors).toEqual({ payment_method: ['is not included in the list'] })
  expect(paying[3].body.payment.redirect_url).toBe(paying[4].body.payment.redirect_url)
  const redirectUrl: string = paying[3].body.payment.redirect_url
  const decided = await times(3, () => buyer.decide(redirectUrl, 'paid'))
  expect(decided.map(({ body }) => body.status)).toEqual(['paid', 'paid', 'paid'])
  expect(await receiptNumbers(buyer)).toEqual([1])
  await sound(buyer)
})
