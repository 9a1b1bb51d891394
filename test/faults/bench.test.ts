import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFolderOfTest } from '../kit/database/folder-of-test.ts'
import { familyOf, isAlive } from '../kit/process/family.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const TIMEOUT_MS = 240_000
const patience = { timeout: 120_000, interval: 50 }

const programOf = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')

/** A bench that is under way: its PostgreSQL is there, and Foyer. */
const startBench = async (TMPDIR: string) => {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['bench/run.ts', 'feed', '--small'], {
    cwd: ROOT,
    env: { PATH, HOME, TMPDIR },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let family: number[] = []
  const isUnderWay = async () => {
    family = await familyOf(child.pid!)
    const programs = (await Promise.all(family.map(programOf))).join('\n')
    return [/postgres -D/, /foyer\.js serve/].map((each) => each.test(programs))
  }
  await expect.poll(isUnderWay, patience).toEqual([true, true])
  onTestFinished(async () => {
    for (const pid of family) if (await isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  const isGone = async () => !(await Promise.all(family.map(isAlive))).some((alive) => alive)
  return { child, ended, isGone }
}

const benchesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('foyer-bench-'))

test('a bench that is interrupted leaves nothing behind', { timeout: TIMEOUT_MS }, async () => {
  const folder = await databaseFolderOfTest('benches')
  const { child, ended, isGone } = await startBench(folder)
  expect(await benchesIn(folder)).toHaveLength(1)
  child.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  expect(await benchesIn(folder)).toEqual([])
  await expect.poll(isGone, patience).toBe(true)
})

test(
  'what a killed bench has left goes when the next one begins, which SIGTERM ends whole',
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = await databaseFolderOfTest('benches')
    const killed = await startBench(folder)
    const [left] = await benchesIn(folder)
    killed.child.kill('SIGKILL')
    await killed.ended
    expect(await killed.isGone()).toBe(false)

    const next = await startBench(folder)
    await expect.poll(killed.isGone, patience).toBe(true)
    expect(await benchesIn(folder)).not.toContain(left)
    next.child.kill('SIGTERM')
    expect(await next.ended).toEqual([143, null])
    expect(await benchesIn(folder)).toEqual([])
    await expect.poll(next.isGone, patience).toBe(true)
  },
)
