import type { Database } from '../database/database.ts'

/** When credentials were last used, roughly: remembered in memory and written down now and then, off every request's path. */
export interface LastUsedRecorder {
  note(accountId: number, credentialId: number): void
  /** Writes down what is remembered. */
  flush(): Promise<void>
}

const FLUSH_MS = 30_000

export const openLastUsedRecorder = (database: Database, onTrouble: (error: Error) => void): LastUsedRecorder => {
  let uses = new Map<number, { accountId: number; at: number }>()
  let timer: NodeJS.Timeout | null = null

  const flush = async () => {
    if (timer) clearTimeout(timer)
    timer = null
    if (uses.size === 0) return

    const written = uses
    uses = new Map()
    const agesMs = Array.from(written.values(), ({ at }) => Math.max(0, Math.round(performance.now() - at)))
    try {
      await database.lookups.query({
        name: 'last-uses',
        text: RECORD_USES,
        values: [Array.from(written.values(), ({ accountId }) => accountId), [...written.keys()], agesMs],
      })
    } catch (error) {
      // One account that is moving to another server keeps all of them from being written; the next time it is there.
      uses = new Map([...written, ...uses])
      if (!timer) flushLater()
      throw error
    }
  }

  const flushLater = () => {
    timer = setTimeout(() => {
      // What an installation forgets while it closes is a few seconds of a rough figure.
      if (!database.lookups.ending) flush().catch(onTrouble)
    }, FLUSH_MS)
    timer.unref()
  }

  return {
    note: (accountId, credentialId) => {
      uses.set(credentialId, { accountId, at: performance.now() })
      if (!timer) flushLater()
    },
    flush,
  }
}

/** Rows are locked in the order of their IDs, so that two processes never wait for each other. */
const RECORD_USES = `
  with used as (
    select c.account_id, c.id, foyer_now() - make_interval(secs => given.age_ms / 1000.0) as at
    from unnest($1::bigint[], $2::bigint[], $3::int[]) as given (account_id, id, age_ms)
    join credentials c on c.account_id = given.account_id and c.id = given.id
    order by c.account_id, c.id
    for no key update of c
  )
  update credentials c set last_used_at = used.at
  from used
  where c.account_id = used.account_id and c.id = used.id
    and (c.last_used_at is null or c.last_used_at < used.at)`
