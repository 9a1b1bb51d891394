import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { databaseFolder } from '../test/kit/database/folders.ts'
import { isHealthy } from '../test/kit/process/foyer-process.ts'
import { freePort } from '../test/kit/process/free-port.ts'
import { type Bench, type Figure, percentile, round } from './frame.ts'

const ROUNDS = 3

/** As a newcomer starts it: `npm start` with a data folder that is not there yet, and then again. */
export async function* measure({ small, folder: home }: Bench): AsyncGenerator<Figure> {
  const first: number[] = []
  const later: number[] = []
  for (let round = 0; round < (small ? 1 : ROUNDS); round++) {
    const folder = await databaseFolder('start', home)
    const data = path.join(folder, 'data')
    first.push(await secondsToHealthy(data))
    later.push(await secondsToHealthy(data))
    await rm(folder, { recursive: true, force: true })
  }
  yield figureOf('npm start to healthy, the first time', percentile(first, 0.5), 5)
  yield figureOf('npm start to healthy, later', percentile(later, 0.5), 2)
}

const figureOf = (what: string, seconds: number, most: number): Figure => ({
  id: 'P13',
  what,
  figure: round(seconds, 2),
  unit: 's',
  target: `≤ ${most} s`,
  isMet: seconds <= most,
})

const secondsToHealthy = async (data: string) => {
  const port = await freePort()
  const started = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, FOYER_DATA: data, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: 'ignore',
    // A group of its own, so that the signal reaches Foyer and not only npm.
    detached: true,
  })
  while (!(await isHealthy(`http://127.0.0.1:${port}`))) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - started) / 1000
  process.kill(-npm.pid!, 'SIGTERM')
  // npm leaves first; the folder is Foyer's until the last of them is gone.
  while (isRunning(-npm.pid!)) await new Promise((resolve) => setTimeout(resolve, 10))
  return seconds
}

const isRunning = (group: number) => {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}
