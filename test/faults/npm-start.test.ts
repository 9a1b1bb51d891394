import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFolder } from '../kit/database/folders.ts'
import { familyOf, isAlive } from '../kit/process/family.ts'
import { isHealthy } from '../kit/process/foyer-process.ts'
import { freePort } from '../kit/process/free-port.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const STOP_MS = 5_000

/** `npm start` as an operator types it, in a process group of its own, as a terminal or a supervisor would. */
const npmStart = async (shell: string) => {
  const FOYER_DATA = await databaseFolder('npm-start')
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    npm_config_script_shell: shell,
    FOYER_DEMO: '0',
    LOG_LEVEL: 'warn',
    PORT: String(port),
    FOYER_DATA,
  }
  const npm = spawn('npm', ['start'], { cwd: ROOT, env, detached: true, stdio: 'ignore' })
  const ended = once(npm, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  while (!(await isHealthy(`http://127.0.0.1:${port}`))) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    await delay(50)
  }
  const family = await familyOf(npm.pid!)
  onTestFinished(async () => {
    for (const pid of family) if (await isAlive(pid)) process.kill(pid, 'SIGKILL')
    await rm(FOYER_DATA, { recursive: true, force: true })
  })
  return { pid: npm.pid!, ended, family }
}

test.each([
  ['SIGTERM to npm, as a supervisor sends it', '/bin/sh', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['SIGTERM to npm under bash', '/bin/bash', (pid: number) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C in a terminal, which all of them hear', '/bin/sh', (pid: number) => process.kill(-pid, 'SIGINT')],
])(
  'npm start: %s stops the server and the database within five seconds',
  { timeout: 120_000 },
  async (_says, shell, stop) => {
    const { pid, ended, family } = await npmStart(shell)
    // npm, Foyer, and PostgreSQL with its processes.
    expect(family.length).toBeGreaterThan(4)
    const started = performance.now()
    stop(pid)
    expect(await ended).toEqual([0, null])
    while ((await Promise.all(family.map(isAlive))).some((alive) => alive)) {
      expect(performance.now() - started).toBeLessThan(STOP_MS)
      await delay(20)
    }
    expect(performance.now() - started).toBeLessThan(STOP_MS)
  },
)
