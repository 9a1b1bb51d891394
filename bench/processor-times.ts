import { readFileSync, readdirSync } from 'node:fs'
import { type BenchDatabase, round } from './frame.ts'

/**
 * How much of a processor the processes use, and PostgreSQL with them, from now on. On a machine that others use too this
 * tells more than the clock: it is what the work costs, and not how long it had to wait.
 */
export const openProcessorTimes = async (database: BenchDatabase, pids: Record<string, number>) => {
  const [server] = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  )
  const postmaster = statOf(server!.pid)!.parent
  const read = (): Record<string, number> => ({
    ...Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, statOf(pid)?.seconds ?? 0])),
    PostgreSQL: ofChildren(postmaster),
  })
  const before = read()
  return {
    /** Seconds of all of them together so far. */
    total: (): number => {
      const sum = (times: Record<string, number>) => Object.values(times).reduce((all, seconds) => all + seconds, 0)
      return sum(read()) - sum(before)
    },
    /** Milliseconds for each of so many. */
    tell: (count: number): void => {
      const each = Object.entries(read()).map(
        ([name, seconds]) => `${name} ${round(((seconds - before[name]!) / count) * 1_000, 2)} ms`,
      )
      console.error(`     processor time for each: ${each.join(', ')}`)
    },
  }
}

/** Of a server with all its processes, those that have ended among them. */
export const ofChildren = (postmaster: number): number =>
  readdirSync('/proc')
    .flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []))
    .reduce((sum, { parent, seconds }) => (parent === postmaster ? sum + seconds : sum), statOf(postmaster)?.ended ?? 0)

/** Null where the process has ended meanwhile. Ticks are hundredths of a second wherever Linux runs. */
const statOf = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    return {
      parent: fields[1]!,
      seconds: (fields[11]! + fields[12]!) / 100,
      /** Of its children that have ended. */
      ended: (fields[13]! + fields[14]!) / 100,
    }
  } catch {
    return null
  }
}
