import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/database.ts'
import type { AppliedMigration } from '../database/migrate.ts'
import { IMAGES_LOCK } from '../events/images/records.ts'
import { FILES_LOCK } from '../files/records.ts'
import type { Manifest, Summary } from './contents.ts'

const { escapeIdentifier } = pg

/** No file goes while it is held. Taken before the transaction: its snapshot must be younger than the lock. */
export const lockFiles = async (client: pg.ClientBase): Promise<void> => {
  await client.query('select pg_advisory_lock_shared($1), pg_advisory_lock_shared($2)', [FILES_LOCK, IMAGES_LOCK])
}

/** One moment of the whole database, for as long as it takes. */
export const beginSnapshot = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`
    set lock_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    begin isolation level repeatable read read only`)
}

/** What connections of a backup are called. */
export const BACKUP_CONNECTION = 'foyer backup'

/** One at a time makes the scheduled backup, of all processes: whether it is this one, until its connection ends. */
export const lockScheduledBackup = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('foyer/scheduled-backup', 0)) as locked`,
  )
  return rows[0]!.locked
}

/** Whether the server works for anybody but backups. Who waits for a lock needs nothing. */
export const isDatabaseBusy = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ busy: boolean }>(
    `select exists (
       select from pg_stat_activity
       where backend_type = 'client backend' and state = 'active' and wait_event_type is distinct from 'Lock'
         and application_name <> $1
     ) as busy`,
    [BACKUP_CONNECTION],
  )
  return rows[0]!.busy
}

export const findServerVersion = async (client: pg.ClientBase): Promise<string> => {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return rows[0]!.version
}

/** Columns in their order; what the database computes by itself is left out. */
export type TableColumns = Manifest['tables'][number]

/** All tables but the list of migrations, which a restore writes by migrating. */
export const findTables = async (client: pg.ClientBase): Promise<TableColumns[]> => {
  const { rows } = await client.query<TableColumns>(`
    select c.relname as "table",
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
    order by c.relname`)
  return rows
}

const columnList = (columns: readonly string[]) => columns.map((column) => escapeIdentifier(column)).join(', ')

export const copyOut = ({ table, columns }: TableColumns) =>
  `copy public.${escapeIdentifier(table)} (${columnList(columns)}) to stdout`

export const copyIn = ({ table, columns }: TableColumns) =>
  `copy public.${escapeIdentifier(table)} (${columnList(columns)}) from stdin`

/** None where there is no schema at all yet. */
export const findAppliedMigrations = async (client: pg.ClientBase): Promise<AppliedMigration[]> => {
  if (!(await hasTable(client, 'schema_migrations'))) return []
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum from public.schema_migrations order by number',
  )
  return rows
}

type SequenceValue = Summary['sequences'][number]

/** Read last: numbers are drawn outside of transactions, and a number too high does no harm. */
export const findSequences = async (client: pg.ClientBase): Promise<SequenceValue[]> => {
  const { rows } = await client.query<SequenceValue>(
    `-- taken as not null: name (a sequence has a name)
     select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
  )
  return rows
}

/** Those that are there only: a newer version may have given up a sequence. */
export const restoreSequences = async (client: pg.ClientBase, sequences: readonly SequenceValue[]): Promise<void> => {
  await client.query(
    `select setval(format('public.%I', s.name)::regclass, coalesce(s.last::bigint, 1), s.last is not null)
     from json_to_recordset($1) as s (name text, last text)
     join pg_sequences q on q.schemaname = 'public' and q.sequencename = s.name`,
    [JSON.stringify(sequences)],
  )
}

export interface StoredUpload {
  key: string
  byteSize: number
  contentType: string
  checksum: string
}

const UPLOADS = `select key, byte_size::int as "byteSize", content_type as "contentType", checksum from blobs`

/** The files whose bytes somebody may still ask for. */
export const findUploads = async (client: pg.ClientBase): Promise<StoredUpload[]> => {
  const { rows } = await client.query<StoredUpload>(
    `${UPLOADS} where uploaded_at is not null and discarded_at is null order by key`,
  )
  return rows
}

export const findUpload = async (client: pg.ClientBase, key: string): Promise<StoredUpload | null> => {
  const { rows } = await client.query<StoredUpload>(`${UPLOADS} where key = $1 limit 1`, [key])
  return rows[0] ?? null
}

type WaitingJob = Summary['jobs'][number]

/** Work of the house itself; an account's own stands in a table. */
export const findWaitingJobs = async (client: pg.ClientBase): Promise<WaitingJob[]> => {
  const { rows } = await client.query<{ jobs: WaitingJob[] }>(`
    select coalesce(json_agg(json_build_object(
      'identifier', t.identifier, 'payload', j.payload, 'queue_name', q.queue_name, 'run_at', j.run_at,
      'max_attempts', j.max_attempts, 'job_key', j.key, 'priority', j.priority) order by j.id), '[]') as jobs
    from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.attempts < j.max_attempts`)
  return rows[0]!.jobs
}

export const restoreJobs = async (client: pg.ClientBase, jobs: readonly WaitingJob[]): Promise<void> => {
  await client.query(
    `select count(*) from graphile_worker.add_jobs(
       array(select json_populate_recordset(null::graphile_worker.job_spec, $1)))`,
    [JSON.stringify(jobs)],
  )
}

const hasTable = async (client: pg.ClientBase, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    `public.${table}`,
  ])
  return rows[0]!.exists
}

/** Whether there is anything that a restore could overwrite. */
export const hasAccounts = async (client: pg.ClientBase): Promise<boolean> => {
  if (!(await hasTable(client, 'accounts'))) return false
  const { rows: found } = await client.query<{ exists: boolean }>('select exists (select from accounts) as exists')
  return found[0]!.exists
}

export interface RestoredCompany {
  directoryId: string
  name: string
  /** Further servers that it knew, and those of them on which accounts lived. */
  shards: string[]
  inhabited: string[]
}

/** What the rows of a server say about the others; null where it was alone. */
export const findRestoredCompany = async (client: pg.ClientBase): Promise<RestoredCompany | null> => {
  if (!(await hasTable(client, 'shard_identity'))) return null
  const { rows } = await client.query<RestoredCompany>(`
    select directory_id as "directoryId", name,
      array(select s.name from shards s where s.number > 0 order by s.number) as shards,
      array(select distinct a.shard from account_shards a order by a.shard) as inhabited
    from shard_identity`)
  return rows[0] ?? null
}

/** Whether somebody else's connection belongs to a Foyer that is serving: a quiet one keeps only those of jobs and announcements. */
export const isServed = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ exists: boolean }>(`
    select exists (
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name ~ '^foyer( (serve|announcements|jobs|reads).*)?$'
    ) as exists`)
  return rows[0]!.exists
}

/**
 * Takes away what would look at each row while it comes in: triggers, and foreign keys, which are checked over all rows
 * at once when they come back. Any owner of the tables may do this; switching all checks off needs a superuser. What the
 * migrations themselves have written goes too, since the archive has it.
 */
export const clearTablesAndSuspendChecks = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`
    do $$
    declare
      change text;
    begin
      create temporary table suspended_keys on commit drop as
        select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as definition
        from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace;
      for change in
        select format('alter table %s drop constraint %I', k."table", k.conname) from suspended_keys k
        union all
        select format('alter table public.%I disable trigger user', tablename) from pg_tables where schemaname = 'public'
      loop
        execute change;
      end loop;
      execute (
        select format('truncate %s', string_agg(format('public.%I', tablename), ', '))
        from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations');
    end $$`)
}

export const resumeChecks = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`
    do $$
    declare
      change text;
    begin
      for change in
        select format('alter table %s add constraint %I %s', k."table", k.conname, k.definition)
        from suspended_keys k order by k."table", k.conname
      loop
        execute change;
      end loop;
      for change in
        select format('alter table public.%I enable trigger user', tablename) from pg_tables where schemaname = 'public'
      loop
        execute change;
      end loop;
    end $$`)
}

/** Everything of a Foyer that holds nothing, so that an older schema can be made in its place. */
export const dropSchemas = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`
    drop schema public cascade;
    drop schema if exists graphile_worker cascade;
    create schema public`)
}

export interface FinishedBackup {
  startedAt: Date
  target: string
  bytes: number
  isScheduled: boolean
}

export const recordBackup = async (client: pg.ClientBase, backup: FinishedBackup): Promise<void> => {
  await client.query('insert into backups (started_at, target, byte_size, is_scheduled) values ($1, $2, $3, $4)', [
    backup.startedAt,
    backup.target,
    backup.bytes,
    backup.isScheduled,
  ])
}

export interface LastBackups {
  /** The newest of all. */
  any: Date | null
  scheduled: Date | null
}

export const findLastBackups = async ({ kysely }: Database): Promise<LastBackups> => {
  const { rows } = await sql<LastBackups>`
    select max(started_at) as "any", max(started_at) filter (where is_scheduled) as scheduled from backups`.execute(
    kysely,
  )
  return rows[0]!
}
