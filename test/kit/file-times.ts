import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'

/** FOYER_TIMES names a file that is told, line by line, what each test file took. */
const FILE = process.env['FOYER_TIMES']

const TICKS_PER_SECOND = 100

/** What the processes that this one has started and seen the end of have computed, in seconds. */
const childrenCpu = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

const spent = () => ({ at: performance.now() / 1_000, own: process.cpuUsage(), children: childrenCpu() })

if (FILE) {
  const before = spent()
  afterAll(() => {
    const after = spent()
    const { user, system } = process.cpuUsage(before.own)
    const times = {
      file: expect.getState().testPath?.slice(process.cwd().length + 1),
      seconds: after.at - before.at,
      cpu: (user + system) / 1_000_000,
      children: after.children - before.children,
      pid: process.pid,
      rss: process.memoryUsage.rss(),
    }
    appendFileSync(FILE, `${JSON.stringify(times)}\n`)
  })
}
