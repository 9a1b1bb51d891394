import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { beforeAll } from 'vitest'
import { findPostmaster, killPostmaster } from '../../../src/embedded-postgres/postmaster.ts'
import { openEmbeddedServer } from '../../../src/embedded-postgres/server.ts'
import type { EmbeddedServer } from '../../../src/embedded-postgres/server.ts'

export const isRoot = process.getuid?.() === 0
/** Whatever a killed process has started may still write for a moment. */
const REMOVED = { recursive: true, force: true, maxRetries: 10 }

let street = ''
let template = ''

/** Makes the data folder that others of this test file are copied from. */
export const prepareDataFolders = () =>
  beforeAll(async () => {
    street = mkdtempSync(path.join(tmpdir(), 'foyer-embedded-'))
    chmodSync(street, 0o711)
    template = path.join(street, 'template')
    const server = await openEmbeddedServer(template, { role: 'command', name: 'template' })
    await server.close()
    return () => rmSync(street, REMOVED)
  })

/** A folder of its own for every test, and an end to whatever the test leaves behind. */
export const makeDataFolders = (onTestFinished: (work: () => Promise<void>) => void) => {
  const root = mkdtempSync(path.join(street, 'venue-'))
  chmodSync(root, 0o711)
  const folders: string[] = []
  const holders: ChildProcess[] = []

  const emptyFolder = (...names: string[]) => {
    const folder = path.join(root, ...names, 'data')
    folders.push(folder)
    return folder
  }

  /** A data folder that was used before and closed in good order. */
  const usedFolder = (...names: string[]) => {
    const folder = emptyFolder(...names)
    mkdirSync(path.dirname(folder), { recursive: true, mode: 0o711 })
    execFileSync('cp', ['-a', template, folder])
    return folder
  }

  const startHolder = (folder: string, role: 'serve' | 'command', uid?: number) => {
    const script = path.join(import.meta.dirname, '../../faults/embedded-holder.ts')
    const child = spawn(process.execPath, [script, folder, role, ...(uid ? [String(uid)] : [])], { cwd: '/' })
    holders.push(child)
    const complaint = text(child.stderr)
    const opened = (async () => {
      for await (const chunk of child.stdout) {
        return { connection: JSON.parse(String(chunk)) as EmbeddedServer['connection'] }
      }
      throw new Error(`The holder did not open: ${await complaint}`)
    })()
    opened.catch(() => {})
    const exit = once(child, 'exit')
    const killed = async () => {
      child.kill('SIGKILL')
      await exit
    }
    const closed = async () => {
      child.stdin.end()
      return (await exit)[0] as number
    }
    return { opened, complaint, killed, closed, pid: child.pid }
  }

  onTestFinished(async () => {
    for (const holder of holders) holder.kill('SIGKILL')
    for (const folder of folders) {
      const cluster = path.join(folder, 'postgres')
      if (!existsSync(cluster)) continue
      const postmaster = await findPostmaster(cluster)
      if (postmaster) await killPostmaster(cluster, postmaster)
      rmSync(realpathSync(cluster), REMOVED)
    }
    rmSync(root, REMOVED)
  })

  return { emptyFolder, usedFolder, startHolder }
}

export const open = (
  folder: string,
  options: { role?: 'serve' | 'command'; onTrouble?: (message: string) => void } = {},
) => openEmbeddedServer(folder, { role: 'command', name: 'test', ...options })

export const ask = async (server: Pick<EmbeddedServer, 'connection'>, sql: string) => {
  const client = new Client(server.connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values((await client.query(sql)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

export const systemIdentifier = 'select system_identifier from pg_control_system()'

export const postmasterOf = (folder: string) => findPostmaster(path.join(folder, 'postgres'))

/** Polls what happens in other processes, where there is no event to wait for. */
export const within = async <T>(milliseconds: number, attempt: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + milliseconds
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(25)
    }
  }
}
