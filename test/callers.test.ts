import { beforeAll, expect, test } from 'vitest'
import type { AskOptions, Client, Reply } from './kit/venue/client.ts'
import { OPERATIONS, type Operation } from './fuzz/requests.ts'
import { type Stage, openStage } from './fuzz/stage.ts'
import { withHeaders } from './kit/venue/sessions.ts'

/** Two venues with something of everything, so that every address can be asked about something that is there. */
let stage: Stage
let clients: Record<string, Client>
let sessions: Record<'names' | 'foreign', string[][]>

beforeAll(async () => {
  stage = await openStage()
  const { venue, callers } = stage
  clients = Object.fromEntries(
    Object.entries(callers).map(([name, headers]) => [name, withHeaders(venue.stranger, headers)]),
  )
  const { rows } = await venue.app.database.pool.query<{ id: string; own: boolean }>(
    `select id::text, account_id = $1 as own from credentials where kind = 'session'`,
    [venue.report.account.id],
  )
  const namesOf = (own: boolean) => rows.filter((row) => row.own === own).map(({ id }) => [id])
  sessions = { names: namesOf(true), foreign: namesOf(false) }
}, 60_000)

const guarded = OPERATIONS.filter(({ endpoint }) => endpoint.access.needsCredential)
const writes = guarded.filter(({ endpoint }) => endpoint.access.permission === 'write')
const reads = guarded.filter(({ endpoint }) => endpoint.method === 'GET' && endpoint.access.permission === 'read')

/** Each part of the path by its value, in order. */
const fill = ({ endpoint }: Operation, values: readonly string[]) => {
  const left = [...values]
  return endpoint.path.replace(/:[a-z_]+/g, () => encodeURIComponent(left.shift()!))
}

const ask = ({ endpoint, body }: Operation, client: Client, path: string): Promise<Reply> => {
  const options: AskOptions = body ? { body: body.example ?? {} } : {}
  return client.ask(endpoint.method, path, options)
}

/**
 * The rows of both venues, without what merely being asked leaves behind, be it written down within this test on a slow
 * machine. At the door every try is kept.
 */
const standing = async (): Promise<Record<string, string>> => {
  const { pool } = stage.venue.app.database
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'account_id' and table_name <> 'redemption_attempts' order by 1`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of rows) {
    const kept = name === 'credentials' ? `to_jsonb(x) - 'last_used_at' - 'updated_at'` : 'to_jsonb(x)'
    const sum = await pool.query<{ sum: string }>(
      `select md5(coalesce(string_agg((${kept})::text, ',' order by (${kept})::text), '')) as sum from ${name} x`,
    )
    sums[name] = sum.rows[0]!.sum
  }
  expect(Object.keys(sums).length).toBeGreaterThan(30)
  const noted = await pool.query<{ action: string }>('select action from audit_entries order by account_id, id')
  sums['audit_entries'] = noted.rows.map(({ action }) => action).join('\n')
  return sums
}

const namesFor = ({ family }: Operation, of: 'names' | 'foreign') => {
  const names = family === '' ? [[]] : family === '/admin/sessions/:' ? sessions[of] : stage[of].paths[family]
  expect(names?.length, family).toBeGreaterThan(0)
  return names!
}

const TIME = /"\d{4}-\d\d-\d\dT[^"]*"/g
const UTC = /^"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"$/

/** What belongs to a person, so that the account's own token has none of it. */
const IS_PERSONAL = /^\/admin\/(notifications|push_subscriptions|sessions)\b/

/** Tables, pictures, paper, pages, and what speaks a protocol of its own. */
const IS_NO_JSON = /\.csv$|\/:signed_id$|\/poster$|\/guest_parties\/:public_id\/tickets$|\/preview$|^\/mcp$/

/** The books are for people, and for tokens that may also write. */
const IS_BOOKKEEPING = /^\/admin\/accounting\b/

test('a read token reads every address of its account, as JSON and with every time in UTC', async () => {
  expect(reads.length).toBeGreaterThan(30)
  for (const operation of reads) {
    const { endpoint, name } = operation
    if (IS_NO_JSON.test(endpoint.path)) continue
    if (IS_BOOKKEEPING.test(endpoint.path)) {
      expect((await ask(operation, clients['reader']!, fill(operation, []))).status, name).toBe(401)
      continue
    }
    const replies = await Promise.all(
      namesFor(operation, 'names')
        .slice(0, 6)
        .map((values) => ask(operation, clients['reader']!, fill(operation, values))),
    )
    const statuses = replies.map(({ status }) => status)
    expect(statuses, `${name} ${replies[0]!.text.slice(0, 200)}`).not.toContain(401)
    if (!IS_PERSONAL.test(endpoint.path)) expect(statuses, name).toContain(200)
    for (const { headers, text } of replies) {
      expect(headers.get('content-type'), name).toBe('application/json; charset=utf-8')
      for (const time of text.match(TIME) ?? []) expect(time, name).toMatch(UTC)
    }
  }
}, 60_000)

test('no write takes a read token, even beside the cookie of an owner, and a device none outside of the door', async () => {
  expect(writes.length).toBeGreaterThan(50)
  const before = await standing()
  const besideAnOwner = withHeaders(clients['reader']!, stage.callers['session']!)
  const garbageBesideAnOwner = withHeaders(clients['session']!, { authorization: 'Bearer garbage' })
  expect((await clients['session']!.get('/admin/events')).status).toBe(200)
  for (const operation of writes) {
    const path = fill(operation, namesFor(operation, 'names')[0]!)
    const isDoor = operation.endpoint.path.startsWith('/scanner/')
    const refused = [clients['reader']!, besideAnOwner, garbageBesideAnOwner, ...(isDoor ? [] : [clients['device']!])]
    for (const client of refused) {
      const reply = await ask(operation, client, path)
      expect(reply, operation.name).toRefuse(401)
      expect(Object.keys(reply.body), operation.name).toEqual([isDoor ? 'error' : 'errors'])
    }
  }
  expect(await standing()).toEqual(before)
}, 60_000)

test('a device’s token opens the door and nothing else', async () => {
  for (const operation of guarded) {
    const reply = await ask(operation, clients['device']!, fill(operation, namesFor(operation, 'names')[0]!))
    if (operation.endpoint.path.startsWith('/scanner/')) expect(reply.status, operation.name).not.toBe(401)
    else expect(reply, operation.name).toRefuse(401)
  }
}, 60_000)

/** A name like this one that nobody has. */
const missing = (name: string) =>
  /^\d+$/.test(name) ? '2000000000' : name.replace(/.$/, (last) => (last === 'B' ? 'C' : 'B'))

test('at every address, what another account has answers like what nobody has, and stays as it is', async () => {
  const named = guarded.filter(({ endpoint }) => endpoint.path.replace(':event_slug', '').includes(':'))
  expect(named.length).toBeGreaterThan(50)
  const before = await standing()
  for (const operation of named) {
    // Both venues call their events alike, so the path leads into one's own event before it leads to somebody else's.
    const values = namesFor(operation, 'foreign')[0]!
    const nobodys = values.map((value, n) => (n === values.length - 1 ? missing(value) : value))
    for (const caller of ['office', 'owner', 'co-organizer', 'session']) {
      const [theirs, nothing] = [
        await ask(operation, clients[caller]!, fill(operation, values)),
        await ask(operation, clients[caller]!, fill(operation, nobodys)),
      ]
      const what = `${operation.name} as ${caller}`
      expect([theirs.status, theirs.text], what).toEqual([nothing.status, nothing.text])
      if (caller === 'office') expect(theirs.status, what).toBe(404)
      else expect([401, 403, 404], what).toContain(theirs.status)
    }
  }
  expect(await standing()).toEqual(before)
}, 60_000)
