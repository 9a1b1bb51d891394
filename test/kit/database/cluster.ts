import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { findUsableBinaries } from '../../../src/embedded-postgres/binaries.ts'
import { FOLDER_PREFIX, removeWithProcess, sweepLeftBehind } from './left-behind.ts'

export interface Cluster {
  /** The folder of the unix socket: what pg takes as a host. */
  host: string
  user: string
  /** Ends the server as a crash does, without a word to its clients. */
  crash(): Promise<void>
  /** Starts it again after a crash. */
  comeBack(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** Nothing here outlives the run, so nothing is made safe against a power cut. */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_size: '256MB',
  max_wal_senders: '0',
  autovacuum: 'off',
  jit: 'off',
}

/** A throwaway PostgreSQL server in a temporary folder, or in another one. */
export const startCluster = async (parent = tmpdir()): Promise<Cluster> => {
  for (const each of new Set([parent, tmpdir()])) sweepLeftBehind(each)
  const { binFolder, uid, gid } = await findUsableBinaries()
  const folder = await mkdtemp(path.join(parent, `${FOLDER_PREFIX}${process.pid}-`))
  const data = path.join(folder, 'data')
  const identity = uid === null || gid === null ? {} : { uid, gid }
  if (uid !== null && gid !== null) await chown(folder, uid, gid)

  let server: ChildProcess | undefined
  const letBe = removeWithProcess(folder)

  const start = async () => {
    server = spawn(path.join(binFolder, 'postgres'), ['-D', data, ...settingsOf(folder)], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...identity,
    })
    await untilReady(server)
  }
  const end = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
  }
  const stop = async () => {
    letBe()
    await end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const args = ['-D', data, '-U', USER, '-A', 'trust', '--no-sync', ...LOCALE]
    await promisify(execFile)(path.join(binFolder, 'initdb'), args, { cwd: folder, ...identity })
    await start()
  } catch (error) {
    await stop()
    throw error
  }
  return { host: folder, user: USER, crash: end, comeBack: start, stop }
}

const USER = 'foyer'

const settingsOf = (folder: string) =>
  Object.entries({ ...SETTINGS, unix_socket_directories: folder }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])

const LOCALE = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

const untilReady = (server: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    const said: string[] = []
    createInterface({ input: server.stderr! }).on('line', (line) => {
      said.push(line)
      if (said.length > 50) said.shift()
      if (line.includes('ready to accept connections')) resolve()
    })
    server.once('error', reject)
    server.once('exit', (code) => reject(new Error(`The test database server ended with ${code}:\n${said.join('\n')}`)))
  })

const MEMORY_FOLDER = '/dev/shm'
const ROOM_WANTED = 3 * 1024 ** 3
const MEMORY_WANTED = 6 * 1024 ** 3

/**
 * Where a cluster is quickest: a database is cloned for every test file, and its more than a thousand files are made and
 * deleted several times faster in memory. Where there is too little of it, as in many containers, on the disk.
 */
export const quickestParent = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(MEMORY_FOLDER).catch(() => ({ bavail: 0, bsize: 0 }))
  const hasRoom = bavail * bsize > ROOM_WANTED && process.availableMemory() > MEMORY_WANTED
  return hasRoom ? MEMORY_FOLDER : tmpdir()
}
