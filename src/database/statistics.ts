import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from './database.ts'

/**
 * Tells the planner what the tables hold by now. The server finds out by itself, but after a minute or two; until then it
 * would look for the order of each ticket among all orders of the event.
 */
export const refreshStatistics = async ({ kysely }: Database): Promise<void> => {
  await sql`analyze`.execute(kysely)
}

/** PostgreSQL 18 is the first that lets itself be told. */
const CAN_BE_TOLD = `select from pg_proc where proname = 'pg_restore_attribute_stats' and pronamespace = 'pg_catalog'::regnamespace`

/** As if all rows were of one account and one event, which is what a rush looks like, and each had an ID of its own. */
const ASSUME = `
  do $$
  declare
    unknown record;
  begin
    for unknown in
      select relation.relname::text as table_name, attribute.attname::text as column_name
      from pg_class relation join pg_attribute attribute on attribute.attrelid = relation.oid
      where relation.relnamespace = 'public'::regnamespace and relation.relkind = 'r'
        and attribute.attname in ('account_id', 'event_id', 'id') and not attribute.attisdropped
        and not exists (
          select from pg_stats known where known.schemaname = 'public' and known.tablename = relation.relname
            and known.attname = attribute.attname)
    loop
      perform pg_restore_attribute_stats(
        'schemaname', 'public', 'relname', unknown.table_name, 'attname', unknown.column_name, 'inherited', false,
        'null_frac', 0::real, 'avg_width', 8, 'n_distinct', case unknown.column_name when 'id' then -1 else 1 end::real);
    end loop;
  end $$`

/**
 * Of a table that was empty so far the planner knows nothing, and takes an account and an event for as telling as a row's
 * own ID: a foreign key is then looked up by reading all that the event has. Until the server has counted, which takes
 * it a minute, it is told what to expect.
 */
export const assumeStatistics = async (client: pg.Client): Promise<void> => {
  const { rowCount } = await client.query(CAN_BE_TOLD)
  if (rowCount! > 0) await client.query(ASSUME)
}
