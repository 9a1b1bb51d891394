import { sql, type QueryExecutorProvider } from 'kysely'
import type pg from 'pg'

/** A Kysely transaction, or whatever else runs SQL in one. */
export type SqlExecutor = QueryExecutorProvider

export interface NewJob {
  name: string
  payload: object
  runAt?: Date
  jobKey?: string
  jobKeyMode?: 'replace' | 'preserve_run_at' | 'unsafe_dedupe'
  maxAttempts?: number
  queueName?: string
  priority?: number
}

export const addJob = async (executor: SqlExecutor, job: NewJob) => {
  await sql`
    select from graphile_worker.add_job(
      identifier => ${job.name}::text,
      payload => ${JSON.stringify(job.payload)}::json,
      queue_name => ${job.queueName ?? null}::text,
      run_at => ${job.runAt?.toISOString() ?? null}::timestamptz,
      max_attempts => ${job.maxAttempts ?? null}::int,
      job_key => ${job.jobKey ?? null}::text,
      priority => ${job.priority ?? null}::int,
      job_key_mode => ${job.jobKeyMode ?? null}::text
    )`.execute(executor)
}

export const addJobs = async (executor: SqlExecutor, jobs: Omit<NewJob, 'jobKeyMode'>[]) => {
  const specs = jobs.map((job) => ({
    identifier: job.name,
    payload: job.payload,
    queue_name: job.queueName,
    run_at: job.runAt?.toISOString(),
    max_attempts: job.maxAttempts,
    job_key: job.jobKey,
    priority: job.priority,
  }))
  await sql`
    select count(*) from graphile_worker.add_jobs(
      array(select json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json))
    )`.execute(executor)
}

export interface PeriodicJob {
  name: string
  key: string
  attempts: number
}

/**
 * With the same keys as the timetable's, so that a run that is already waiting is brought forward instead of doubled.
 * Each by itself: a statement that touched several of which a worker ends some in another order would be a deadlock.
 */
export const addPeriodicJobs = async (pool: pg.Pool, jobs: PeriodicJob[]) => {
  for (const { name, key, attempts } of jobs) {
    await pool.query({
      name: 'add-periodic-job',
      text: 'select from graphile_worker.add_job(identifier => $1, job_key => $2, max_attempts => $3)',
      values: [name, key, attempts],
    })
  }
}

/** Jobs of these names that are running at this moment, in whichever process. */
export const countRunningJobs = async (pool: pg.Pool, names: string[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select (
       (select count(*) from graphile_worker.jobs where locked_at is not null and task_identifier = any ($1))
       + (select count(*) from lane_jobs where state = 'running' and name = any ($1))
     )::int as count`,
    [names],
  )
  return rows[0]!.count
}

/** graphile-worker has no call that ends a running job's retries, so its own table is told that this was the last one. */
export const endRetries = async (pool: pg.Pool, jobId: string, attempt: number) => {
  await pool.query('update graphile_worker._private_jobs set max_attempts = attempts where id = $1 and attempts = $2', [
    jobId,
    attempt,
  ])
}

/** Writes the row again when another process took this one for dead and deleted it. */
export const recordHeartbeat = async (pool: pg.Pool, processId: string, workerIds: string[]) => {
  await pool.query(
    `insert into workers (process_id, worker_ids, beat_at) values ($1, $2, clock_timestamp())
     on conflict (process_id) do update set worker_ids = excluded.worker_ids, beat_at = excluded.beat_at`,
    [processId, workerIds],
  )
}

export const deleteHeartbeat = async (pool: pg.Pool, processId: string) => {
  await pool.query('delete from workers where process_id = $1', [processId])
}

export const unlockWorkers = async (pool: pg.Pool, workerIds: string[]) => {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [workerIds])
}

/**
 * Hands running jobs to whoever comes next. Being cut short is not the job's fault, so the attempt does not count. What
 * is just being written down is left alone: graphile-worker ends several at once, and waiting for it could be a deadlock.
 */
export const requeueJobsOfWorkers = async (pool: pg.Pool, workerIds: string[]) => {
  await pool.query(
    `with jobs as (
       select id from graphile_worker._private_jobs where locked_by = any ($1) for update skip locked
     ), queues as (
       select id from graphile_worker._private_job_queues where locked_by = any ($1) for update skip locked
     ), returned as (
       update graphile_worker._private_jobs j set attempts = greatest(attempts - 1, 0), locked_at = null, locked_by = null
       from jobs where j.id = jobs.id
     )
     update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
     from queues where q.id = queues.id`,
    [workerIds],
  )
}

/**
 * Frees what dead processes hold, and says which workers those were. Of two processes that look at the same moment
 * one deletes the row and the other skips it; a beat that arrives meanwhile either saves its row or writes a new one.
 * A worker without any row is a process that was taken for dead and went on; its own beat comes long before a minute.
 * A job of a lane whose end is just being written down is left alone: waiting for it could be a deadlock.
 */
export const freeDeadWorkers = async (pool: pg.Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ freed: string[] }>(
    `with silent as (
       delete from workers
       where process_id in (
         select process_id from workers where beat_at < clock_timestamp() - interval '30 seconds' for update skip locked
       )
       returning worker_ids
     ), dead as (
       select unnest(worker_ids) as worker_id from silent
       union
       select locked_by from graphile_worker.jobs
       where locked_at < clock_timestamp() - interval '60 seconds'
         and not exists (select from workers where locked_by = any (worker_ids))
       union
       select locked_by from lane_jobs
       where state = 'running' and locked_at < clock_timestamp() - interval '60 seconds'
         and not exists (select from workers where locked_by = any (worker_ids))
     ), listed as (
       select coalesce(array_agg(worker_id), '{}') as freed from dead
     ), left_in_lanes as (
       select account_id, id from lane_jobs
       where state = 'running' and locked_by in (select worker_id from dead) for update skip locked
     ), freed_in_lanes as (
       update lane_jobs j set state = 'ready', locked_by = null, locked_at = null from left_in_lanes l
       where j.account_id = l.account_id and j.id = l.id
     )
     select freed, graphile_worker.force_unlock_workers(freed) from listed`,
  )
  return rows[0]!.freed
}

/**
 * A process that was only paused may finish, and so delete, a job that has been handed on. The second worker then
 * finds no job to finish and leaves the job's queue locked, which would hold up all that is queued behind it.
 */
export const freeAbandonedQueues = async (pool: pg.Pool) => {
  await pool.query(
    `update graphile_worker._private_job_queues as queues set locked_at = null, locked_by = null
     where locked_at < clock_timestamp() - interval '60 seconds'
       and not exists (
         select from graphile_worker._private_jobs as jobs
         where jobs.job_queue_id = queues.id and jobs.locked_by = queues.locked_by
       )`,
  )
}
