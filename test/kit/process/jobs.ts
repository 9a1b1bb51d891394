import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'> | pg.Pool

/** The pauses between attempts, and the time until a job is due, are real time; here they pass at once. */
export const makeJobsDue = (client: Queryable) => changeDueTimes(client, 'clock_timestamp()')

/** The same for a while, as long as a clock was moved by: attempts are no more than there would be in that time. */
export const passTimeForJobs = (client: Queryable, interval: string) =>
  changeDueTimes(client, `run_at - interval '${interval}'`)

const changeDueTimes = async (client: Queryable, runAt: string) => {
  await client.query(`update graphile_worker._private_jobs set run_at = ${runAt} where locked_at is null`)
  // As those who claim jobs do, one after the other: who touched the same rows in another order would be a deadlock.
  await client.query(`
    select pg_advisory_xact_lock(hashtextextended('lane_jobs/' || lane, 0))
    from (select distinct lane from lane_jobs order by lane) lanes;
    update lane_jobs set run_at = ${runAt} where state = 'later'`)
}

/** How many jobs of a lane wait, run, or were given up. */
export const countLaneJobs = async (client: Queryable, lane: string): Promise<number> => {
  const { rows } = await client.query('select count(*)::int as count from lane_jobs where lane = $1', [lane])
  return rows[0].count
}
