/** For so long it is taken for granted that the connection is alive and tells others' changes as they happen. */
const TRUST_MS = 100

/** How long what was heard last may be taken for everything. */
export const openFreshness = () => {
  let last: { now: Date; at: number } | null = null
  let isDirty = false
  return {
    /** Before the database is asked: what is written from here on is not covered by its answer. */
    begin: () => {
      isDirty = false
      return performance.now()
    },
    record: (now: Date, at: number) => {
      last = { now, at }
    },
    lose: () => {
      last = null
    },
    markDirty: () => {
      isDirty = true
    },
    now: () => {
      if (!last || isDirty) return null
      const elapsed = performance.now() - last.at
      return elapsed < TRUST_MS ? new Date(last.now.getTime() + elapsed) : null
    },
  }
}
