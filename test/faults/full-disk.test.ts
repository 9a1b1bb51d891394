import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { openEmbeddedServer } from '../../src/embedded-postgres/server.ts'
import { openClient } from '../kit/venue/client.ts'
import { makeJobsDue } from '../kit/process/jobs.ts'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { isHealthy, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { loadNight, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'
import { openSmallDisk } from '../kit/process/small-disk.ts'
import { announce, bring } from '../kit/venue/uploads.ts'

/** The full run fills it many times. */
const ROUNDS = Number(process.env['FOYER_FAULT_ROUNDS'] ?? 1)
const BACK_WITHIN_MS = 20_000

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)

test(
  'uploads and mails are refused or put off, leave nothing half done, and come right when there is room again',
  { timeout: 180_000 },
  async () => {
    const far = await openFarDatabase('full-disk')
    const disk = openSmallDisk(4)
    const environment = { ...far.environment, ...disk.environment, FOYER_DATA: disk.folder }
    const loaded = await runFoyer(['load', '-'], environment, JSON.stringify(neueHalle('neue-halle')))
    const report = JSON.parse(loaded.stdout)
    const foyer = await startFoyer(environment)
    try {
      const office = openClient(foyer.origin, { token: report.api_tokens['office write'] })
      const bytes = Buffer.alloc(1024 * 1024, 'plan')
      const draft = (await office.post('/admin/task_uploads', announce(bytes, 'plan.pdf', 'application/pdf'))).body
      const bringIt = () => bring(foyer.origin, withOwnPort(draft, foyer.origin), bytes)

      disk.fill(8 * 1024)
      const put = await bringIt()
      expect([put.status, await put.text()]).toEqual([503, expect.stringContaining('storage is temporarily')])
      expect(await listFiles(path.join(disk.folder, 'uploads'))).toEqual([])

      const party = {
        customer_name: 'Ada',
        delivery_email: 'ada@engine.example',
        ticket_id: report.events['winter-ball'].tickets.ga,
      }
      const made = await office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
      expect(made.status).toBe(201)
      const failures = async () =>
        (await far.beside.query('select last_error from lane_jobs where last_error is not null')).rows
      await vi.waitFor(async () => expect(await failures()).not.toEqual([]), { timeout: 45_000, interval: 100 })
      expect(JSON.stringify(await failures())).toContain('ENOSPC')
      expect(await listFiles(path.join(disk.folder, 'outbox'))).toEqual([])

      disk.free()
      await makeJobsDue(far.beside)
      await vi.waitFor(
        async () =>
          expect(await listFiles(path.join(disk.folder, 'outbox'))).toEqual([expect.stringMatching(/\.eml$/)]),
        { timeout: 45_000, interval: 100 },
      )
      expect((await bringIt()).status).toBe(204)
      expect(await listFiles(path.join(disk.folder, 'uploads'))).toHaveLength(1)
      expect(foyer.child.exitCode).toBeNull()
    } finally {
      await foyer.end()
      disk.close()
      await far.close()
    }
  },
)

test(
  'a database without room says so, loses nothing it has acknowledged, and works again when there is room',
  { timeout: 60_000 + ROUNDS * 240_000 },
  async () => {
    const disk = openSmallDisk(160)
    const environment = { ...disk.environment, FOYER_DATA: disk.folder, FOYER_RATE_LIMITS: 'off' }
    const foyer = await startFoyer(environment)
    try {
      const atFirst = await openBeside(disk.folder)
      try {
        await disk.reach(atFirst.client)
      } finally {
        await atFirst.close()
      }
      for (let round = 0; round < ROUNDS; round++) {
        const night = await loadNight(environment, `full-${round}`, 120)
        const headers = { authorization: `Bearer ${night.office}`, 'content-type': 'application/json' }
        const write = (n: number) =>
          fetch(`${foyer.origin}/admin/tasks`, {
            method: 'POST',
            headers: { ...headers, 'idempotency-key': `task-${n}` },
            body: JSON.stringify({ task: { title: `Task ${n}`, description: noise(19_000) } }),
          }).then(async (reply) => [reply.status, await reply.text()] as const)

        const answers = [await write(0), await write(1)]
        expect(answers.map(([status]) => status)).toEqual([201, 201])
        const beside = await openBeside(disk.folder)
        try {
          await forgetTables(disk.folder)
          disk.fill()
          while (answers.filter(([status]) => status === 503).length < 5) {
            answers.push(await write(answers.length))
            expect(answers.length).toBeLessThan(2_000)
          }
          for (const [status, text] of answers.filter(([each]) => each !== 201))
            expect([status, text]).toEqual([503, expect.stringContaining('temporarily unavailable')])

          if (disk.isMounted) await requireRefusedAtOnce(disk.folder)
          // Without room for its log as well it cannot even go on running.
          await (disk.isMounted ? runOutOfLog(beside.client) : panic(beside.client))
        } finally {
          await beside.close()
        }
        // The door meets the same full disk, and goes on asking.
        const scanning = scanAll(() => foyer.origin, night)
        await delay(500)
        disk.free()
        const freedAt = Date.now()
        await vi.waitFor(async () => expect(await isHealthy(foyer.origin)).toBe(true), {
          timeout: BACK_WITHIN_MS,
          interval: 100,
        })
        await scanning.done
        expect(Date.now() - freedAt).toBeLessThan(BACK_WITHIN_MS)
        await requireEverybodyIn(foyer.origin, night, scanning.results)

        for (const n of answers.keys()) expect((await write(n))[0]).toBe(answers[n]![0] === 201 ? 422 : 201)
        const { tasks } = (await (await fetch(`${foyer.origin}/admin/tasks`, { headers })).json()) as {
          tasks: { title: string }[]
        }
        expect(tasks.map(({ title }) => title).toSorted()).toEqual(
          Array.from(answers.keys(), (n) => `Task ${n}`).toSorted(),
        )
      }
      expect(foyer.child.exitCode).toBeNull()
    } finally {
      await foyer.end()
      disk.close()
    }
  },
)

/** A connection of our own to the database that Foyer has started. */
const openBeside = async (folder: string) => {
  const server = await openEmbeddedServer(folder, { role: 'command', name: 'test' })
  const client = new pg.Client(server.connection)
  client.on('error', () => {})
  const close = async () => {
    await client.end().catch(() => {})
    await server.close()
  }
  try {
    await client.connect()
  } catch (error) {
    await close()
    throw error
  }
  return { client, close }
}

const requireRefusedAtOnce = async (folder: string) => {
  const askedAt = Date.now()
  await expect(openBeside(folder)).rejects.toThrow('No space left on device')
  expect(Date.now() - askedAt).toBeLessThan(BACK_WITHIN_MS)
}

/** As after a change of its tables: the next connection writes down anew what they are, or fails to. */
const forgetTables = async (folder: string) => {
  const cluster = path.join(folder, 'postgres')
  const files = await readdir(cluster, { recursive: true })
  const lists = files.filter((file) => path.basename(file) === 'pg_internal.init')
  await Promise.all(lists.map((file) => rm(path.join(cluster, file))))
}

/** Asks for one piece of the write-ahead log after the other, until the server gives up with a panic. */
const runOutOfLog = async (client: pg.Client) => {
  const outcome = await (async () => {
    for (let n = 0; n < 50; n++)
      await client.query(`select pg_switch_wal(), pg_logical_emit_message(true, 'test', repeat('x', 8000))`)
    return 'there was room'
  })().catch((error: Error) => error.message)
  expect(outcome).toMatch(/terminat|No space left|recovery|shut|not queryable/i)
}

/** What a panic is to the server: one of its processes aborts, and all of them start anew from the log. */
const panic = async (client: pg.Client) => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  process.kill(rows[0]!.pid, 'SIGABRT')
  await ended
}

/** Text that cannot be compressed away. */
const noise = (length: number) => Array.from({ length }, () => Math.random().toString(36).slice(2, 3)).join('')

/** The address of an upload is made of BASE_URL, which says another port. */
const withOwnPort = <T extends { direct_upload: { url: string; headers: Record<string, string> } }>(
  draft: T,
  origin: string,
): T => {
  const url = origin + new URL(draft.direct_upload.url).pathname
  return { ...draft, direct_upload: { ...draft.direct_upload, url } }
}
