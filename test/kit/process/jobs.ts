import type pg from 'pg'

type Queryable = Pick<pg.ClientBase, 'query'> | pg.Pool

/** The pauses between attempts, and the time until a job is due, are real time; here they pass at once. */
export const makeJobsDue = async (client: Queryable) => {
  await client.query('update graphile_worker._private_jobs set run_at = now() where locked_at is null')
  await client.query(`update lane_jobs set run_at = clock_timestamp() where state = 'later'`)
}

/** How many jobs of a lane wait, run, or were given up. */
export const countLaneJobs = async (client: Queryable, lane: string): Promise<number> => {
  const { rows } = await client.query('select count(*)::int as count from lane_jobs where lane = $1', [lane])
  return rows[0].count
}
