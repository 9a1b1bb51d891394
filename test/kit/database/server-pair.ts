import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type pg from 'pg'
import { findUsableBinaries } from '../../../src/embedded-postgres/binaries.ts'
import { familyOf, killIfThere } from '../process/family.ts'
import { freePort } from '../process/free-port.ts'
import { FOLDER_PREFIX, removeWithProcess } from './left-behind.ts'
import { withClient } from './template.ts'

const run = promisify(execFile)

const USER = 'foyer'
const DATABASE = 'foyer'

/** A process that is killed loses nothing of what the kernel was given, so nothing is forced to the disk. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '120',
  shared_buffers: '64MB',
  wal_level: 'replica',
  wal_keep_size: '256MB',
  autovacuum: 'off',
  jit: 'off',
  timezone: 'UTC',
}

export interface PairedServer {
  name: string
  port: number
  /** What it shows to whoever asks for TLS, and whom to trust for that; empty where it speaks none. */
  certificate: string
  /** Of the process that all others of it come from. */
  pid(): number
  /** Ends it as a power cut does: every process of it at once, without a word. */
  kill(): Promise<void>
  /** Lets none of its processes do anything, as a machine that hangs. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  start(): Promise<void>
  ask<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<Row[]>
}

export interface ServerPair {
  primary: PairedServer
  standby: PairedServer
  /** Both, of which the one that takes writes is to be found. */
  url: string
  urlOf(server: PairedServer): string
  promote(): Promise<void>
  stop(): Promise<void>
}

interface PairOptions {
  /** Whether nothing is told as written before it is on both servers. */
  isSynchronous: boolean
  /** The name that the certificate of each bears, like `DNS:localhost`; without names they speak no TLS. */
  certifiedNames?: Record<'first' | 'second', string>
}

/** Two PostgreSQL servers, the second of which follows the first by streaming replication. */
export const startServerPair = async ({ isSynchronous, certifiedNames }: PairOptions): Promise<ServerPair> => {
  const { binFolder, uid, gid } = await findUsableBinaries()
  const folder = await mkdtemp(path.join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  const letBe = removeWithProcess(folder)
  const identity = uid === null || gid === null ? {} : { uid, gid }
  if (uid !== null && gid !== null) await chown(folder, uid, gid)
  const as = { cwd: folder, ...identity }
  const running = new Set<ChildProcess>()

  const serverIn = async (name: 'first' | 'second'): Promise<PairedServer> => {
    const port = await freePort()
    const data = path.join(folder, name)
    const [certificate, key] = certifiedNames
      ? await certify(folder, name, certifiedNames[name], { uid, gid })
      : (['', ''] as const)
    const tls = certifiedNames && { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key }
    let server: ChildProcess | undefined
    const connection = { host: '127.0.0.1', port, user: USER }
    const signal = async (signalName: NodeJS.Signals) => {
      for (const pid of await familyOf(server!.pid!)) killIfThere(pid, signalName)
    }
    return {
      name,
      port,
      certificate,
      pid: () => server!.pid!,
      start: async () => {
        const settings = Object.entries({ ...SETTINGS, ...tls, port: String(port), cluster_name: name })
        const args = ['-D', data, ...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`])]
        server = spawn(path.join(binFolder, 'postgres'), args, { stdio: ['ignore', 'ignore', 'pipe'], ...as })
        const child = server
        running.add(child)
        child.once('exit', () => running.delete(child))
        await untilReady(child)
      },
      kill: async () => {
        const ended = once(server!, 'exit')
        await signal('SIGKILL')
        await ended
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      ask: <Row extends pg.QueryResultRow>(statement: string, database = 'postgres') =>
        withClient({ ...connection, database }, async (client) => (await client.query<Row>(statement)).rows),
    }
  }

  const [primary, standby] = [await serverIn('first'), await serverIn('second')]
  const stop = async () => {
    letBe()
    for (const child of running) {
      const ended = once(child, 'exit')
      killIfThere(child.pid!, 'SIGCONT')
      child.kill('SIGQUIT')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const first = path.join(folder, 'first')
    const second = path.join(folder, 'second')
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
    await run(path.join(binFolder, 'initdb'), ['-D', first, '-U', USER, '-A', 'trust', '--no-sync', ...locale], as)
    // A server that has never run is copied by copying its files.
    await run('cp', ['-a', first, second], as)
    await writeFile(path.join(second, 'standby.signal'), '')
    await appendFile(
      path.join(second, 'postgresql.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${USER} application_name=second'\n`,
    )
    await appendFile(
      path.join(first, 'postgresql.conf'),
      isSynchronous ? "synchronous_standby_names = 'second'\n" : '\n',
    )
    await Promise.all([primary.start(), standby.start()])
    await until(async () => {
      const [row] = await primary.ask('select from pg_stat_replication where state = $$streaming$$')
      if (!row) throw new Error('The second server does not follow the first')
    })
    await primary.ask(`create database ${DATABASE}`)
    await until(() => standby.ask('select', DATABASE))
  } catch (error) {
    await stop()
    throw error
  }

  const urlOf = ({ port }: PairedServer) => `postgres://${USER}@127.0.0.1:${port}/${DATABASE}`
  return {
    primary,
    standby,
    url: `postgres://${USER}@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/${DATABASE}?target_session_attrs=read-write`,
    urlOf,
    promote: async () => void (await standby.ask('select pg_promote(true)')),
    stop,
  }
}

/** A certificate that signs itself, in files that the server may read. */
const certify = async (
  folder: string,
  name: string,
  bearer: string,
  { uid, gid }: { uid: number | null; gid: number | null },
) => {
  const [certificate, key] = [path.join(folder, `${name}.crt`), path.join(folder, `${name}.key`)]
  const kind = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=Foyer',
  ]
  const files = ['-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', ...kind, '-addext', `subjectAltName=${bearer}`, ...files])
  if (uid !== null && gid !== null) for (const file of [certificate, key]) await chown(file, uid, gid)
  return [certificate, key] as const
}

const PATIENCE_MS = 30_000

/** Tries again what happens in other processes, where there is no event to wait for. */
const until = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(20)
    }
  }
}

const untilReady = (server: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    const said: string[] = []
    createInterface({ input: server.stderr! }).on('line', (line) => {
      said.push(line)
      if (said.length > 50) said.shift()
      if (/ready to accept (read-only )?connections/.test(line)) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`A database server ended with ${code}:\n${said.join('\n')}`)))
  })
