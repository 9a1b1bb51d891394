import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { openServerLog, nullIfMissing } from './data-directory.ts'
import type { DataDirectory } from './data-directory.ts'
import { spawnPostgres } from './binaries.ts'

interface Postmaster {
  pid: number
  isStopping: boolean
}

export const SOCKET_PORT = 5432

/** Given on the command line, so that a newer Foyer changes them without touching the cluster. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  port: String(SOCKET_PORT),
  // Relative to the cluster, a folder that only its owner may enter; so a long path does not matter to the server.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  max_connections: '100',
  shared_buffers: '160MB',
  huge_pages: 'off',
  io_method: 'sync',
  jit: 'off',
  random_page_cost: '1.1',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  wal_compression: 'pglz',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  autovacuum: 'on',
  idle_in_transaction_session_timeout: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'warning',
  // Statements and details hold what guests entrusted to Foyer.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** The living postmaster of this cluster. A process that merely inherited the number in postmaster.pid is none. */
export const findPostmaster = async (cluster: string): Promise<Postmaster | null> => {
  const lines = (await readPostmasterFile(cluster))?.split('\n')
  const pid = Number(lines?.[0])
  if (!Number.isSafeInteger(pid) || pid <= 1 || !(await worksIn(pid, cluster))) return null
  return { pid, isStopping: lines?.[7]?.trim() === 'stopping' }
}

/** Starts a postmaster where none lives; only one process at a time may come here. Tells how it ended, if it does. */
export const startPostmaster = async (place: DataDirectory): Promise<{ ended: () => string | null }> => {
  await clearRemains(place.cluster)

  const log = openServerLog(place)
  const logged = fstatSync(log).size
  let end: string | null = null
  try {
    const settings = Object.entries({ ...SETTINGS, cluster_name: await clusterName(place.cluster) }).flatMap(
      ([name, value]) => ['-c', `${name}=${value}`],
    )
    const child = spawnPostgres(place.binaries, ['-D', place.cluster, ...settings], log)
    child.once('error', (error) => (end = error.message))
    child.once('exit', () => (end = lastFault(place, logged)))
  } finally {
    closeSync(log)
  }
  return { ended: () => end }
}

/** Fast shutdown, then an immediate one, which costs the next start a recovery but no data. */
export const stopPostmaster = async (cluster: string, postmaster: Postmaster) => {
  if (await endProcess(cluster, postmaster.pid, 'SIGINT', 3000)) return true
  return endProcess(cluster, postmaster.pid, 'SIGQUIT', 500)
}

/** For a postmaster that no longer answers. */
export const killPostmaster = async (cluster: string, postmaster: Postmaster) => {
  if (await endProcess(cluster, postmaster.pid, 'SIGQUIT', 500)) return
  await endProcess(cluster, postmaster.pid, 'SIGKILL', 2000)
}

/** Children of a dead postmaster keep its shared memory, and a reused process number its lock files. */
const clearRemains = async (cluster: string) => {
  await rm(path.join(cluster, `.s.PGSQL.${SOCKET_PORT}.lock`), { force: true })
  if ((await readPostmasterFile(cluster)) === null) return
  for (const signal of ['SIGQUIT', 'SIGKILL'] as const) {
    const orphans = await findProcesses(cluster)
    await Promise.all(orphans.map((pid) => endProcess(cluster, pid, signal, 500)))
  }
  await rm(path.join(cluster, 'postmaster.pid'), { force: true })
}

const findProcesses = async (cluster: string) => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const works = await Promise.all(pids.map((pid) => worksIn(pid, cluster)))
  return pids.filter((_, index) => works[index])
}

/**
 * Every process of the server bears the cluster's name on its command line. Where a process works and what it executes
 * would say the same, but in many containers even root may not look.
 */
const worksIn = async (pid: number, cluster: string) => {
  try {
    if ((await stat(`/proc/${pid}`)).uid !== (await stat(cluster)).uid) return false
    const name = await clusterName(cluster)
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return commandLine.includes(`cluster_name=${name}`) || commandLine.startsWith(`postgres: ${name}:`)
  } catch (error) {
    // ESRCH: it ended between two looks. A zombie has no command line left.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Stays the same when the folder is moved. */
const clusterName = async (cluster: string) => {
  const { dev, ino } = await stat(cluster)
  return `foyer-${dev.toString(16)}-${ino.toString(16)}`
}

const endProcess = async (cluster: string, pid: number, signal: NodeJS.Signals, patience: number) => {
  const deadline = performance.now() + patience
  if (await worksIn(pid, cluster)) sendSignal(pid, signal)
  while (await worksIn(pid, cluster)) {
    if (performance.now() > deadline) return false
    await delay(10)
  }
  return true
}

const sendSignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const readPostmasterFile = (cluster: string) => nullIfMissing(readFile(path.join(cluster, 'postmaster.pid'), 'utf8'))

const lastFault = ({ dataFolder }: DataDirectory, from: number) => {
  const file = path.join(dataFolder, 'postgres.log')
  const log = existsSync(file) ? readFileSync(file).subarray(from).toString() : ''
  const lines = log.trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? (lines.at(-1) || 'it ended without a word')
}
