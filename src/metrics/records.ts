import type pg from 'pg'

export interface WaitingJobs {
  lane: string
  state: 'ready' | 'later' | 'running' | 'failed'
  count: number
  /** How long the one that has been due for longest has waited. */
  oldestSeconds: number
}

/** Of every lane, and under "house" what Foyer does for itself. */
export const findWaitingJobs = async (pool: pg.Pool): Promise<WaitingJobs[]> => {
  const { rows } = await pool.query<WaitingJobs>(`
    with jobs as (
      select lane, state, run_at from lane_jobs
      union all
      select 'house',
        case when attempts >= max_attempts then 'failed' when locked_at is not null then 'running'
          when run_at > clock_timestamp() then 'later' else 'ready' end,
        run_at
      from graphile_worker.jobs
    )
    select lane, state, count(*)::int as count,
      greatest(0, extract(epoch from clock_timestamp() - min(run_at)))::float8 as "oldestSeconds"
    from jobs group by lane, state`)
  return rows
}

export interface LastBackup {
  startedAt: Date
  seconds: number
  bytes: number
}

export const findLastBackup = async (pool: pg.Pool): Promise<LastBackup | null> => {
  const { rows } = await pool.query<LastBackup>(`
    select started_at as "startedAt", extract(epoch from finished_at - started_at)::float8 as seconds,
      byte_size::float8 as bytes
    from backups order by started_at desc limit 1`)
  return rows[0] ?? null
}
