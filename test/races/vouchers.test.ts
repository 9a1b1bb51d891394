import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccountForJob } from '../../src/access/job-scope.ts'
import type { AccountScope } from '../../src/access/scopes.ts'
import { Refusal } from '../../src/kernel/refusals.ts'
import { findVoucherFaults } from '../../src/vouchers/consistency/records.ts'
import { claimDelivery, recordDeliveryOutcome } from '../../src/vouchers/deliveries/records.ts'
import { applyImport, issueVouchersOfRows } from '../../src/vouchers/imports/apply-import.ts'
import {
  captureReservation,
  refundRedemption,
  releaseReservation,
  reserveUpTo,
} from '../../src/vouchers/reservations/reserve.ts'
import { type OpenApp, openTestApp, openVenue } from '../kit/venue/venue.ts'
import { DELIVER_VOUCHER_JOB } from '../../src/vouchers/deliveries/queue-delivery.ts'
import { enqueueMany } from '../../src/jobs/enqueue.ts'
import { openClient } from '../kit/venue/client.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { SEED, pickBy, randomOf } from '../kit/seed.ts'
import { mailsTo } from '../kit/venue/outbox.ts'
import { openVenueIn } from '../kit/venue/venue-in.ts'
import { loadVenue } from '../../src/venue-file/load-venue.ts'

const OPERATIONS = Number(process.env['FOYER_LEDGER_OPERATIONS'] ?? 600)
const IMPORT_ROUNDS = Number(process.env['FOYER_IMPORT_ROUNDS'] ?? 10)
const AT_ONCE = 12

const random = randomOf('vouchers')
const pick = <T>(list: readonly T[]): T => pickBy(random, list)

const fiveVouchers = (file: Record<string, unknown>) => {
  file['vouchers'] = Array.from({ length: 5 }, (_, n) => ({ key: `v${n}`, amount: '100.00' }))
}

/** Refusals are an answer like any other; whatever else is thrown is a fault of Foyer. */
const politely = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })

const untilDone = async (count: number, one: () => Promise<unknown>) => {
  let left = count
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await one()
    }),
  )
}

const repeatable = `to repeat: FOYER_SEED=${SEED} FOYER_LEDGER_OPERATIONS=${OPERATIONS}`

const fiveAtOnce = async () => {
  const venue = await openVenue((file) => {
    fiveVouchers(file)
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
  const { pool } = venue.app.database
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const vouchers = Object.values(venue.report.vouchers)
  const ids = await pool.query<{ id: number; public_id: string }>(
    'select id, public_id from vouchers where account_id = $1',
    [scope.account.id],
  )
  const { rows: orders } = await pool.query<{ id: number }>('select id from orders where account_id = $1', [
    scope.account.id,
  ])
  const reservations: string[] = []
  const cents = () => 1 + Math.floor(random() * 4000)
  let checkouts = 0

  const operations: (() => Promise<unknown>)[] = [
    async () => {
      const amount = (cents() / 100).toFixed(2)
      const direction = pick(['credit', 'debit', 'debit'])
      const reply = await venue.office.post(`/admin/vouchers/${pick(vouchers).id}/adjustment`, {
        direction,
        amount,
        reason: 'x',
      })
      expect([200, 422], repeatable).toContain(reply.status)
    },
    async () => {
      const expiresAt = new Date(Date.now() + pick([-1000, 60_000]))
      const voucher = { code: pick(vouchers).code }
      const wanted = { voucher, mostCents: cents(), checkout: `c${checkouts++ % 40}`, expiresAt }
      const reservation = await reserveUpTo(scope, wanted)
      if (reservation !== null) reservations.push(reservation)
    },
    () => captureReservation(scope, pick(reservations) ?? 'none', orders[0]!.id),
    () => releaseReservation(scope, pick(reservations) ?? 'none'),
    () =>
      refundRedemption(scope, {
        voucherId: pick(ids.rows).id,
        orderId: orders[0]!.id,
        amountCents: cents(),
        actor: null,
        reason: null,
      }),
    async () => {
      const path = `/admin/vouchers/${pick(vouchers).id}/block`
      const reply = random() < 0.4 ? await venue.office.post(path, { reason: 'x' }) : await venue.office.delete(path)
      expect(reply.status).toBe(200)
    },
  ]
  await untilDone(OPERATIONS, () => politely(pick(operations)()))

  expect(await findVoucherFaults(scope.rows), repeatable).toEqual([])
  const { rows } = await pool.query(
    'select min(balance_after_cents)::int as least, count(*)::int as entries from voucher_entries where account_id = $1',
    [scope.account.id],
  )
  expect(rows[0].least, repeatable).toBeGreaterThanOrEqual(0)
  expect(rows[0].entries, repeatable).toBeGreaterThan(OPERATIONS / 10)
}

test(
  'whatever happens to five vouchers at once, every balance is what its entries say',
  fiveAtOnce,
  120_000 + OPERATIONS * 20,
)

test('ten debits of a whole balance take it once', async () => {
  const venue = await openVenue(fiveVouchers)
  const path = `/admin/vouchers/${venue.report.vouchers['v0']!.id}`
  const debit = { direction: 'debit', amount: '100.00', reason: 'x' }
  const replies = await Promise.all(Array.from({ length: 10 }, () => venue.office.post(`${path}/adjustment`, debit)))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await venue.office.get(path)).body).toMatchObject({ balance: { amount: '0.00' }, status: 'depleted' })
})

let careless: OpenApp

beforeAll(async () => {
  careless = await openTestApp()
})

afterAll(() => careless.close())

/** Reads the balance, takes its time, and writes what it believes follows, without any lock. */
const carelessCredits = async (pool: pg.Pool, accountId: number) => {
  const credit = async () => {
    const { rows } = await pool.query(
      'select id, entries_count, balance_cents from vouchers where account_id = $1 order by id limit 1',
      [accountId],
    )
    const { id, entries_count, balance_cents } = rows[0]
    await pool.query('select pg_sleep(0.005)')
    return pool.query(
      `insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents, reason)
       values ($1, $2, $3, md5(random()::text), 'adjustment_credit', 100, $4, 'x')`,
      [accountId, id, entries_count + 1, balance_cents + 100],
    )
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, credit))
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const openCareless = async (name: string): Promise<AccountScope> => {
  const file = neueHalle(name)
  fiveVouchers(file)
  const report = await loadVenue(careless.app, JSON.stringify(file))
  return (await openAccountForJob(careless.app, report.account.id))!
}

test('a writer without a lock is refused by the ledger itself; without its guard money would be lost', async () => {
  const { pool } = careless.app.database
  const guarded = await openCareless('guarded')
  const taken = await carelessCredits(pool, guarded.account.id)
  expect(taken).toBeLessThan(40)
  expect(await findVoucherFaults(guarded.rows)).toEqual([])

  const unguarded = await openCareless('unguarded')
  await pool.query(`
    alter table voucher_entries drop constraint entries_are_numbered_per_voucher;
    create or replace function post_to_vouchers() returns trigger language plpgsql as $$
    begin
      update vouchers set balance_cents = added.balance_after_cents, entries_count = added.seq from added
      where vouchers.account_id = added.account_id and vouchers.id = added.voucher_id;
      return null;
    end $$`)
  expect(await carelessCredits(pool, unguarded.account.id)).toBe(40)
  const faults = (await findVoucherFaults(unguarded.rows)).map(({ fault }) => fault)
  expect(faults).toContain('a balance is not the sum of its entries')
})

const CSV = `code,amount\n${Array.from({ length: 40 }, (_, n) => `IMPORTEDCODE${String(n).padStart(3, '0')},5.00`).join('\n')}\n`
const BLANK_CODES = `amount\n${'5.00\n'.repeat(20)}`

test('an import that is submitted and worked on several times at once issues its rows once', async () => {
  for (let round = 0; round < IMPORT_ROUNDS; round++) {
    const venue = await openVenue()
    const { office } = venue
    const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
    const { body: made } = await office.post('/admin/voucher_imports', { csv: pick([CSV, BLANK_CODES]) })
    const path = `/admin/voucher_imports/${made.id}`
    const replies = await Promise.all(Array.from({ length: 4 }, () => office.post(`${path}/application`)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 422, 422, 422])

    const { rows } = await venue.app.database.pool.query('select id from voucher_imports where public_id = $1', [
      made.id,
    ])
    await Promise.all([...Array.from({ length: 4 }, () => applyImport(scope, rows[0].id, 1)), venue.workOffJobs()])
    expect((await office.get(path)).body).toMatchObject({ status: 'applied', imported_rows_count: made.rows_count })
    expect((await office.get('/admin/vouchers')).body.summary.count).toBe(made.rows_count)
    expect(await findVoucherFaults(scope.rows)).toEqual([])
  }
})

test('a worker that is killed in the middle leaves nothing, and the next one does all of it', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const { body: made } = await venue.office.post('/admin/voucher_imports', { csv: CSV })
  await venue.office.post(`/admin/voucher_imports/${made.id}/application`)
  const { rows } = await pool.query('select id from voucher_imports where public_id = $1', [made.id])
  const count = async () => (await venue.office.get('/admin/vouchers')).body.summary.count

  await pool.query(`
    create function take_your_time() returns trigger language plpgsql as $$ begin perform pg_sleep(20); return null; end $$;
    create trigger slow after insert on voucher_entries for each statement execute function take_your_time()`)
  const killed = applyImport(scope, rows[0].id, 1).then(
    () => 'applied',
    () => 'killed',
  )
  for (let gone = 0; gone === 0;) {
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
    )
    gone = rowCount ?? 0
  }
  expect(await killed).toBe('killed')
  await pool.query('drop trigger slow on voucher_entries; drop function take_your_time()')
  expect(await count()).toBe(0)

  await venue.workOffJobs()
  expect(await count()).toBe(made.rows_count)
  expect(await findVoucherFaults(scope.rows)).toEqual([])
})

test('without the guard of its rows an import that is applied twice would be issued twice', async () => {
  const report = await loadVenue(careless.app, JSON.stringify(neueHalle('twice')))
  const scope = (await openAccountForJob(careless.app, report.account.id))!
  const office = openClient(careless.origin, { token: report.api_tokens['office write'] })
  const { pool } = careless.app.database
  const { body: made } = await office.post('/admin/voucher_imports', { csv: BLANK_CODES })
  const { rows } = await pool.query('select id from voucher_imports where public_id = $1', [made.id])
  const count = async () =>
    (await pool.query('select count(*)::int as count from vouchers where account_id = $1', [report.account.id])).rows[0]
      .count

  // The way of applyImport without the lock that it takes first.
  const twice = () =>
    Promise.allSettled([1, 2].map(() => scope.transaction((tx) => issueVouchersOfRows(scope, tx, rows[0].id, null))))
  await twice()
  expect(await count()).toBe(20)
  await pool.query('alter table vouchers drop constraint an_import_row_issues_one_voucher')
  await twice()
  expect(await count()).toBeGreaterThan(20)
})

test('of several workers one claims a delivery, and an older claim has nothing to say any more', async () => {
  const venue = await openVenue((file) => {
    const delivery = {
      audience: 'buyer',
      recipient_name: 'Bea',
      recipient_email: 'bea@guest.example',
      queued_at: '-PT1M',
    }
    const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', deliveries: [delivery] }
    file['vouchers'] = [{ key: 'sold', amount: '5.00', source: 'shop', purchase }]
  })
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const { pool } = venue.app.database
  const { rows } = await pool.query('select id from voucher_deliveries where account_id = $1', [scope.account.id])
  const id: number = rows[0].id
  const claim = () => scope.transaction((tx) => claimDelivery(tx, id))

  const claims = (await Promise.all(Array.from({ length: 8 }, claim))).filter((each) => each !== undefined)
  expect(claims).toHaveLength(1)
  await pool.query(`update voucher_deliveries set delivering_at = foyer_now() - interval '61 minutes' where id = $1`, [
    id,
  ])
  const second = await claim()
  const end = (number: number, failure: string | null) =>
    scope.transaction((tx) => recordDeliveryOutcome(tx, id, { claim: number, failure, isFinal: true }))
  expect(await end(claims[0]!.claim, 'Too late')).toBe(false)
  expect(await end(second!.claim, null)).toBe(true)
  expect(await end(second!.claim, 'Twice')).toBe(false)
})

const GIFTS = 4
const WORKERS = 3

/** Several vouchers that are due, and for each of them a job more often than once, as if workers had lost their place. */
const mailGifts = async (): Promise<number[]> => {
  const { report } = await openVenueIn(careless, (file) => {
    file['vouchers'] = Array.from({ length: GIFTS }, (_, n) => {
      const address = `rita${n}@${file['account'].subdomain}.example`
      const delivery = { audience: 'buyer', recipient_name: 'Rita', recipient_email: address, queued_at: '-PT1M' }
      const purchase = { customer_name: 'Rita', customer_email: address, deliveries: [delivery] }
      return { key: `gift${n}`, amount: '5.00', source: 'shop', purchase }
    })
  })
  const { pool } = careless.app.database
  const { rows } = await pool.query('select id, recipient_email from voucher_deliveries where account_id = $1', [
    report.account.id,
  ])
  const payloads = rows.map(({ id }) => ({ accountId: report.account.id, deliveryId: Number(id) }))
  const all = Array.from({ length: WORKERS }, () => payloads).flat()
  await enqueueMany(careless.app.database.kysely, DELIVER_VOUCHER_JOB, all)
  await Promise.all(Array.from({ length: WORKERS }, () => careless.workOffJobs()))
  return Promise.all(rows.map(async ({ recipient_email }) => (await mailsTo(careless, recipient_email)).length))
}

test('a voucher that several workers want to mail is mailed once; with claims that do not hold it is not', async () => {
  for (let round = 0; round < 3; round++) expect(await mailGifts()).toEqual(Array.from({ length: GIFTS }, () => 1))

  // Claimed two hours ago, so that the next worker takes the claim for one whose worker died.
  await careless.app.database.pool.query(`
    create function forget_the_claim() returns trigger language plpgsql as $$
    begin
      new.delivering_at := foyer_now() - interval '2 hours';
      return new;
    end $$;
    create trigger forget_the_claim before update on voucher_deliveries for each row
      when (new.claim > old.claim) execute function forget_the_claim()`)
  expect((await mailGifts()).some((mails) => mails > 1)).toBe(true)
})
