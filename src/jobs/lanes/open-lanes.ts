import { type Lane, LANES, type LaneLimits } from '../lane.ts'
import { requeueJobsOfWorker } from './records.ts'
import { type LaneOptions, type LaneRunner, startLaneRunner } from './run-lane.ts'

export interface Lanes {
  runners: LaneRunner[]
  wake(lane?: string): void
  stop(): Promise<void>
  abort(): void
  /** Returns what still runs, uncounted, for another process. */
  handOver(): Promise<void>
}

export type LaneSettings = Partial<Record<Lane, LaneLimits>>

export const openLanes = <Context>(
  options: Omit<LaneOptions<Context>, 'lane' | 'limits'> & { lanes?: LaneSettings },
): Lanes => {
  const runners = new Map(
    Object.entries({ ...LANES, ...options.lanes }).map(([lane, limits]) => [
      lane,
      startLaneRunner({ ...options, lane: lane as Lane, limits }),
    ]),
  )
  return {
    runners: [...runners.values()],
    wake: (lane) => {
      for (const [name, runner] of runners) if (!lane || lane === name) runner.wake()
    },
    stop: async () => void (await Promise.all([...runners.values()].map((runner) => runner.stop()))),
    abort: () => {
      for (const runner of runners.values()) runner.abort()
    },
    handOver: () => requeueJobsOfWorker(options.pool, options.workerId),
  }
}
