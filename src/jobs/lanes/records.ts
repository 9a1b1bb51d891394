import { sql } from 'kysely'
import type pg from 'pg'
import { type Lane, LANES_CHANNEL } from '../lane.ts'
import type { SqlExecutor } from '../records.ts'

export interface NewLaneJob {
  lane: Lane
  name: string
  accountId: number
  payload: object
  serialKey: string
  jobKey: string | null
  runAt: Date | null
}

/** A job with the key of one that still waits takes its place. */
export const insertLaneJobs = async (executor: SqlExecutor, jobs: NewLaneJob[]) => {
  await sql`
    with added as (
      insert into lane_jobs (account_id, lane, name, payload, serial_key, job_key, state, run_at)
      select "accountId", lane, name, payload, "serialKey", "jobKey",
        case when "runAt" > clock_timestamp() then 'later' else 'ready' end, coalesce("runAt", clock_timestamp())
      from json_to_recordset(${JSON.stringify(jobs)}::json) as given (
        "accountId" bigint, lane text, name text, payload jsonb, "serialKey" text, "jobKey" text, "runAt" timestamptz)
      on conflict (account_id, job_key) where job_key is not null do update
        set payload = excluded.payload, state = excluded.state, run_at = excluded.run_at, attempts = 0
      returning lane, state
    )
    select pg_notify(${LANES_CHANNEL}, lane) from added where state = 'ready' group by lane`.execute(executor)
}

export interface ClaimedJob {
  accountId: number
  id: number
  name: string
  payload: unknown
  /** 1 on the first run. */
  attempt: number
}

export interface LaneClaimRequest {
  lane: Lane
  workerId: string
  servedLast: number
  /** How many jobs of which account this worker has running. */
  running: readonly (readonly [accountId: number, count: number])[]
  perAccount: number
  most: number
}

/** Ready jobs in the order of the accounts' turns: one of each, then another one of each, as many as they may have. */
export const claimLaneJobs = async (pool: pg.Pool, claim: LaneClaimRequest): Promise<ClaimedJob[]> => {
  const { rows } = await pool.query<ClaimedJob>({
    name: 'claim-lane-jobs',
    text: `
      -- taken as not null: accountId, id, name, attempt (the function answers with rows of lane_jobs that it has just updated)
      select account_id::float8 as "accountId", id::float8 as id, name, payload, attempts as attempt
      from claim_lane_jobs($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      claim.lane,
      claim.workerId,
      claim.servedLast,
      claim.running.map(([accountId]) => accountId),
      claim.running.map(([, count]) => count),
      claim.perAccount,
      claim.most,
    ],
  })
  return rows
}

type Held = Pick<ClaimedJob, 'accountId' | 'id' | 'attempt'>

/** Whoever was taken for dead meanwhile holds it no more, and says nothing. */
const HELD = `account_id = $1 and id = $2 and attempts = $3 and locked_by = $4`

/** Several at once: jobs that end while others are being deleted are deleted together. */
export const deleteLaneJobs = async (pool: pg.Pool, jobs: readonly Held[], workerId: string) => {
  await pool.query({
    name: 'delete-lane-jobs',
    text: `
      delete from lane_jobs j using unnest($1::bigint[], $2::bigint[], $3::int[]) as held (account_id, id, attempts)
      where j.account_id = held.account_id and j.id = held.id and j.attempts = held.attempts and j.locked_by = $4`,
    values: [
      jobs.map(({ accountId }) => accountId),
      jobs.map(({ id }) => id),
      jobs.map(({ attempt }) => attempt),
      workerId,
    ],
  })
}

/** Between tries it waits e, e², e³ … seconds, at most six hours. */
export const recordLaneFailure = async (
  pool: pg.Pool,
  { accountId, id, attempt }: Held,
  workerId: string,
  { message, isFinal }: { message: string; isFinal: boolean },
) => {
  await pool.query(
    `update lane_jobs set state = case when $6 then 'failed' else 'later' end, locked_by = null, locked_at = null,
       last_error = $5, run_at = clock_timestamp() + exp(least(attempts, 10)) * interval '1 second'
     where ${HELD}`,
    [accountId, id, attempt, workerId, message, isFinal],
  )
}

/** Being cut short, or not being known here, is not the job's fault, so the attempt does not count. */
const GIVEN_BACK = `attempts = greatest(attempts - 1, 0), locked_by = null, locked_at = null`

/** Leaves it to whoever comes next, in so many seconds. */
export const postponeLaneJob = async (
  pool: pg.Pool,
  { accountId, id, attempt }: Held,
  workerId: string,
  seconds: number,
) => {
  await pool.query(
    `update lane_jobs set state = 'later', ${GIVEN_BACK}, run_at = clock_timestamp() + $5 * interval '1 second'
     where ${HELD}`,
    [accountId, id, attempt, workerId, seconds],
  )
}

/** What this worker holds of a lane and knows nothing of: it was claimed, and the answer was lost. */
export const requeueUnknownJobs = async (
  pool: pg.Pool,
  { lane, workerId, known }: { lane: Lane; workerId: string; known: number[] },
) => {
  await pool.query(
    `update lane_jobs set state = 'ready', ${GIVEN_BACK}
     where lane = $1 and state = 'running' and locked_by = $2 and id <> all ($3::bigint[])`,
    [lane, workerId, known],
  )
}

/**
 * Hands running jobs to whoever comes next, but for those whose end is just being written down: several of them are
 * deleted by one statement, and two that wait for each other's rows would be a deadlock.
 */
export const requeueJobsOfWorker = async (pool: pg.Pool, workerId: string) => {
  await pool.query(
    `with left_over as (
       select account_id, id from lane_jobs where state = 'running' and locked_by = $1 for update skip locked
     )
     update lane_jobs j set state = 'ready', ${GIVEN_BACK} from left_over
     where j.account_id = left_over.account_id and j.id = left_over.id`,
    [workerId],
  )
}
