import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  ask,
  makeDataFolders,
  open,
  postmasterOf,
  prepareDataFolders,
  systemIdentifier,
  within,
} from '../kit/process/embedded-postgres.ts'

prepareDataFolders()

test('the first start makes the database, a later one finds it again', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  const first = await open(folder)
  await ask(first, 'create table kept as select 42 as number')
  const made = await ask(first, systemIdentifier)
  expect(
    await ask(first, "select current_setting('data_checksums') || ' ' || current_setting('server_encoding')"),
  ).toBe('on UTF8')
  await first.close()
  expect(await postmasterOf(folder)).toBeNull()

  const later = await open(folder)
  expect(await ask(later, 'select number from kept')).toBe(42)
  expect(await ask(later, systemIdentifier)).toBe(made)
  await later.close()
})

test('two processes that start at once in an empty folder share one database', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  const holder = app.startHolder(folder, 'serve')
  const [server, other] = await Promise.all([open(folder), holder.opened])

  expect(await ask(server, systemIdentifier)).toBe(await ask(other, systemIdentifier))
  expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
  await server.close()
})

test('a first start that is killed half way leaves nothing in the way of the next', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  const holder = app.startHolder(folder, 'serve')
  await within(30_000, async () => {
    const workshop = readdirSync(folder).find((name) => name.startsWith('postgres-new-')) ?? ''
    if (!existsSync(path.join(folder, workshop, 'cluster', 'base'))) throw new Error('The workshop is still empty')
  })
  await holder.killed()
  expect(existsSync(path.join(folder, 'postgres'))).toBe(false)

  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)
  expect(readdirSync(folder).toSorted()).toEqual(['postgres', 'postgres-password', 'postgres.log'])
  await server.close()
})

test('when Foyer and the whole server are killed, the next start brings everything back', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const holder = app.startHolder(folder, 'serve')
  const server = await holder.opened
  await ask(server, 'create table kept as select 42 as number')
  const postmaster = await postmasterOf(folder)
  const busy = ask(server, 'select pg_sleep(60)').catch(() => 'lost')
  await holder.killed()
  process.kill(postmaster?.pid ?? 0, 'SIGKILL')

  const next = await open(folder)
  expect(await ask(next, 'select number from kept')).toBe(42)
  expect((await postmasterOf(folder))?.pid).not.toBe(postmaster?.pid)
  expect(await busy).toBe('lost')
  await next.close()
})

test('a lock file whose process number now belongs to somebody else is in nobody’s way', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const stale = [process.pid, path.join(folder, 'postgres'), '1700000000', '5432', '.', '', '1 1', 'ready', ''].join(
    '\n',
  )
  writeFileSync(path.join(folder, 'postgres', 'postmaster.pid'), stale)

  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)
  await server.close()
})

test('commands come and go beside a server, and the last one out stops the database', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const serving = app.startHolder(folder, 'serve')
  await serving.opened
  const command = await open(folder)
  const passing = await open(folder)
  await passing.close()
  expect(await ask(command, 'select 1')).toBe(1)

  expect(await serving.closed()).toBe(0)
  expect(await ask(command, 'select 1')).toBe(1)

  await command.close()
  expect(await postmasterOf(folder)).toBeNull()
})

test('whoever comes while the last one is leaving finds a running database', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  for (let round = 0; round < 5; round++) {
    const leaving = await open(folder)
    const [server] = await Promise.all([open(folder), leaving.close()])
    expect(await ask(server, 'select 1')).toBe(1)
    await server.close()
  }
})
