import { writeFileSync } from 'node:fs'
import { peakMegabytes, residentMegabytes } from '../kit/process/process-memory.ts'

/** What a request made Foyer spend. The one who asks spends a little of it, being in the same process. */
export interface Cost {
  cpuMs: number
  ms: number
  /** How high the process's memory rose meanwhile above what it was. */
  megabytes: number
}

/** Generous for a megabyte of the worst input, and far below what a cost out of proportion comes to. */
export const LIMITS: Cost = { cpuMs: 1_500, ms: 6_000, megabytes: 300 }

const TRIES = 3

/** The kernel keeps the peak of a process until it is told to begin anew. */
const restartPeak = () => {
  writeFileSync('/proc/self/clear_refs', '5')
  return residentMegabytes(process.pid)
}

const measure = async (work: () => Promise<unknown>): Promise<Cost> => {
  const held = restartPeak()
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1_000, ms, megabytes: peakMegabytes(process.pid) - held }
}

const isWithin = (cost: Cost, limits: Cost) =>
  (Object.keys(limits) as (keyof Cost)[]).every((what) => cost[what] <= limits[what])

/**
 * Does the work and throws when it costs too much. A busy machine makes anything slow now and then, so that what costs
 * too much is done again; a cost that lies in the work itself is there each time.
 */
export const boundCost = async (name: string, work: () => Promise<unknown>, limits = LIMITS): Promise<Cost> => {
  const costs: Cost[] = []
  do {
    const cost = await measure(work)
    costs.push(cost)
    if (isWithin(cost, limits)) return cost
  } while (costs.length < TRIES)
  throw new Error(`${name} costs too much: ${costs.map((cost) => JSON.stringify(cost)).join(', ')}`)
}
