import type { WorkerEvents } from 'graphile-worker'

/** While hands are free jobs are looked for every two seconds, and no statement lasts longer than half a minute. */
const STANDSTILL_MS = 60_000

export interface StandstillWatch {
  /** Resolves when nobody has looked for jobs for too long although there were hands free. */
  isStuck: Promise<void>
  end(): void
}

/**
 * A worker that waits for something that never comes, as after a connection that was lost at the wrong moment, neither
 * works nor ends. Its own events tell: it is alive as long as it looks for jobs, or all of its hands are busy.
 */
export const watchForStandstill = (
  events: WorkerEvents,
  { concurrency, standstillMs = STANDSTILL_MS }: { concurrency: number; standstillMs?: number | undefined },
): StandstillWatch => {
  const stuck = Promise.withResolvers<void>()
  let aliveAt = performance.now()
  let busy = 0
  const look = () => {
    aliveAt = performance.now()
  }
  const begin = () => {
    busy++
  }
  const finish = () => {
    busy--
    look()
  }
  events.on('worker:getJob:start', look)
  events.on('job:start', begin)
  events.on('job:complete', finish)
  const watching = setInterval(() => {
    if (busy < concurrency && performance.now() - aliveAt > standstillMs) stuck.resolve()
  }, standstillMs / 10)

  return {
    isStuck: stuck.promise,
    end: () => {
      clearInterval(watching)
      events.off('worker:getJob:start', look)
      events.off('job:start', begin)
      events.off('job:complete', finish)
    },
  }
}
