import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import { describeError, type Log } from '../kernel/log.ts'
import { sleepUnlessAborted } from '../kernel/sleep.ts'
import { deleteHeartbeat, freeAbandonedQueues, freeDeadWorkers, recordHeartbeat, unlockWorkers } from './records.ts'

const BEAT_EVERY_MS = 10_000
const TRY_AGAIN_MS = 1_000

/** A process among those that work off jobs: it shows that it lives, and frees what the dead left locked. */
export interface WorkerHeartbeat {
  /** The name by which the process holds jobs of its lanes. */
  processId: string
  /** Resolves once the row names this worker, so that no job is ever held by a worker nobody knows of. */
  announce(workerId: string): Promise<void>
  /** The same for the process itself, where nobody else says so. */
  show(): Promise<unknown>
  /** The workers of graphile-worker. */
  workerIds(): string[]
  leave(): Promise<void>
}

export const startHeartbeat = async (pool: pg.Pool, log: Log): Promise<WorkerHeartbeat> => {
  const processId = `${hostname()}/${process.pid}/${randomBytes(6).toString('hex')}`
  const silence = new AbortController()
  let workerIds: string[] = []
  let announcing: Promise<void> = Promise.resolve()
  let isInTrouble = false

  const lookAround = async () => {
    const freed = await freeDeadWorkers(pool)
    if (freed.length > 0) log.warn({ workers: freed }, 'Freed the jobs of workers that are gone')
    await freeAbandonedQueues(pool)
  }

  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
      isInTrouble = false
      return true
    } catch (error) {
      // One line per outage is enough.
      if (!isInTrouble) log.warn(describeError(error), 'The worker could not show that it lives; it goes on trying')
      isInTrouble = true
      return false
    }
  }

  const showItself = () => recordHeartbeat(pool, processId, [processId, ...workerIds])

  const beat = async () => {
    await showItself()
    await lookAround()
  }

  const keepBeating = async () => {
    while (await sleepUnlessAborted(silence.signal, BEAT_EVERY_MS)) await attempt(beat)
  }

  const introduce = async (workerId: string) => {
    // Workers of one process follow each other, so what a former one still holds was left behind.
    const former = workerIds
    workerIds = [workerId]
    const write = async () => {
      await showItself()
      if (former.length > 0) await unlockWorkers(pool, former)
    }
    while (!silence.signal.aborted && !(await attempt(write))) await sleepUnlessAborted(silence.signal, TRY_AGAIN_MS)
  }

  await attempt(lookAround)
  const beating = keepBeating()

  return {
    processId,
    announce: (workerId) => {
      if (workerIds[0] !== workerId) announcing = introduce(workerId)
      return announcing
    },
    // Around it has looked when it started.
    show: () => attempt(showItself),
    workerIds: () => workerIds,
    leave: async () => {
      silence.abort()
      await Promise.all([beating, announcing])
      await attempt(() => deleteHeartbeat(pool, processId))
    },
  }
}
