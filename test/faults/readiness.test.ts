import { rm } from 'node:fs/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { MIGRATION_LOCK } from '../../src/database/migrate.ts'
import { createDatabase } from '../kit/database/database.ts'
import { openDatabaseWire, openFarDatabase } from '../kit/database/far-database.ts'
import { databaseFolder } from '../kit/database/folders.ts'
import { startFoyer } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'

const SOON = { timeout: 30_000, interval: 20 }

const statusOf = async (origin: string, path: string) => (await fetch(origin + path)).status

test('nobody is sent to a Foyer whose database is still being migrated', { timeout: 120_000 }, async () => {
  const database = await createDatabase()
  const wire = await openDatabaseWire()
  const FOYER_DATA = await databaseFolder('readiness')
  const beside = new pg.Client(database.connection)
  await beside.connect()
  await beside.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])

  const PORT = String(await freePort())
  const origin = `http://127.0.0.1:${PORT}`
  const DATABASE_URL = `postgres://${database.connection.user}@127.0.0.1:${wire.port}/${database.connection.database}`
  const starting = startFoyer({ PORT, FOYER_DATA, DATABASE_URL })
  try {
    await vi.waitFor(async () => expect(await statusOf(origin, '/readyz')).toBe(503), SOON)
    const refused = await fetch(`${origin}/admin/events`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await refused.json()).toEqual({ errors: { base: ['Foyer is starting'] } })
    expect(await statusOf(origin, '/healthz')).toBe(503)
  } finally {
    await beside.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK])
  }

  const foyer = await starting
  const ready = await fetch(`${origin}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }])
  expect((await foyer.end()).code).toBe(0)
  await beside.end()
  await wire.close()
  await database.drop()
  await rm(FOYER_DATA, { recursive: true, force: true })
})

test('while it stops it says so and still answers, for as long as it was told to', { timeout: 120_000 }, async () => {
  const far = await openFarDatabase('readiness')
  const foyer = await startFoyer({ ...far.environment, FOYER_STOP_DELAY: '6' })
  expect(await statusOf(foyer.origin, '/readyz')).toBe(200)
  let hasEnded = false
  const startedAt = performance.now()
  const ended = foyer.end('SIGTERM').then((outcome) => {
    hasEnded = true
    return outcome
  })

  await vi.waitFor(async () => expect(await statusOf(foyer.origin, '/readyz')).toBe(503), SOON)
  expect(await statusOf(foyer.origin, '/healthz')).toBe(200)
  expect(await statusOf(foyer.origin, '/admin/events')).toBe(401)
  expect(hasEnded).toBe(false)

  expect(await ended).toMatchObject({ code: 0, stderr: '' })
  expect(performance.now() - startedAt).toBeGreaterThan(5_900)
  await far.close()
})

test('nobody is sent to a Foyer whose database is away, and it is found again', { timeout: 120_000 }, async () => {
  const far = await openFarDatabase('readiness')
  const foyer = await startFoyer(far.environment)
  far.proxy.refuse()
  await vi.waitFor(async () => expect(await statusOf(foyer.origin, '/readyz')).toBe(503), SOON)
  far.proxy.mend()
  await vi.waitFor(async () => expect(await statusOf(foyer.origin, '/readyz')).toBe(200), SOON)
  expect((await foyer.end()).code).toBe(0)
  await far.close()
})
