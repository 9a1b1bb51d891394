import { z } from 'zod'
import type { Shard } from '../database/shards.ts'
import { defineAppJob } from '../jobs/context.ts'
import { describeError } from '../kernel/log.ts'
import { type Servers, openServers, settleMove } from './move-account.ts'
import {
  type DirectoryEntry,
  deleteListedEntries,
  findKeys,
  findListedAccountIds,
  findMove,
  findMoves,
  findOldEntries,
  findShardOf,
  tryLockMove,
  unlockMove,
} from './records.ts'

const withServers = async (shards: readonly Shard[], work: (servers: Servers) => Promise<void>) => {
  const servers = openServers(shards)
  try {
    await work(servers)
  } finally {
    await servers.close()
  }
}

/** Finishes or undoes moves whose mover was killed. */
export const settleMoves = defineAppJob({
  name: 'shards.settle-moves',
  payload: z.object({}),
  every: '1 minute',
  attempts: 1,
  isOfInstallation: true,
  run: async (_payload, { context: { app }, log, signal }) => {
    const { shards } = app
    if (!shards) return
    await withServers(shards.all, async (servers) => {
      for (const { accountId } of await findMoves(await servers.directory())) {
        if (signal.aborted) return
        // Connections of its own for each: closing them gives up the lock.
        await withServers(shards.all, async (own) => {
          if (!(await tryLockMove(await own.directory(), accountId))) return
          await settleMove(own, accountId)
          log.warn({ account: accountId }, 'a move whose mover was gone was settled')
        }).catch((error: unknown) =>
          log.warn({ account: accountId, ...describeError(error) }, 'a move could not be settled yet'),
        )
      }
    })
  },
})

/** Removes entries of the directory that lead nowhere: of sessions that have ended, and of what was never committed. */
export const sweepDirectory = defineAppJob({
  name: 'shards.sweep-directory',
  payload: z.object({}),
  every: '1 hour',
  isOfInstallation: true,
  run: async (_payload, { context: { app }, log, signal }) => {
    const { shards } = app
    if (!shards) return
    await withServers(shards.all, async (servers) => {
      const directory = await servers.directory()
      for (const accountId of await findListedAccountIds(directory)) {
        if (signal.aborted) return
        // Held meanwhile, so that the account does not move away from under the question what it has.
        if (!(await tryLockMove(directory, accountId))) continue
        try {
          if (!(await findMove(directory, accountId))) await sweepEntries(servers, accountId)
        } catch (error) {
          log.warn({ account: accountId, ...describeError(error) }, 'entries of the directory could not be swept')
        } finally {
          await unlockMove(directory, accountId)
        }
      }
    })
  },
})

const sweepEntries = async (servers: Servers, accountId: number) => {
  const directory = await servers.directory()
  const old = await findOldEntries(directory, accountId)
  const server = await servers.on(await findShardOf(directory, accountId))
  const nameOf = ({ kind, key }: DirectoryEntry) => `${kind} ${key.toString('hex')}`
  const live = new Set((await findKeys(server, accountId)).map(nameOf))
  const dead = old.filter((entry) => !live.has(nameOf(entry)))
  if (dead.length > 0) await deleteListedEntries(directory, accountId, dead)
}

export const shardJobs = [settleMoves, sweepDirectory]
