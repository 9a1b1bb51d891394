import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openFarDatabase } from '../../test/kit/database/far-database.ts'
import { runFoyer } from '../../test/kit/process/foyer-process.ts'
import { neueHalle } from '../../test/kit/venue/neue-halle.ts'

const EXAMPLE = path.join(import.meta.dirname, '../venue-file/example-venue.json')

test('the audit of the command line tells a broken counter, quota, voucher total and refund, of any account', async () => {
  const far = await openFarDatabase('audit')
  const load = async (text: string): Promise<number> => {
    const { stdout, stderr } = await runFoyer(['load', '-'], far.environment, text)
    expect(stderr).toBe('')
    return JSON.parse(stdout).account.id
  }
  const audit = async () => {
    const { code, stdout } = await runFoyer(['audit'], far.environment)
    const lines = stdout.split('\n').filter((line) => line !== '')
    return { code, findings: lines.map((line) => JSON.parse(line)) }
  }
  /** Breaks something, hears of it, mends it again. */
  const findingsOf = async (change: (by: number) => string, accountId: number) => {
    const apply = async (by: number) => expect((await far.beside.query(change(by), [accountId])).rowCount).toBe(1)
    await apply(1)
    const { code, findings } = await audit()
    await apply(-1)
    expect(code).toBe(1)
    return findings
  }

  try {
    await load(JSON.stringify(neueHalle('beside')))
    const accountId = await load(await readFile(EXAMPLE, 'utf8'))
    expect(await audit()).toEqual({ code: 0, findings: [] })

    const first = (table: string) => `account_id = $1 and id = (select min(id) from ${table} where account_id = $1)`
    const counter = (by: number) => `update tickets set claimed_count = claimed_count + ${by} where ${first('tickets')}`
    expect(await findingsOf(counter, accountId)).toEqual([expect.objectContaining({ accountId, what: 'ticket' })])

    const quota = (by: number) =>
      `update signup_links set admission_count = admission_count + ${by} where ${first('signup_links')}`
    const ofLink = { accountId, what: 'signup link', linkPublicId: expect.any(String), counted: 1, kept: 2 }
    expect(await findingsOf(quota, accountId)).toEqual([ofLink])

    const total = (by: number) =>
      `update voucher_totals set issued_cents = issued_cents + ${by} where ${first('voucher_totals')}`
    const ofTotals = { accountId, what: 'vouchers', fault: 'the summary is not what can be counted', count: 1 }
    expect(await findingsOf(total, accountId)).toEqual([ofTotals])

    expect(await audit()).toEqual({ code: 0, findings: [] })
    // What was given back is never taken back, so this one stays; and it has bought nothing.
    await far.beside.query('alter table payments drop constraint a_payment_is_for_a_checkout')
    await far.beside.query(
      `insert into payments (account_id, public_id, payable_id, payment_method_id, amount_cents, currency, status,
           paid_at, refunded_cents)
         select account_id, 'paid', 1, id, 100, 'EUR', 'paid', foyer_now(), 1 from payment_methods
         where account_id = $1 and name = 'test'`,
      [accountId],
    )
    const ofPayment = { accountId, what: 'payment', paymentPublicId: 'paid', counted: 0, kept: 1 }
    const ofOrders = {
      accountId,
      what: 'orders',
      fault: 'a payment has bought nothing and was not given back',
      count: 1,
    }
    expect(await audit()).toEqual({ code: 1, findings: [ofOrders, ofPayment] })
  } finally {
    await far.close()
  }
})
