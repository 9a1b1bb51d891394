import type pg from 'pg'

/** A connection of a move to one of its servers. */
export type Client = pg.Client

export interface Move {
  accountId: number
  moveId: string
  source: string
  target: string
  hasArrived: boolean
}

const MOVE_LOCK = 5_263_190

/** Held for as long as the connection: whoever holds it is the only one at work on this account. */
export const tryLockMove = async (directory: Client, accountId: number): Promise<boolean> => {
  const { rows } = await directory.query<{ isLocked: boolean }>(
    `select pg_try_advisory_lock($1::int, hashtext($2)) as "isLocked"`,
    [MOVE_LOCK, String(accountId)],
  )
  return rows[0]!.isLocked
}

/** Moves hold it shared and a backup alone, so that an archive of each server together have every account once. */
const MOVES_LOCK = 5_263_191

export const tryShareMoves = async (directory: Client): Promise<boolean> => {
  const { rows } = await directory.query<{ isLocked: boolean }>(
    'select pg_try_advisory_lock_shared($1) as "isLocked"',
    [MOVES_LOCK],
  )
  return rows[0]!.isLocked
}

export const holdMoves = async (directory: Client): Promise<void> => {
  await directory.query('select pg_advisory_lock($1)', [MOVES_LOCK])
}

export const unlockMove = async (directory: Client, accountId: number): Promise<void> => {
  await directory.query('select pg_advisory_unlock($1::int, hashtext($2))', [MOVE_LOCK, String(accountId)])
}

const MOVE = `account_id::float8 as "accountId", move_id as "moveId", source, target, has_arrived as "hasArrived"`

export const findMove = async (directory: Client, accountId: number): Promise<Move | null> => {
  const { rows } = await directory.query<Move>(`select ${MOVE} from account_moves where account_id = $1`, [accountId])
  return rows[0] ?? null
}

/** Whether nobody has settled it meanwhile, in place of a mover that seemed dead. */
export const isCurrentMove = async (directory: Client, { accountId, moveId }: Move): Promise<boolean> => {
  const move = await findMove(directory, accountId)
  return move?.moveId === moveId
}

export const findMoves = async (directory: Client): Promise<Move[]> => {
  const { rows } = await directory.query<Move>(`select ${MOVE} from account_moves order by account_id`)
  return rows
}

export const insertMove = async (
  directory: Client,
  { accountId, source, target }: Pick<Move, 'accountId' | 'source' | 'target'>,
): Promise<Move> => {
  const { rows } = await directory.query<Move>(
    `insert into account_moves (account_id, source, target) values ($1, $2, $3) returning ${MOVE}`,
    [accountId, source, target],
  )
  return rows[0]!
}

export const deleteMove = async (directory: Client, { accountId, moveId }: Move): Promise<void> => {
  await directory.query('delete from account_moves where account_id = $1 and move_id = $2', [accountId, moveId])
}

/** From here on the account is served by its target. False when somebody has given the move up meanwhile. */
export const recordArrival = async (directory: Client, move: Move, main: string): Promise<boolean> => {
  await directory.query('begin')
  const { rows } = await directory.query<{ moveId: string }>(
    `update account_moves set has_arrived = true where account_id = $1 and move_id = $2 returning move_id as "moveId"`,
    [move.accountId, move.moveId],
  )
  if (rows.length === 0) {
    await directory.query('rollback')
    return false
  }
  if (move.target === main) await directory.query('delete from account_shards where account_id = $1', [move.accountId])
  else {
    await directory.query(
      `insert into account_shards (account_id, shard) values ($1, $2)
       on conflict (account_id) do update set shard = excluded.shard`,
      [move.accountId, move.target],
    )
  }
  await directory.query('commit')
  return true
}

/** Whoever carried it cannot bring it to its end any more. */
export const recordGivingUp = async (directory: Client, { accountId }: Move): Promise<Move> => {
  const { rows } = await directory.query<Move>(
    `update account_moves set move_id = gen_random_uuid() where account_id = $1 returning ${MOVE}`,
    [accountId],
  )
  return rows[0]!
}

/** No new jobs are started; or nothing is written any more. */
export const recordPause = async (server: Client, { accountId, moveId }: Move, isPaused: boolean): Promise<void> => {
  await server.query(
    `insert into account_pauses (account_id, move_id, is_paused) values ($1, $2, $3)
     on conflict (account_id) do update set move_id = excluded.move_id, is_paused = excluded.is_paused`,
    [accountId, moveId, isPaused],
  )
}

/** That of this move, and not of a later one. */
export const deletePause = async (server: Client, { accountId, moveId }: Move): Promise<void> => {
  await server.query('delete from account_pauses where account_id = $1 and move_id = $2', [accountId, moveId])
}

export const countRunningJobs = async (server: Client, { accountId }: Move): Promise<number> => {
  const { rows } = await server.query<{ count: number }>(
    `select count(*)::int as count from lane_jobs where account_id = $1 and state = 'running'`,
    [accountId],
  )
  return rows[0]!.count
}

/** Every transaction that has begun to write by now has a lower number than this. */
export const drawTransactionNumber = async (server: Client): Promise<string> => {
  const { rows } = await server.query<{ number: string }>(`-- taken as not null: number (every transaction can have one)
     select pg_current_xact_id()::text as number`)
  return rows[0]!.number
}

export const haveAllEndedBefore = async (server: Client, number: string): Promise<boolean> => {
  const { rows } = await server.query<{ haveEnded: boolean }>(
    `-- taken as not null: haveEnded (both numbers are there)
     select pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 as "haveEnded"`,
    [number],
  )
  return rows[0]!.haveEnded
}

export interface AccountTable {
  table: string
  /** The column that says whose a row is. */
  account: string
  columns: string[]
  /** The sequence that its IDs are drawn from. */
  sequence: string | null
}

/** All tables with rows of accounts; what the database computes by itself is left out of their columns. */
export const findAccountTables = async (server: Client): Promise<AccountTable[]> => {
  const { rows } = await server.query<AccountTable>(`
    select c.relname as "table", owned.attname::text as account,
      array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum
      ) as columns,
      (
        select pg_get_serial_sequence(format('public.%I', c.relname), a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'id' and a.attidentity <> ''
      ) as sequence
    from pg_class c
    join pg_attribute owned on owned.attrelid = c.oid and not owned.attisdropped
      and owned.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and c.relname not in ('account_shards', 'account_moves', 'account_pauses', 'directory_entries')
    order by c.relname`)
  return rows
}

/** A statement about tables that were found; its text is made of their names, and of the number of an account. */
const runText = async <Row extends pg.QueryResultRow>(
  server: Client,
  text: string,
  values?: unknown[],
): Promise<Row[]> => {
  const { rows } = await server.query<Row>(text, values)
  return rows
}

/** In this transaction triggers and foreign keys rest: rows come and go as they are. Needs the right to say so. */
export const suspendChecks = async (server: Client): Promise<void> => {
  await server.query('set local session_replication_role = replica')
}

export const maySuspendChecks = async (server: Client): Promise<boolean> => {
  await server.query('begin')
  try {
    await suspendChecks(server)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return false
    throw error
  } finally {
    await server.query('rollback')
  }
}

const rowsOf = ({ table, account }: AccountTable, accountId: number) =>
  `from public."${table}" where "${account}" = ${accountId}`

/** In one question each, because nothing of the account can be written until all of them are answered. */
export const deleteRows = async (server: Client, tables: readonly AccountTable[], accountId: number): Promise<void> => {
  await runText(server, tables.map((table) => `delete ${rowsOf(table, accountId)}`).join(';\n'))
}

/** Those of the tables that have rows of the account. */
export const findFilledTables = async (
  server: Client,
  tables: readonly AccountTable[],
  accountId: number,
): Promise<AccountTable[]> => {
  const filled = tables.map((table) => `exists (select ${rowsOf(table, accountId)})`)
  const rows = await runText<{ filled: boolean[] }>(server, `select array[${filled.join(',\n')}] as filled`)
  return tables.filter((_, n) => rows[0]!.filled[n])
}

/** How many rows of the account each of the tables has. */
export const countRows = async (
  server: Client,
  tables: readonly AccountTable[],
  accountId: number,
): Promise<number[]> => {
  const counts = tables.map((table) => `(select count(*)::float8 ${rowsOf(table, accountId)})`)
  const rows = await runText<{ counts: number[] }>(server, `select array[${counts.join(',\n')}]::float8[] as counts`)
  return rows[0]!.counts
}

const columnList = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

export const copyOut = (table: AccountTable, accountId: number) =>
  `copy (select ${columnList(table.columns)} ${rowsOf(table, accountId)}) to stdout`

export const copyIn = ({ table, columns }: AccountTable) => `copy public."${table}" (${columnList(columns)}) from stdin`

/** The server draws beyond what the account has brought. One number at a time, so that nobody draws the same twice. */
export const drawBeyond = async (server: Client, tables: readonly AccountTable[], accountId: number): Promise<void> => {
  const drawn = tables.filter(({ table, sequence }) => sequence !== null && table !== 'accounts')
  if (drawn.length === 0) return
  await runText(server, drawn.map((table) => drawBeyondText(table, accountId)).join(';\n'))
}

const drawBeyondText = (table: AccountTable, accountId: number) => `
  -- Over a wide gap in one step: nobody draws a thousand numbers while one statement looks and sets.
  select setval('${table.sequence}', s.last_value + (beyond.id - s.last_value) / 1024 * 1024)
  from ${table.sequence} s, (select max(id) as id ${rowsOf(table, accountId)}) beyond
  where beyond.id > s.last_value + 1024 * 1000;
  select count(nextval('${table.sequence}')) from pg_sequences s, generate_series(
    coalesce(s.last_value, s.start_value),
    (select coalesce(max(id), 0) ${rowsOf(table, accountId)}), s.increment_by)
  where format('%I.%I', s.schemaname, s.sequencename)::regclass = '${table.sequence}'::regclass`

interface CopiedPerson {
  id: string
  name: string
  email: string
}

/** Everybody who is named in the rows of an account. */
export const findPeopleOf = async (server: Client, accountId: number): Promise<CopiedPerson[]> => {
  const { rows: references } = await server.query<{ table: string; column: string }>(`
    select c.relname as "table", a.attname::text as "column"
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'public.people'::regclass and exists (
      select from pg_attribute o where o.attrelid = c.oid and o.attname = 'account_id')`)
  const ids = references.map(({ table, column }) => `select "${column}" from public."${table}" where account_id = $1`)
  return runText<CopiedPerson>(
    server,
    `select id::text, name, email from people where id in (${ids.join(' union ')})`,
    [accountId],
  )
}

export const insertPeople = async (server: Client, people: readonly CopiedPerson[]): Promise<void> => {
  await server.query(
    `insert into people (id, name, email)
     select id, name, email from json_to_recordset($1) as given (id bigint, name text, email text)
     on conflict do nothing`,
    [JSON.stringify(people)],
  )
}

/** What leads to an account, as its own server has it. */
const KEYS = `
  -- taken as not null: key (each is the key of its table)
  select 'credential' as kind, digest as key from credential_digests where account_id = $1
  union select 'invitation', digest from invitation_tokens where account_id = $1
  union select 'pairing', digest from pairing_digests where account_id = $1
  union select 'payment_webhook', convert_to(key, 'UTF8') from payment_webhook_keys where account_id = $1
  union select 'host', convert_to(host, 'UTF8') from shop_hosts where account_id = $1
  union select 'subdomain', convert_to(subdomain, 'UTF8') from accounts where id = $1
  union select 'wallet_device', device_digest from wallet_registrations where account_id = $1
  union select 'person', int8send(person_id) from memberships where account_id = $1`

export interface DirectoryEntry {
  kind: string
  key: Buffer
}

export const findKeys = async (server: Client, accountId: number): Promise<DirectoryEntry[]> => {
  const { rows } = await server.query<DirectoryEntry>(KEYS, [accountId])
  return rows
}

export const insertEntries = async (directory: Client, accountId: number, entries: readonly DirectoryEntry[]) => {
  await directory.query(
    `insert into directory_entries (kind, key, account_id)
     select kind, key, $1 from unnest($2::text[], $3::bytea[]) as given (kind, key)
     on conflict do nothing`,
    [accountId, entries.map(({ kind }) => kind), entries.map(({ key }) => key)],
  )
}

export const deleteEntries = async (directory: Client, accountId: number): Promise<void> => {
  await directory.query('delete from directory_entries where account_id = $1', [accountId])
}

/** Those that are older than an hour, so that nothing is under way for them. */
export const findOldEntries = async (directory: Client, accountId: number): Promise<DirectoryEntry[]> => {
  const { rows } = await directory.query<DirectoryEntry>(
    `select kind, key from directory_entries where account_id = $1 and created_at < foyer_now() - interval '1 hour'`,
    [accountId],
  )
  return rows
}

export const deleteListedEntries = async (directory: Client, accountId: number, entries: readonly DirectoryEntry[]) => {
  await directory.query(
    `delete from directory_entries e using unnest($2::text[], $3::bytea[]) as given (kind, key)
     where e.account_id = $1 and e.kind = given.kind and e.key = given.key`,
    [accountId, entries.map(({ kind }) => kind), entries.map(({ key }) => key)],
  )
}

/** Accounts that entries lead to. */
export const findListedAccountIds = async (directory: Client): Promise<number[]> => {
  const { rows } = await directory.query<{ accountId: number }>(
    'select distinct account_id::float8 as "accountId" from directory_entries order by 1',
  )
  return rows.map(({ accountId }) => accountId)
}

export const findShardOf = async (directory: Client, accountId: number): Promise<string> => {
  const { rows } = await directory.query<{ shard: string }>('select shard from account_shards where account_id = $1', [
    accountId,
  ])
  return rows[0]?.shard ?? 'main'
}

/** What rooms remember of a shop that was here is made anew, wherever it is. */
export const tellShopChanged = async (server: Client, accountId: number): Promise<void> => {
  await server.query(`select pg_notify('shop', $1)`, [String(accountId)])
}

export const findAccountId = async (server: Client, subdomain: string): Promise<number | null> => {
  const { rows } = await server.query<{ id: number }>('select id::float8 as id from accounts where subdomain = $1', [
    subdomain,
  ])
  return rows[0]?.id ?? null
}

export const hasAccount = async (server: Client, accountId: number): Promise<boolean> => {
  const { rows } = await server.query('select from accounts where id = $1', [accountId])
  return rows.length > 0
}
