import { setTimeout as pause } from 'node:timers/promises'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { App } from '../access/app.ts'
import { appOfSubdomain } from '../access/shards.ts'
import { openLongClient } from '../database/long-connection.ts'
import { endClient } from '../database/lost-connections.ts'
import type { Shard } from '../database/shards.ts'
import { Misconfigured } from '../kernel/settings.ts'
import {
  type AccountTable,
  type Client,
  type Move,
  copyIn,
  copyOut,
  countRows,
  countRunningJobs,
  deleteEntries,
  deleteMove,
  deletePause,
  deleteRows,
  drawBeyond,
  drawTransactionNumber,
  findAccountId,
  findAccountTables,
  findFilledTables,
  findKeys,
  findMove,
  findPeopleOf,
  haveAllEndedBefore,
  insertEntries,
  insertMove,
  insertPeople,
  isCurrentMove,
  maySuspendChecks,
  recordArrival,
  recordGivingUp,
  recordPause,
  suspendChecks,
  tellShopChanged,
  tryLockMove,
  tryShareMoves,
} from './records.ts'

export interface MoveRequest {
  subdomain: string
  to: string
}

export interface MoveReport {
  rows: number
  /** How long nothing of the account could be written. */
  pausedMs: number
}

const CONNECTION_NAME = 'foyer move'
/** Jobs that run are waited for before anything stops; a mail server may take its time. */
const JOBS_MS = 60_000
/** Then transactions, for as long as a statement may last. */
const TRANSACTIONS_MS = 35_000
const LOOK_MS = 20
/** Requests that began before the account had arrived read what is left of it where it was. */
const GRACE_MS = 2_000

type OnStep = (step: string) => Promise<void> | void

export interface MoveOptions {
  /** Told of each step before it is taken, for whoever wants to see what becomes of a move that ends there. */
  onStep?: OnStep
  graceMs?: number
}

/**
 * Moves an account to another server while all are served. For seconds nothing of it can be written; whoever tries is told
 * to come again. Ended at any moment, it is undone or finished by the next who looks.
 */
export const moveAccount = async (
  app: App,
  { subdomain, to }: MoveRequest,
  options: MoveOptions = {},
): Promise<MoveReport> => {
  const { shards } = app
  const target = shards?.all.find(({ name }) => name === to)
  if (!shards || !target) throw new Misconfigured(`There is no shard "${to}": FOYER_SHARDS does not name it.`)
  const servers = openServers(shards.all)
  try {
    const there = await appOfSubdomain(app, subdomain)
    const found = shards.all.find(({ database }) => database === there.database)!
    const accountId = await findAccountId(await servers.on(found.name), subdomain.trim().toLowerCase())
    if (accountId === null) throw new Misconfigured(`There is no account with the subdomain "${subdomain}".`)

    const directory = await servers.directory()
    if (!(await tryLockMove(directory, accountId))) {
      throw new Misconfigured(`The account "${subdomain}" is being moved by somebody else.`)
    }
    if (!(await tryShareMoves(directory))) throw new Misconfigured('A backup is being written; try again after it.')
    await settleMove(servers, accountId)
    // What was settled may have brought the account elsewhere.
    const source = await shards.map.locate(accountId)
    if (source === target) return { rows: 0, pausedMs: 0 }
    for (const { name } of [source, target]) await requireRights(await servers.on(name), name)

    const move = await insertMove(directory, { accountId, source: source.name, target: target.name })
    try {
      return await carry(servers, move, options)
    } catch (error) {
      // Where even this fails, the next who looks does it.
      await servers.reopen()
      await settleMove(servers, accountId).catch(() => {})
      throw error
    }
  } finally {
    await servers.close()
  }
}

export interface Servers {
  directory(): Promise<Client>
  on(name: string): Promise<Client>
  /** Gives up all but the directory, which holds the lock: they may be in the middle of anything. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** Connections of a move's own, which no timeout for requests ends. */
export const openServers = (shards: readonly Shard[]): Servers => {
  const opened = new Map<string, Promise<Client>>()
  const open = (key: string, shard: Shard) => {
    const known = opened.get(key) ?? openLongClient(shard.connection, CONNECTION_NAME)
    opened.set(key, known)
    return known
  }
  const end = async (keeps: (key: string) => boolean) => {
    for (const [key, client] of opened) {
      if (keeps(key)) continue
      opened.delete(key)
      await client.then(endClient, () => {})
    }
  }
  return {
    directory: () => open(DIRECTORY, shards[0]!),
    on: (name) => {
      const shard = shards.find((each) => each.name === name)
      if (!shard) throw new Misconfigured(`FOYER_SHARDS does not name the shard "${name}".`)
      return open(name, shard)
    },
    reopen: () => end((key) => key === DIRECTORY),
    close: () => end(() => false),
  }
}

const DIRECTORY = 'the directory'

const requireRights = async (server: Client, name: string) => {
  if (await maySuspendChecks(server)) return
  throw new Misconfigured(
    `On the shard "${name}" rows cannot be moved as they are; its administrator allows it by: grant set on parameter session_replication_role to the role of Foyer.`,
  )
}

const MAIN = 'main'

const carry = async (
  servers: Servers,
  move: Move,
  { onStep = () => {}, graceMs = GRACE_MS }: MoveOptions,
): Promise<MoveReport> => {
  const { accountId } = move
  const [directory, source, target] = [
    await servers.directory(),
    await servers.on(move.source),
    await servers.on(move.target),
  ]
  await onStep('drain')
  await whileCurrent(servers, move.source, move, false)
  await waitUntil(JOBS_MS, 'jobs of the account still run', async () => (await countRunningJobs(source, move)) === 0)

  await onStep('pause')
  const pausedAt = performance.now()
  await whileCurrent(servers, move.source, move, true)
  const number = await drawTransactionNumber(source)
  await waitUntil(TRANSACTIONS_MS, 'a transaction on its server does not end', () => haveAllEndedBefore(source, number))
  // A job that was claimed between the two steps.
  await waitUntil(JOBS_MS, 'jobs of the account still run', async () => (await countRunningJobs(source, move)) === 0)

  await onStep('copy')
  const rows = await copyAll(servers, move, onStep)
  if (move.target !== MAIN) await insertEntries(directory, accountId, await findKeys(source, accountId))

  await onStep('arrive')
  if (!(await recordArrival(directory, move, MAIN))) throw givenUp()
  await onStep('resume')
  await deletePause(target, move)
  const pausedMs = performance.now() - pausedAt

  await tellShopChanged(source, accountId)
  await onStep('clear')
  await pause(graceMs)
  await clearSource(servers, move)
  await onStep('end')
  await deleteMove(directory, move)
  return { rows, pausedMs }
}

const givenUp = () => new Misconfigured('The move was given up by somebody else.')

/**
 * Pauses the account on a server, and does some work there in the same transaction, as long as the move is still one. A
 * mover whose connection to the directory is gone does not know that it was taken for dead: whoever settles its move, and
 * whoever moves the account after that, writes the same row of pauses, so that what this does is over before them or
 * never done.
 */
const whileCurrent = async (
  servers: Servers,
  name: string,
  move: Move,
  isPaused: boolean,
  work: (server: Client) => Promise<unknown> = async () => {},
) => {
  const server = await servers.on(name)
  await server.query('begin')
  await recordPause(server, move, isPaused)
  if (!(await isCurrentMove(await servers.directory(), move))) {
    await server.query('rollback')
    throw givenUp()
  }
  await work(server)
  await server.query('commit')
}

/** All rows in one transaction of the target, which nobody may write until the directory leads there. */
const copyAll = async (servers: Servers, move: Move, onStep: OnStep): Promise<number> => {
  const { accountId } = move
  const source = await servers.on(move.source)
  const tables = await findAccountTables(source)
  // Not in the transaction of the rows: whoever lets one of them into another account there would wait until it has ended.
  await insertPeople(await servers.on(move.target), await findPeopleOf(source, accountId))
  let rows = 0
  await whileCurrent(servers, move.target, move, true, async (target) => {
    await source.query('begin isolation level repeatable read read only')
    await suspendChecks(target)
    await deleteRows(target, tables, accountId)
    const filled = await findFilledTables(source, tables, accountId)
    const sent: number[] = []
    for (const table of filled) sent.push(await copyTable(source, target, table, accountId))
    await source.query('commit')
    const arrived = await countRows(target, filled, accountId)
    for (const [n, { table }] of filled.entries()) {
      if (sent[n] !== arrived[n])
        throw new Error(`Of ${sent[n]} rows of ${table} there are ${arrived[n]} at the target`)
      rows += arrived[n]!
    }
    await drawBeyond(target, filled, accountId)
    await onStep('commit')
  })
  return rows
}

const copyTable = async (source: Client, target: Client, table: AccountTable, accountId: number): Promise<number> => {
  const leaving = source.query(copyTo(copyOut(table, accountId)))
  const arriving = target.query(copyFrom(copyIn(table)))
  await pipeline(leaving, arriving)
  return leaving.rowCount
}

/** What a move that has ended left half done: one that had arrived is finished, any other is undone. */
export const settleMove = async (servers: Servers, accountId: number): Promise<void> => {
  const directory = await servers.directory()
  // A connection that failed within a transaction is in none from here on.
  await directory.query('rollback')
  const move = await findMove(directory, accountId)
  if (!move) return
  if (move.hasArrived) {
    await deletePause(await servers.on(move.target), move)
    await clearSource(servers, move)
    return deleteMove(directory, move)
  }
  // First of all it is open again where it is, be its target away or not.
  const undone = await recordGivingUp(directory, move)
  await whileCurrent(servers, move.source, undone, true, (source) => deletePause(source, undone))
  if (move.source === MAIN) await deleteEntries(directory, accountId)
  await removeRows(servers, move.target, undone)
  return deleteMove(directory, undone)
}

const clearSource = async (servers: Servers, move: Move) => {
  await removeRows(servers, move.source, move)
  if (move.target === MAIN) await deleteEntries(await servers.directory(), move.accountId)
}

/** The pause stays: a process that still looks for the account here can write nothing. */
const removeRows = (servers: Servers, name: string, move: Move) =>
  whileCurrent(servers, name, move, true, async (server) => {
    await suspendChecks(server)
    await deleteRows(server, await findAccountTables(server), move.accountId)
  })

const waitUntil = async (ms: number, obstacle: string, isDone: () => Promise<boolean>) => {
  const until = performance.now() + ms
  while (!(await isDone())) {
    if (performance.now() > until)
      throw new Misconfigured(`The account was not moved, because ${obstacle}; try again later.`)
    await pause(LOOK_MS)
  }
}
