import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type PairedServer, type ServerPair, startServerPair } from '../kit/database/server-pair.ts'
import { runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'

const TIMEOUT = { timeout: 300_000 }
const PATIENCE = { timeout: 30_000, interval: 50 }
const TICKETS = 80

let folder: string
/** Each under its own name: the first is known as localhost, the second by its address. */
let pair: ServerPair
/** Whom to trust: both of them, or somebody else. */
let [ours, theirs] = ['', '']
let nights: Night[]

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-test-'))
  pair = await startServerPair({
    isSynchronous: true,
    certifiedNames: { first: 'DNS:localhost', second: 'IP:127.0.0.1' },
  })
  await pair.primary.ask('create database two')
  ours = path.join(folder, 'ours.crt')
  theirs = path.join(folder, 'theirs.crt')
  const certificates = await Promise.all([pair.primary, pair.standby].map((each) => readFile(each.certificate, 'utf8')))
  await writeFile(ours, certificates.join(''))
  const other = await startServerPair({
    isSynchronous: false,
    certifiedNames: { first: 'DNS:localhost', second: 'IP:127.0.0.1' },
  })
  await writeFile(theirs, await readFile(other.primary.certificate, 'utf8'))
  await other.stop()
}, 60_000)

afterAll(async () => {
  await pair.stop()
  await rm(folder, { recursive: true, force: true })
})

const bothHosts = () => `localhost:${pair.primary.port},127.0.0.1:${pair.standby.port}`

const urlOf = (hosts: string, database: string, trusted: string) =>
  `postgres://foyer@${hosts}/${database}?sslmode=verify-full&sslrootcert=${trusted}`

const writing = (url: string) => `${url}&target_session_attrs=read-write`

const environmentOf = (main: string, two: string, data = 'data') => ({
  FOYER_DATA: path.join(folder, data),
  FOYER_RATE_LIMITS: 'off',
  DATABASE_URL: main,
  FOYER_SHARDS: `two=${two}`,
})

/**
 * How many connections of Foyer each database has, and how many of them anybody could listen to. One that is just being
 * opened has no database yet.
 */
const countConnections = (server: PairedServer) =>
  server.ask<{ database: string; open: number; all: number }>(
    `select datname::text as database, count(*)::int as all, (count(*) filter (where not ssl))::int as open
     from pg_stat_activity join pg_stat_ssl using (pid)
     where application_name ~ '^foyer' and backend_type = 'client backend' and datname is not null
     group by 1 order by 1`,
  )

const tell = async (environment: Record<string, string>, command = ['audit']) => {
  const { code, stderr } = await runFoyer(command, environment)
  return { code, stderr }
}

test('every connection to every host is sealed, and each host is known by its own name', TIMEOUT, async () => {
  const environment = environmentOf(
    writing(urlOf(bothHosts(), 'foyer', ours)),
    writing(urlOf(bothHosts(), 'two', ours)),
  )
  nights = [
    await loadNight(environment, 'sealed-main', 2),
    await loadNight(environment, 'sealed-two', TICKETS, ['--shard', 'two']),
  ]
  const foyer = await startFoyer(environment)
  try {
    const scanning = scanAll(() => foyer.origin, nights[1]!)
    await progressed(scanning, 20)
    expect(await countConnections(pair.primary)).toEqual([
      { database: 'foyer', open: 0, all: expect.any(Number) },
      { database: 'two', open: 0, all: expect.any(Number) },
    ])

    await pair.primary.kill()
    await pair.promote()
    await scanning.done
    await requireEverybodyIn(foyer.origin, nights[1]!, scanning.results)
    // Those that only listen, or wait for work, come back in their own time.
    const found = await vi.waitFor(async () => {
      const counts = await countConnections(pair.standby)
      expect(counts.map(({ database }) => database)).toEqual(['foyer', 'two'])
      return counts
    }, PATIENCE)
    expect(found).toEqual([
      { database: 'foyer', open: 0, all: expect.any(Number) },
      { database: 'two', open: 0, all: expect.any(Number) },
    ])
  } finally {
    await foyer.end()
  }
  expect(await tell(environment)).toMatchObject({ code: 0 })
})

test('one host alone is checked as well, be it known by a name or by its address', TIMEOUT, async () => {
  // The second has taken over above; what bears its address is trusted under its address only.
  const at = (host: string) => `${host}:${pair.standby.port}`
  const alone = (host: string) => environmentOf(urlOf(at(host), 'foyer', ours), urlOf(at(host), 'two', ours))
  expect(await tell(alone('127.0.0.1'))).toEqual({ code: 0, stderr: '' })
  const otherwise = await tell(alone('localhost'))
  expect(otherwise.code).toBe(1)
  expect(otherwise.stderr).toMatch(/^The database of DATABASE_URL does not answer: .*altnames.*localhost.*\n$/)
})

test('who cannot be trusted is refused in one sentence, with the reason', TIMEOUT, async () => {
  const at = `127.0.0.1:${pair.standby.port}`
  const [good, bad] = [ours, theirs].map((trusted) => urlOf(at, 'foyer', trusted)) as [string, string]
  const [goodTwo, badTwo] = [ours, theirs].map((trusted) => urlOf(at, 'two', trusted)) as [string, string]
  const UNTRUSTED = '(self-signed certificate|unable to verify).*'

  for (const url of [bad, writing(bad)]) {
    const { code, stderr } = await tell(environmentOf(url, goodTwo))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^The database of DATABASE_URL does not answer: .*${UNTRUSTED}\\n$`)),
    ])
  }
  for (const url of [badTwo, writing(badTwo)]) {
    const { code, stderr } = await tell(environmentOf(good, url), ['migrate'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^The server of FOYER_SHARDS for "two" does not answer: .*${UNTRUSTED}\\n$`)),
    ])
  }
  const audit = await tell({ ...environmentOf(good, badTwo), LOG_LEVEL: 'error' })
  expect([audit.code, audit.stderr]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^A database server does not answer: .*${UNTRUSTED}\\n$`)),
  ])
})

test(
  'while a shard cannot be trusted its accounts are told to come again, and all others are served',
  TIMEOUT,
  async () => {
    const at = `127.0.0.1:${pair.standby.port}`
    const environment = environmentOf(urlOf(at, 'foyer', ours), urlOf(at, 'two', theirs))
    const foyer = await startFoyer(environment)
    try {
      const statusOf = async ({ office }: Night) =>
        (await fetch(`${foyer.origin}/admin/events`, { headers: { authorization: `Bearer ${office}` } })).status
      expect([await statusOf(nights[0]!), await statusOf(nights[1]!)]).toEqual([200, 503])
      // What it writes comes by another way than what it answers.
      await vi.waitFor(() => expect(foyer.said().stderr).toContain('a shard is away'), PATIENCE)
      expect(foyer.said().stderr).toMatch(/self-signed certificate|unable to verify/)
    } finally {
      await foyer.end()
    }
  },
)

test('a certificate that is not there, and a server without TLS, are told of as well', TIMEOUT, async () => {
  const at = `127.0.0.1:${pair.standby.port}`
  const absent = path.join(folder, 'absent.crt')
  const [main, two] = [urlOf(at, 'foyer', ours), urlOf(at, 'two', ours)]
  expect(await tell(environmentOf(urlOf(at, 'foyer', absent), two))).toEqual({
    code: 1,
    stderr: `The file ${absent} of sslrootcert in DATABASE_URL cannot be read.\n`,
  })
  expect(await tell(environmentOf(main, urlOf(at, 'two', absent)))).toEqual({
    code: 1,
    stderr: `The file ${absent} of sslrootcert in FOYER_SHARDS for "two" cannot be read.\n`,
  })

  const far = await openFarDatabase('no-tls')
  try {
    const url = `${far.urlAt(far.proxy)}?sslmode=verify-full&sslrootcert=${ours}`
    expect(await tell({ ...far.environment, DATABASE_URL: url })).toEqual({
      code: 1,
      stderr: 'The database of DATABASE_URL does not answer: The server does not support SSL connections.\n',
    })
  } finally {
    await far.close()
  }
})
