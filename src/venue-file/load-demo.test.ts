import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../access/app.ts'
import { verifyPassword } from '../access/passwords.ts'
import { directoryOf } from '../access/shards.ts'
import { digestOf } from '../access/tokens.ts'
import { neueHalle } from '../../test/kit/venue/neue-halle.ts'
import { openTestApp } from '../../test/kit/venue/venue.ts'
import { loadDemoWhenEmpty } from './load-demo.ts'
import { loadVenue } from './load-venue.ts'

const openEmptyApp = async (environment: Record<string, string> = {}) => {
  const running = await openTestApp({ environment })
  onTestFinished(running.close)
  return { ...running, secretsFile: path.join(running.dataFolder, 'demo.json') }
}

const countAccounts = async ({ database }: App) => {
  const { rows } = await database.pool.query<{ n: number }>('select count(*) as n from accounts')
  return rows[0]!.n
}

const callerOf = async (app: App, token: string) =>
  (await app.directory.findCaller({ digest: digestOf(token), eventSlug: 'nordlicht' }))!

test('an empty house gets the demo venue, and its secrets open what the banner says', async () => {
  const { app } = await openEmptyApp()
  const demo = (await loadDemoWhenEmpty(app))!

  expect(demo).toMatchObject({ baseUrl: 'http://localhost:3000', shopUrl: 'http://kaispeicher.localhost:3000' })
  expect(await callerOf(app, demo.readToken)).toMatchObject({
    caller: { credential: { permission: 'read', kind: 'account_token' }, actor: { email: demo.email } },
  })
  expect(await callerOf(app, demo.writeToken)).toMatchObject({ caller: { credential: { permission: 'write' } } })
  expect(await callerOf(app, demo.coOrganizerToken)).toMatchObject({
    caller: { credential: { role: 'co_organizer', permission: 'write' } },
    event: { assigned: true },
  })
  expect(await callerOf(app, demo.deviceToken)).toMatchObject({ caller: { credential: { kind: 'scanner_device' } } })

  const { rows } = await directoryOf(app).pool.query<{ password_digest: string }>(
    'select password_digest from people where email = $1',
    [demo.email],
  )
  expect(await verifyPassword(demo.password, rows[0]!.password_digest)).toBe(true)
})

test('the demo is worth looking at: three events to come, one past, people of every role', async () => {
  const { app } = await openEmptyApp()
  await loadDemoWhenEmpty(app)
  const column = async (statement: string) => {
    const { rows } = await app.database.pool.query<{ it: unknown }>(statement)
    return rows.map((row) => row.it)
  }

  expect(await column('select ends_at < foyer_now() as it from events order by id')).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect((await column('select distinct role as it from memberships')).toSorted()).toEqual([
    'co_organizer',
    'manager',
    'owner',
    'promoter',
    'scanner',
  ])
  expect((await column('select distinct inventory_kind as it from tickets')).toSorted()).toEqual([
    'ga',
    'places',
    'standing',
  ])
  expect(await column('select count(*) as it from tickets where hidden')).toEqual([2])
  expect(await column('select count(*) as it from places where pair_place_id is not null')).toEqual([4])
})

test('later starts print the same secrets, for the owner’s eyes only, and load nothing again', async () => {
  const { app, secretsFile } = await openEmptyApp()
  const first = await loadDemoWhenEmpty(app)
  expect(await loadDemoWhenEmpty(app)).toEqual(first)
  expect(await countAccounts(app)).toBe(1)
  expect((await stat(secretsFile)).mode & 0o777).toBe(0o600)
})

test('every installation has its own secrets', async () => {
  const [one, other] = [await openEmptyApp(), await openEmptyApp()]
  const [first, second] = [await loadDemoWhenEmpty(one.app), await loadDemoWhenEmpty(other.app)]
  for (const key of ['password', 'readToken', 'writeToken', 'coOrganizerToken', 'deviceToken'] as const) {
    expect(first![key]).not.toBe(second![key])
  }
})

test('two processes that find the house empty at once load the demo once and print the same', async () => {
  const { app } = await openEmptyApp()
  const demos = await Promise.all([loadDemoWhenEmpty(app), loadDemoWhenEmpty(app), loadDemoWhenEmpty(app)])
  expect(await countAccounts(app)).toBe(1)
  expect(demos[1]).toEqual(demos[0])
  expect(demos[2]).toEqual(demos[0])
})

test('a process with another data folder finds the demo loaded and no secrets to print', async () => {
  const { app } = await openEmptyApp()
  await loadDemoWhenEmpty(app)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  expect(await loadDemoWhenEmpty({ ...app, settings: { ...app.settings, dataFolder: folder } })).toBeNull()
})

test('secrets whose demo was never committed are replaced, and never shown for another venue', async () => {
  const crashed = await openEmptyApp()
  const stale = JSON.stringify({
    subdomain: 'kaispeicher',
    email: 'henrike@kaispeicher.example',
    password: 'lost',
    readToken: 'lost',
    writeToken: 'lost',
    coOrganizerToken: 'lost',
    deviceToken: 'lost',
  })
  await writeFile(crashed.secretsFile, stale)
  const demo = await loadDemoWhenEmpty(crashed.app)
  expect(demo?.password).not.toBe('lost')
  expect(JSON.parse(await readFile(crashed.secretsFile, 'utf8'))).toMatchObject({ password: demo?.password })

  const filled = await openEmptyApp()
  await loadVenue(filled.app, JSON.stringify(neueHalle('kaispeicher')))
  await writeFile(filled.secretsFile, stale)
  expect(await loadDemoWhenEmpty(filled.app)).toBeNull()
})

test('a house that cannot keep the secrets does not keep the demo either', async () => {
  const { app, dataFolder } = await openEmptyApp()
  const file = path.join(dataFolder, 'not-a-folder')
  await writeFile(file, '')
  await expect(loadDemoWhenEmpty({ ...app, settings: { ...app.settings, dataFolder: file } })).rejects.toThrow(
    /^The data folder .* cannot be written: /,
  )
  expect(await countAccounts(app)).toBe(0)
})

test('there is no demo where it is switched off or a venue lives already', async () => {
  const switchedOff = await openEmptyApp({ FOYER_DEMO: '0' })
  expect(await loadDemoWhenEmpty(switchedOff.app)).toBeNull()
  expect(await countAccounts(switchedOff.app)).toBe(0)

  const livedIn = await openEmptyApp()
  await loadVenue(livedIn.app, JSON.stringify(neueHalle('neue-halle')))
  expect(await loadDemoWhenEmpty(livedIn.app)).toBeNull()
  expect(await countAccounts(livedIn.app)).toBe(1)
})
