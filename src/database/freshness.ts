/** For so long it is taken for granted that the connection is alive and tells others' changes as they happen. */
const TRUST_MS = 100

interface Asked {
  at: number
  writes: number
}

/** How long what was heard last may be taken for everything. */
export const openFreshnessTracker = () => {
  let last: (Asked & { now: Date }) | null = null
  let writes = 0
  return {
    /** Before the database is asked: what is written from here on is not covered by its answer. */
    begin: (): Asked => ({ at: performance.now(), writes }),
    record: (now: Date, asked: Asked) => {
      last = { now, ...asked }
    },
    lose: () => {
      last = null
    },
    /** An answer that is still on its way covers nothing yet, so writes are counted instead of marked off. */
    markDirty: () => {
      writes++
    },
    now: () => {
      if (!last || last.writes !== writes) return null
      const elapsed = performance.now() - last.at
      return elapsed < TRUST_MS ? new Date(last.now.getTime() + elapsed) : null
    },
  }
}
