import { readFile, stat } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { databaseFolderOfTest } from '../kit/database/folder-of-test.ts'
import { startFoyer } from '../kit/process/foyer-process.ts'

test(
  'SIGTERM stops the database and exits 0 within five seconds, idle connections or not',
  { timeout: 120_000 },
  async () => {
    const FOYER_DATA = await databaseFolderOfTest('server')
    const foyer = await startFoyer({ FOYER_DATA })
    const idle = net.connect(Number(new URL(foyer.origin).port), '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))

    const started = Date.now()
    expect(await foyer.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' })
    expect(Date.now() - started).toBeLessThan(5000)
    await expect(stat(path.join(FOYER_DATA, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
    idle.destroy()
  },
)

test(
  'while the database is gone requests get 503, and the server recovers by itself',
  { timeout: 120_000 },
  async () => {
    const FOYER_DATA = await databaseFolderOfTest('server')
    const foyer = await startFoyer({ FOYER_DATA })
    const pid = Number((await readFile(path.join(FOYER_DATA, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

    const answers = new Set<number>()
    process.kill(pid, 'SIGKILL')
    const killed = Date.now()
    let healthySince = 0
    // Connections that are open may answer for a moment after the kill: it is back only once it was gone.
    while (Date.now() - killed < 5000 && !(answers.has(503) && healthySince === 20)) {
      const { status, headers } = await fetch(`${foyer.origin}/healthz`)
      answers.add(status)
      if (status === 503) expect(headers.get('retry-after')).toBe('2')
      healthySince = status === 200 && answers.has(503) ? healthySince + 1 : 0
    }
    expect(healthySince).toBe(20)
    expect([...answers].toSorted()).toEqual([200, 503])
    expect(foyer.child.exitCode).toBeNull()
    expect((await foyer.end()).code).toBe(0)
  },
)
