import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { FoyerProcess } from '../test/kit/process/foyer-process.ts'
import { deriveSecrets } from '../src/kernel/secrets.ts'
import { sealCode } from '../src/vouchers/codes.ts'
import { type Filled, fillVenue } from './filling.ts'
import { type Bench, type BenchDatabase, type Figure, percentile, round, withClient } from './frame.ts'
import type { HttpOutcome, HttpRequest } from './http-load.ts'

const SECRET = 'for measuring only, and long enough for it'

interface Stage {
  database: BenchDatabase
  venue: Filled
  foyer: FoyerProcess
  count: number
}

export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const count = bench.small ? 50_000 : 1_000_000
  const database = await bench.makeDatabase('vouchers')
  const venue = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: 'vouchers', devices: 0, events: [] }),
  )
  await fillVouchers(database, venue.accountId, count)
  const foyer = await database.startFoyer({ FOYER_SECRET: SECRET })
  const stage = { database, venue, foyer, count }

  yield* measureList(bench, stage)
  yield* measureImport(stage)
  yield* measureExport(stage)
  await foyer.end()
}

/**
 * Vouchers with their entries, in the shape that issuing and spending would leave: the triggers rest meanwhile, and the
 * totals are counted at the end. All have one code's ciphertext, which costs as much to open as any other.
 */
const fillVouchers = (database: BenchDatabase, accountId: number, count: number) =>
  withClient(database.connection, async (client) => {
    const { sealed } = sealCode(deriveSecrets(SECRET), accountId, 'K7WM-3XQD-9TFA-NPQR')
    await client.query('begin')
    await client.query(`set local session_replication_role = 'replica'`)
    await client.query(
      `insert into vouchers (account_id, id, public_id, code_digest, code_sealed, code_suffix, product_name, source,
         issued_cents, balance_cents, entries_count, expires_at, blocked_at, block_reason, expiration_posted_at, created_at)
       select $1, n, 'voucher' || n, sha256(n::text::bytea), $3, 'NPQR', 'Voucher 50', 'manual', 5000,
         case when n % 10 = 3 or n % 10 = 5 then 0 else 5000 end, case when n % 10 = 3 or n % 10 = 5 then 2 else 1 end,
         foyer_now() + interval '1 year',
         case when n % 50 = 1 then foyer_now() end, case when n % 50 = 1 then 'Stolen' end,
         case when n % 10 = 5 then foyer_now() end, foyer_now() - make_interval(secs => $2 - n)
       from generate_series(1, $2::int) as n`,
      [accountId, count, sealed],
    )
    await client.query(
      `insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents)
       select account_id, id, 1, 'issuance' || id, 'issuance', 5000, 5000 from vouchers
       union all
       select account_id, id, 2, 'rest' || id, case when expiration_posted_at is null then 'redemption' else 'expiration' end,
         -5000, 0 from vouchers where balance_cents = 0`,
    )
    await client.query(
      `insert into voucher_totals (account_id, count, issued_cents, redeemed_cents, balance_cents, blocked_count)
       select account_id, count(*), sum(issued_cents),
         sum(5000) filter (where balance_cents = 0 and expiration_posted_at is null), sum(balance_cents), count(blocked_at)
       from vouchers group by account_id`,
    )
    await client.query(`select setval(pg_get_serial_sequence('vouchers', 'id'), $1)`, [count])
    await client.query('commit')
    await client.query('vacuum analyze')
  })

async function* measureList(bench: Bench, { venue, foyer, count }: Stage): AsyncGenerator<Figure> {
  const statuses = ['', '&status=active', '&status=blocked', '&status=depleted', '&status=expired']
  const requests = Array.from({ length: bench.small ? 400 : 1_500 }, (_, n): HttpRequest => {
    const page = n % 3 === 0 ? '' : `&page=voucher${1 + Math.floor(Math.random() * count)}`
    return { method: 'GET', path: `/admin/vouchers?limit=50${page}${statuses[n % 5]}`, token: venue.office }
  })
  const ask = (some: HttpRequest[]) =>
    bench.work<HttpOutcome>('http-load.ts', { origins: [foyer.origin], connections: 1, requests: some })
  await ask(requests.slice(0, 100))
  const { times, statuses: answers } = await ask(requests)
  if (Object.keys(answers).join() !== '200') throw new Error(`Answers other than 200: ${JSON.stringify(answers)}`)
  const p95 = percentile(times, 0.95)
  yield {
    id: 'P9',
    what: `a page of ${count} vouchers with the summary, any page and filter, p95`,
    figure: round(p95, 1),
    unit: 'ms',
    target: '≤ 12 ms',
    isMet: p95 <= 12,
  }
}

const ask = async ({ foyer, venue }: Stage, method: string, path: string, body?: unknown) => {
  const response = await fetch(foyer.origin + path, {
    method,
    headers: { authorization: `Bearer ${venue.office}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as { id: string; status: string; validation_errors: unknown[] }
}

async function* measureImport(stage: Stage): AsyncGenerator<Figure> {
  const analysed: number[] = []
  const applied: number[] = []
  for (let n = 0; n < 5; n++) {
    const rows = Array.from({ length: 5_000 }, (_, row) =>
      row % 2 ? `,${row + 1}.00,2035-12-31,From the old shop` : `BENCH${n}CODE${String(row).padStart(6, '0')},25.00,,`,
    )
    const csv = `code,amount,expires_at,note\n${rows.join('\n')}\n`
    let started = performance.now()
    const made = await ask(stage, 'POST', '/admin/voucher_imports', { csv })
    analysed.push(performance.now() - started)
    if (made.validation_errors.length > 0) throw new Error('The file of the bench has faults')

    started = performance.now()
    await ask(stage, 'POST', `/admin/voucher_imports/${made.id}/application`)
    for (;;) {
      const [row] = await stage.database.query<{ status: string }>(
        'select status from voucher_imports where public_id = $1',
        [made.id],
      )
      if (row!.status === 'applied') break
      if (row!.status === 'failed') throw new Error('The import of the bench failed')
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    applied.push(performance.now() - started)
  }
  const [read, issued] = [percentile(analysed, 0.5), percentile(applied, 0.5)]
  yield {
    id: 'P10',
    what: 'an import of 5,000 rows analysed',
    figure: round(read),
    unit: 'ms',
    target: '≤ 600 ms',
    isMet: read <= 600,
  }
  yield {
    id: 'P10',
    what: 'an import of 5,000 rows applied, from the request to the last voucher',
    figure: round(issued),
    unit: 'ms',
    target: '≤ 1500 ms',
    isMet: issued <= 1500,
  }
}

const memoryOf = async ({ foyer }: Stage, line: 'VmHWM') => {
  const status = await readFile(`/proc/${foyer.child.pid}/status`, 'utf8')
  return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(status)![1]) / 1024
}

const download = ({ foyer, venue }: Stage, query = '') =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${venue.office}` }
    http
      .get(`${foyer.origin}/admin/vouchers.csv${query}`, { headers, agent: false }, (response) => {
        let lines = 0
        response.on('data', (piece: Buffer) => {
          for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
        })
        response.on('end', () => resolve(lines - 1)).on('error', reject)
      })
      .on('error', reject)
  })

async function* measureExport(stage: Stage): AsyncGenerator<Figure> {
  // Some of it first: what any work makes a process take is not what a large export needs.
  await download(stage, '?status=blocked')
  await download(stage, '?status=depleted')
  const before = await memoryOf(stage, 'VmHWM')
  const started = performance.now()
  const rows = await download(stage)
  const seconds = (performance.now() - started) / 1000
  const grown = Math.max(0, (await memoryOf(stage, 'VmHWM')) - before)
  if (rows < stage.count) throw new Error(`The export had ${rows} rows`)
  yield {
    id: 'P11',
    what: `an export of ${rows} vouchers`,
    figure: round(rows / seconds),
    unit: 'rows/s',
    target: '≥ 50,000 rows/s',
    isMet: rows / seconds >= 50_000,
  }
  yield {
    id: 'P11',
    what: 'memory it needs on top',
    figure: round(grown, 1),
    unit: 'MB',
    target: '≤ 64 MB',
    isMet: grown <= 64,
  }
}
