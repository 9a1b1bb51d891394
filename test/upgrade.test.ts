import { readdirSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRowsBack, migrateUpTo } from './kit/database/as-of.ts'
import { type ClonedDatabase, cloneDatabase, createDatabase } from './kit/database/database.ts'
import { databaseFolder } from './kit/database/folders.ts'
import { withClient } from './kit/database/template.ts'
import { askAtHost } from './kit/network/ask-at-host.ts'
import { type FoyerProcess, runFoyer, startFoyer } from './kit/process/foyer-process.ts'

/**
 * The last migration of the last release. Nothing is released yet: it is that of the house before languages, the shop and
 * the wallet came, and every release puts its own number here.
 */
const RELEASED = 22
const DEMO = path.join(import.meta.dirname, '../src/venue-file/demo-venue.json')
const NEWEST = readdirSync(path.join(import.meta.dirname, '../migrations')).length

let folder: string
let old: ClonedDatabase | undefined
let foyer: FoyerProcess | undefined
let environment: Record<string, string>
// oxlint-disable-next-line typescript/no-explicit-any
let report: any

const urlOf = ({ connection: { host, user, database } }: ClonedDatabase) =>
  `postgres:///${database}?host=${encodeURIComponent(host!)}&user=${user}`

/** An installation as the last release left it, with the demo venue in it: orders, guests, vouchers, tasks. */
beforeAll(async () => {
  folder = await databaseFolder('upgrade')
  const made = await cloneDatabase()
  const base = { FOYER_DATA: folder, FOYER_RATE_LIMITS: 'off' }
  const venue = await readFile(DEMO, 'utf8')
  const loaded = await runFoyer(['load', '-'], { ...base, DATABASE_URL: urlOf(made) }, venue)
  expect(loaded.stderr).toBe('')
  report = JSON.parse(loaded.stdout)

  old = await createDatabase()
  await migrateUpTo(old.connection, RELEASED)
  expect(await copyRowsBack(made.connection, old.connection)).toBeGreaterThan(100)
  await made.drop()

  environment = { ...base, DATABASE_URL: urlOf(old) }
  foyer = await startFoyer(environment)
})

afterAll(async () => {
  await foyer?.end()
  await old?.drop()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (place: string, { token, ...init }: RequestInit & { token: string }) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(foyer!.origin + place, { ...init, headers })
  // oxlint-disable-next-line typescript/no-explicit-any
  return { status: reply.status, body: (await reply.json()) as any }
}

const office = () => report.api_tokens['Box office, writing'] as string

test('today’s Foyer brings the installation up to date, and the audit finds nothing', async () => {
  const applied = await withClient(old!.connection, (client) =>
    client.query<{ count: number }>('select count(*)::int as count from schema_migrations'),
  )
  expect(applied.rows[0]!.count).toBe(NEWEST)
  expect(await runFoyer(['audit'], environment)).toMatchObject({ code: 0, stdout: '' })
})

test('the office sees its events and guests, and invites one more', async () => {
  const token = office()
  const { body } = await ask('/admin/events', { token })
  expect(body.events.map((event: { slug: string }) => event.slug)).toContain('winter-gala')
  const before = await ask('/admin/events/winter-gala/guest_list', { token })
  expect(before.status).toBe(200)
  const guest_party = {
    customer_name: 'Nora New',
    ticket_id: report.events['winter-gala'].tickets.house,
    party_size: 2,
  }
  const made = await ask('/admin/events/winter-gala/guest_parties', {
    token,
    method: 'POST',
    body: JSON.stringify({ guest_party }),
  })
  expect(made.status).toBe(201)
  const after = await ask('/admin/events/winter-gala/guest_list', { token })
  expect(after.body.guest_parties).toHaveLength(before.body.guest_parties.length + 1)
})

test('a ticket from before is let in, once', async () => {
  const token = report.devices['Main entrance'] as string
  const { body } = await ask('/scanner/events/winter-gala/snapshot', { token })
  const { public_id: ticket } = body.tickets.find(
    (each: { redeemed: boolean; status?: string; valid?: boolean }) => !each.redeemed && each.valid !== false,
  )
  const redeem = () =>
    ask(`/scanner/events/winter-gala/tickets/${ticket}/redemption`, { token, method: 'POST' }).then(
      ({ status }) => status,
    )
  expect([await redeem(), await redeem()]).toEqual([200, 422])
})

test('the programme, the board and vouchers are there', async () => {
  const shop = new URL(report.account.shop_url).host
  const headers = { host: shop, accept: 'application/json' }
  const programme = await askAtHost(foyer!.origin, '/events', { method: 'GET', headers })
  expect(programme.status).toBe(200)
  expect(JSON.stringify(await programme.json())).toContain('Winter Gala')
  const token = office()
  for (const place of ['/admin/tasks', '/admin/vouchers', '/admin/memberships', '/admin/account']) {
    expect([place, (await ask(place, { token })).status]).toEqual([place, 200])
  }
  const task = { task: { title: 'Look after the upgrade' } }
  expect((await ask('/admin/tasks', { token, method: 'POST', body: JSON.stringify(task) })).status).toBe(201)
})

test('the whole venue can be exported, and the audit still finds nothing', async () => {
  const exported = await runFoyer(['export', '--account', 'kaispeicher'], environment)
  expect(exported).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(exported.stdout).account.subdomain).toBe('kaispeicher')
  expect(await runFoyer(['audit'], environment)).toMatchObject({ code: 0, stdout: '' })
})
