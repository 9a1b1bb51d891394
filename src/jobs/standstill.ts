import type { Worker as GraphileWorker, WorkerEvents } from 'graphile-worker'

/** While hands are free jobs are looked for every two seconds, and no statement lasts longer than half a minute. */
const STANDSTILL_MS = 60_000

const ENDS_OF_LOOKS = ['worker:getJob:empty', 'job:start'] as const
const ENDS_OF_JOBS = ['job:complete', 'worker:fatalError', 'worker:stop'] as const

export interface StandstillWatch {
  /** Resolves when no look for jobs can be expected to succeed any more, with the reason. */
  whenStuck: Promise<string>
  end(): void
}

/**
 * A worker that waits for something that never comes, as after a connection that was lost at the wrong moment, neither
 * works nor ends. Its own events tell: it is alive as long as it has looked for jobs with success, or all of its hands
 * are busy.
 *
 * What graphile-worker has to know before its first look (the IDs of its tasks) it asks for once, and remembers a
 * failure for ever: a worker whose first look fails will never work.
 */
export const watchForStandstill = (
  events: WorkerEvents,
  { concurrency, standstillMs = STANDSTILL_MS }: { concurrency: number; standstillMs?: number | undefined },
): StandstillWatch => {
  const stuck = Promise.withResolvers<string>()
  const busy = new Set<string>()
  let hasLooked = false
  let aliveAt = performance.now()
  const look = () => {
    hasLooked = true
    aliveAt = performance.now()
  }
  const fail = () => {
    if (!hasLooked) stuck.resolve('its first look for jobs failed')
  }
  const begin = ({ worker }: { worker: GraphileWorker }) => {
    busy.add(worker.workerId)
  }
  // One that could not say how its job ended has ended as well, and would count as busy for ever.
  const finish = ({ worker }: { worker: GraphileWorker }) => {
    busy.delete(worker.workerId)
    aliveAt = performance.now()
  }
  for (const name of ENDS_OF_LOOKS) events.on(name, look)
  events.on('worker:getJob:error', fail)
  events.on('job:start', begin)
  for (const name of ENDS_OF_JOBS) events.on(name, finish)
  const watching = setInterval(() => {
    const isSilent = busy.size < concurrency && performance.now() - aliveAt > standstillMs
    if (isSilent) stuck.resolve('it looks for no jobs any more')
  }, standstillMs / 10)

  return {
    whenStuck: stuck.promise,
    end: () => {
      clearInterval(watching)
      for (const name of ENDS_OF_LOOKS) events.off(name, look)
      events.off('worker:getJob:error', fail)
      events.off('job:start', begin)
      for (const name of ENDS_OF_JOBS) events.off(name, finish)
    },
  }
}
