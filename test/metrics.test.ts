import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ENDPOINTS, JOBS } from '../src/main.ts'
import { openFarDatabase } from './kit/database/far-database.ts'
import { type Sample, readSamples, valueOf } from './kit/network/read-metrics.ts'
import { openWebhookListener } from './kit/network/webhook-listener.ts'
import { type FoyerProcess, runFoyer, startFoyer, startWorkerProcess } from './kit/process/foyer-process.ts'
import { freePort } from './kit/process/free-port.ts'
import { type Client, openClient } from './kit/venue/client.ts'
import { neueHalle } from './kit/venue/neue-halle.ts'

const TOKEN = 'scrape-me-if-you-can'
const SOON = { timeout: 30_000, interval: 100 }

/** Foyer as a process that is watched, with a venue that is visited. */
let far: Awaited<ReturnType<typeof openFarDatabase>>
let listener: Awaited<ReturnType<typeof openWebhookListener>>
let environment: Record<string, string>
let foyer: FoyerProcess
let office: Client
let door: Client
let gaId: number

beforeAll(async () => {
  far = await openFarDatabase('metrics')
  listener = await openWebhookListener()
  environment = { ...far.environment, FOYER_PRIVATE_NETWORKS: 'on' }
  const loaded = await runFoyer(['load', '-'], environment, JSON.stringify(neueHalle('neue-halle')))
  const report = JSON.parse(loaded.stdout)
  gaId = report.events['winter-ball'].tickets.ga
  foyer = await startFoyer({ ...environment, FOYER_METRICS_TOKEN: TOKEN })
  office = openClient(foyer.origin, { token: report.api_tokens['office write'] })
  door = openClient(foyer.origin, { token: report.devices['Door 1'] })
})

afterAll(async () => {
  await foyer.end()
  listener.close()
  await far.close()
})

const scrape = async (origin = foyer.origin, token = TOKEN): Promise<Sample[]> => {
  const reply = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readSamples(await reply.text())
}

const addGuest = async (): Promise<{ public_id: string }> => {
  const party = { customer_name: 'Ada', delivery_email: 'ada@guest.example', ticket_id: gaId }
  const reply = await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.admissions[0]
}

test('only the token reads the metrics, and without a setting there is no such address', async () => {
  const ask = async (origin: string, headers: Record<string, string> = {}) =>
    (await fetch(`${origin}/metrics`, { headers })).status
  expect(await ask(foyer.origin)).toBe(401)
  for (const wrong of ['', 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, TOKEN, `Basic ${TOKEN}`]) {
    expect(await ask(foyer.origin, { authorization: wrong }), wrong).toBe(401)
  }
  expect(await ask(foyer.origin, { authorization: `Bearer ${TOKEN}` })).toBe(200)

  const unwatched = await startFoyer({ ...environment, FOYER_DATA: path.join(environment['FOYER_DATA']!, 'other') })
  try {
    expect(await ask(unwatched.origin, { authorization: `Bearer ${TOKEN}` })).toBe(404)
  } finally {
    await unwatched.end()
  }
})

test('an evening shows: requests, statements, mails, webhooks, the door, jobs and backups', async () => {
  await office.post('/admin/webhook_endpoints', {
    webhook_endpoint: { url: `${listener.address}/told`, kinds: ['guest_party.created'] },
  })
  const before = await scrape()
  const [first, second] = [await addGuest(), await addGuest()]
  const redeem = (id: string) => door.post(`/scanner/events/winter-ball/tickets/${id}/redemption`)
  expect((await redeem(first.public_id)).status).toBe(200)
  expect((await redeem(first.public_id)).status).toBe(422)
  const attempts = [{ client_id: 'c1', event_slug: 'winter-ball', public_id: second.public_id }]
  expect((await door.post('/scanner/redemption_attempts', { attempts })).status).toBe(200)
  expect((await runFoyer(['backup', path.join(environment['FOYER_DATA']!, 'a.tar.gz')], environment)).code).toBe(0)

  await vi.waitFor(async () => {
    const after = await scrape()
    const grown = (name: string, labels: Record<string, string>) =>
      (valueOf(after, name, labels) ?? 0) - (valueOf(before, name, labels) ?? 0)
    const route = '/scanner/events/:event_slug/tickets/:identifier/redemption'
    const requests = 'foyer_http_request_duration_seconds_count'
    expect(grown(requests, { method: 'POST', route, status: '200' })).toBe(1)
    expect(grown(requests, { method: 'POST', route, status: '422' })).toBe(1)
    expect(grown('foyer_door_scans_total', { way: 'online', result: 'accepted' })).toBe(1)
    expect(grown('foyer_door_scans_total', { way: 'online', result: 'conflict' })).toBe(1)
    expect(grown('foyer_door_scans_total', { way: 'sync', result: 'accepted' })).toBe(1)
    expect(grown('foyer_mails_total', { outcome: 'sent' })).toBe(2)
    expect(grown('foyer_webhook_deliveries_total', { outcome: 'delivered' })).toBe(2)
    expect(grown('foyer_job_duration_seconds_count', { outcome: 'done' })).toBeGreaterThanOrEqual(4)
    for (const pool of ['requests', 'lookups', 'keys']) {
      expect(grown('foyer_database_statement_duration_seconds_count', { pool }), pool).toBeGreaterThan(0)
      expect(valueOf(after, 'foyer_database_connections_max', { pool }), pool).toBeGreaterThan(0)
    }
    expect(valueOf(after, 'foyer_backup_last_success_timestamp_seconds')).toBeGreaterThan(Date.now() / 1000 - 600)
    expect(valueOf(after, 'foyer_backup_last_size_bytes')).toBeGreaterThan(1000)
    expect(valueOf(after, 'foyer_database_up')).toBe(1)
    expect(valueOf(after, 'nodejs_eventloop_lag_p99_seconds')).not.toBeNull()
    expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(0)
  }, SOON)
})

test('a lane that nobody works off shows how many wait, and for how long', async () => {
  await far.beside.query(
    `insert into lane_jobs (account_id, lane, name, payload, serial_key, state, run_at)
     select 0, 'push', 'nobody.knows', '{}', '', 'later', clock_timestamp() + interval '1 hour' from generate_series(1, 3)`,
  )
  await far.beside.query(
    `insert into lane_jobs (account_id, lane, name, payload, serial_key, state, run_at, locked_by, locked_at)
     values (0, 'imports', 'nobody.knows', '{}', 'same', 'running', clock_timestamp(), 'somebody', clock_timestamp()),
       (0, 'imports', 'nobody.knows', '{}', 'same', 'ready', clock_timestamp() - interval '90 seconds', null, null)`,
  )
  await vi.waitFor(async () => {
    const samples = await scrape()
    expect(valueOf(samples, 'foyer_lane_jobs', { lane: 'push', state: 'later' })).toBe(3)
    expect(valueOf(samples, 'foyer_lane_jobs', { lane: 'imports', state: 'running' })).toBe(1)
    expect(valueOf(samples, 'foyer_lane_oldest_ready_seconds', { lane: 'imports' })).toBeGreaterThan(80)
    expect(valueOf(samples, 'foyer_lane_oldest_ready_seconds', { lane: 'push' })).toBe(0)
  }, SOON)
  await far.beside.query(`delete from lane_jobs where name = 'nobody.knows'`)
})

test('labels are known beforehand, whatever is asked for', async () => {
  for (let n = 0; n < 20; n++) {
    await fetch(`${foyer.origin}/no/such/address-${n}`)
    await fetch(`${foyer.origin}/admin/tasks/never-${n}`)
    await fetch(`${foyer.origin}/admin/events`, { method: n % 2 === 0 ? 'PURGE' : 'PROPFIND' })
  }
  const samples = await scrape()
  const allowed: Record<string, Set<string>> = {
    method: new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'any']),
    route: new Set([...ENDPOINTS.map((each) => each.path), 'none', '/metrics']),
    job: new Set(JOBS.map(({ name }) => name)),
  }
  for (const { name, labels } of samples.filter((each) => each.name.startsWith('foyer_'))) {
    for (const [label, of] of Object.entries(labels)) {
      if (label in allowed) expect(allowed[label], `${name} ${label}`).toContain(of)
      else if (label !== 'le' && label !== 'version')
        expect(of, `${name} ${label}`).toMatch(/^([a-z_]{1,20}|[1-5]\d\d)$/)
    }
  }
  expect(
    valueOf(samples, 'foyer_http_request_duration_seconds_count', { route: 'none', method: 'any' }),
  ).toBeGreaterThan(19)
})

test('a port of its own tells it too, also of a process without a web server', async () => {
  const FOYER_METRICS_PORT = String(await freePort())
  const origin = `http://127.0.0.1:${FOYER_METRICS_PORT}`
  const worker = await startWorkerProcess({ ...environment, FOYER_METRICS_PORT })
  try {
    expect(valueOf(await scrape(origin), 'foyer_database_up')).toBe(1)
    expect((await fetch(`${origin}/admin/events`)).status).toBe(404)
    const taken = await runFoyer(['serve', '--no-http'], { ...environment, FOYER_METRICS_PORT })
    expect(taken).toMatchObject({
      code: 1,
      stderr: `Port ${FOYER_METRICS_PORT} on 127.0.0.1 is already taken by another program; set FOYER_METRICS_PORT to a free one.\n`,
    })
  } finally {
    expect((await worker.end()).code).toBe(0)
  }

  const both = { ...environment, FOYER_METRICS_PORT, FOYER_METRICS_TOKEN: TOKEN }
  const guarded = await startFoyer(both)
  try {
    expect((await fetch(`${origin}/metrics`)).status).toBe(401)
    expect(valueOf(await scrape(origin), 'foyer_database_up')).toBe(1)
    expect((await fetch(`${guarded.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(
      404,
    )
  } finally {
    await guarded.end()
  }
})

test('while the database is away that is what the metrics tell', async () => {
  far.proxy.refuse()
  try {
    await vi.waitFor(async () => {
      const samples = await scrape()
      expect(valueOf(samples, 'foyer_database_up')).toBe(0)
      expect(valueOf(samples, 'foyer_lane_jobs')).toBeNull()
    }, SOON)
  } finally {
    far.proxy.mend()
  }
  await vi.waitFor(async () => expect(valueOf(await scrape(), 'foyer_database_up')).toBe(1), SOON)
})

const readText = (file: string) => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8')
const namesIn = (text: string) => new Set(text.match(/\b(foyer|nodejs|process)_[a-z0-9_]+(?!\w*[.:/])/g))

test('whatever the dashboard, the alerts and the manual name is in what Prometheus reads', async () => {
  const reply = await fetch(`${foyer.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await reply.text()
  const known = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!))
  const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''))

  const dashboard = JSON.parse(readText('deploy/grafana/foyer.json'))
  const queries: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  expect(queries.length).toBeGreaterThan(20)
  const rules = readText('deploy/prometheus/foyer-alerts.yml')
  const manual = readText('docs/operations.md').split('## Being watched')[1]!.split('\n## ')[0]!
  const sources = { dashboard: queries.join('\n'), rules, manual: manual.replaceAll(/`[^`]*\.(json|yml)`/g, '') }
  for (const [source, content] of Object.entries(sources)) {
    expect(
      [...namesIn(content)].filter((name) => !isKnown(name)),
      source,
    ).toEqual([])
  }
  const own = [...known].filter((name) => name.startsWith('foyer_'))
  expect(own.filter((name) => !manual.includes(`\`${name}\``))).toEqual([])
  expect(own.length).toBeGreaterThan(15)
})

test('there are six alerts, and the manual says what to do about each', () => {
  const alerts = Array.from(
    readText('deploy/prometheus/foyer-alerts.yml').matchAll(/- alert: (\w+)/g),
    ([, name]) => name!,
  )
  expect(alerts).toHaveLength(6)
  const manual = readText('docs/operations.md')
  for (const name of alerts) expect(manual).toMatch(new RegExp(`^\\| \`${name}\` +\\|[^|]{20,}\\|[^|]{100,}\\|$`, 'm'))
})
