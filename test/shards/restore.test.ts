import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverBackup } from '../../src/backup/back-up-servers.ts'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'
import { type FurtherServer, openFurtherServer } from '../kit/venue/sharded-app.ts'

const COMMANDS = { timeout: 300_000 }

/** An installation of a first server and further ones, all of them empty. */
const openInstallation = async (name: string, shards: readonly string[]) => {
  const main = await openFarDatabase(`restore-${name}`)
  const others: FurtherServer[] = await Promise.all(shards.map(openFurtherServer))
  const servers = new Map<string, Pick<pg.Pool, 'query'>>([
    ['main', main.beside],
    ...others.map((other): [string, pg.Pool] => [other.name, other.beside]),
  ])
  return {
    environment: {
      ...main.environment,
      FOYER_SHARDS: others.map((other) => `${other.name}=${other.url}`).join(','),
    },
    /** The subdomains on each server. */
    findAccounts: async () => {
      const found: Record<string, string[]> = {}
      for (const [server, pool] of servers) {
        const { rows } = await pool.query<{ subdomain: string }>('select subdomain from accounts order by 1')
        found[server] = rows.map(({ subdomain }) => subdomain)
      }
      return found
    },
    close: async () => {
      for (const other of others) await other.close()
      await main.close()
    },
  }
}

type Installation = Awaited<ReturnType<typeof openInstallation>>

let folder: string
let file: string
let before: Installation
let nights: Night[]
const opened: Installation[] = []

const open = async (name: string, shards: readonly string[]) => {
  const installation = await openInstallation(name, shards)
  opened.push(installation)
  return installation
}

/** A ticket of each night is let in, under the token that its door had before. */
const letIn = async ({ origin }: FoyerProcess, n: number) => {
  const statuses: number[] = []
  for (const { token, tickets } of nights) {
    const reply = await fetch(`${origin}/scanner/events/winter-ball/tickets/${tickets[n]}/redemption`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await reply.arrayBuffer()
    statuses.push(reply.status)
  }
  return statuses
}

const serving = async <T>({ environment }: Installation, work: (foyer: FoyerProcess) => Promise<T>): Promise<T> => {
  const foyer = await startFoyer(environment)
  try {
    return await work(foyer)
  } finally {
    await foyer.end()
  }
}

const restore = ({ environment }: Installation, archive = file) => runFoyer(['restore', archive], environment)

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-test-'))
  file = path.join(folder, 'backup.tar.gz')
  before = await open('before', ['two'])
  nights = [
    await loadNight(before.environment, 'restored-main', 6),
    await loadNight(before.environment, 'restored-two', 6, ['--shard', 'two']),
  ]
  await serving(before, async (foyer) => {
    expect(await letIn(foyer, 0)).toEqual([200, 200])
    expect(await runFoyer(['backup', file], before.environment)).toMatchObject({ code: 0, stderr: '' })
  })
}, 300_000)

afterAll(async () => {
  for (const installation of opened) await installation.close()
  await rm(folder, { recursive: true, force: true })
})

test('a backup of two servers comes back on two others, and doors go on where they were', COMMANDS, async () => {
  const after = await open('after', ['two'])
  const { code, stdout, stderr } = await restore(after)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^Restored .+\nRestored .+ of the shard two of .+\nThe audit found nothing\.\n$/)
  expect(await after.findAccounts()).toEqual({ main: ['restored-main'], two: ['restored-two'] })
  await serving(after, async (foyer) => {
    // Who was in is in, and who was not is let in.
    expect(await letIn(foyer, 0)).toEqual([422, 422])
    expect(await letIn(foyer, 1)).toEqual([200, 200])
  })
  const again = await restore(after)
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('This installation is in use')])
})

test('a server that the backup did not know begins empty, and accounts move there', COMMANDS, async () => {
  const after = await open('more', ['two', 'three'])
  expect(await restore(after)).toMatchObject({ code: 0, stderr: '' })
  expect(await after.findAccounts()).toEqual({ main: ['restored-main'], two: ['restored-two'], three: [] })
  const moved = await runFoyer(['account', 'move', 'restored-two', '--to', 'three'], after.environment)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(await after.findAccounts()).toEqual({ main: ['restored-main'], two: [], three: ['restored-two'] })
  expect(await runFoyer(['audit'], after.environment)).toMatchObject({ code: 0, stdout: '' })
})

test(
  'into one server alone it is refused, and by way of a second database everything comes to one',
  COMMANDS,
  async () => {
    const after = await open('one', ['two'])
    const alone = { environment: { ...after.environment, FOYER_SHARDS: '' } }
    const refused = await runFoyer(['restore', file], alone.environment)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^The backup has accounts on the shards two, which FOYER_SHARDS does not name\..+\n$/),
    ])
    expect(await after.findAccounts()).toEqual({ main: [], two: [] })

    expect(await restore(after)).toMatchObject({ code: 0, stderr: '' })
    expect(await runFoyer(['account', 'move', 'restored-two', '--to', 'main'], after.environment)).toMatchObject({
      code: 0,
      stderr: '',
    })
    expect(await after.findAccounts()).toEqual({ main: ['restored-main', 'restored-two'], two: [] })
    await serving({ ...after, ...alone }, async (foyer) => {
      expect(await letIn(foyer, 0)).toEqual([422, 422])
      expect(await letIn(foyer, 1)).toEqual([200, 200])
    })
    // What was one server by then is one archive, and comes back on one.
    const whole = path.join(folder, 'whole.tar.gz')
    expect(await runFoyer(['backup', whole], alone.environment)).toMatchObject({ code: 0, stderr: '' })
    const last = await open('last', [])
    expect(await restore(last, whole)).toMatchObject({ code: 0, stderr: '' })
    expect(await last.findAccounts()).toEqual({ main: ['restored-main', 'restored-two'] })
  },
)

test(
  'an archive that is missing, damaged, of another backup or of the wrong server leaves every server empty',
  COMMANDS,
  async () => {
    const after = await open('refused', ['two'])
    const copy = path.join(folder, 'copy.tar.gz')
    await copyFile(file, copy)
    const refuse = async (archive: string, sentence: RegExp) => {
      const { code, stderr } = await restore(after, archive)
      expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)])
      expect(await after.findAccounts()).toEqual({ main: [], two: [] })
    }
    await refuse(copy, /^The archive .+copy\.tar\.gz\.two cannot be read: .+\n$/)

    const bytes = await readFile(serverBackup(file, 'two'))
    await writeFile(serverBackup(copy, 'two'), bytes.subarray(0, bytes.length / 2))
    await refuse(copy, /^The archive .+copy\.tar\.gz\.two is damaged or cut off: .+\n$/)

    const later = path.join(folder, 'later.tar.gz')
    expect(await runFoyer(['backup', later], before.environment)).toMatchObject({ code: 0, stderr: '' })
    await copyFile(serverBackup(later, 'two'), serverBackup(copy, 'two'))
    await refuse(copy, /^The archive .+copy\.tar\.gz\.two is not of the same backup as .+copy\.tar\.gz\.\n$/)

    await refuse(
      serverBackup(file, 'two'),
      /^The archive .+ is that of the shard "two"; give the one of the first server/,
    )
    expect(await restore(after)).toMatchObject({ code: 0, stderr: '' })
  },
)

test('a backup of one server comes back on the first of several, and the others begin empty', COMMANDS, async () => {
  const single = await open('single', [])
  await loadNight(single.environment, 'restored-single', 2)
  const archive = path.join(folder, 'single.tar.gz')
  expect(await runFoyer(['backup', archive], single.environment)).toMatchObject({ code: 0, stderr: '' })
  const after = await open('several', ['two'])
  expect(await restore(after, archive)).toMatchObject({ code: 0, stderr: '' })
  expect(await after.findAccounts()).toEqual({ main: ['restored-single'], two: [] })
})
