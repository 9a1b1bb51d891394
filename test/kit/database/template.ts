import pg from 'pg'
import { migrate } from '../../../src/database/migrate.ts'

export const TEMPLATE = 'foyer_template'

/** The migrated database that every test clones, with a foyer_now() that tests can move. */
export const makeTemplate = async (server: { host: string; user: string }) => {
  const connection = { host: server.host, user: server.user, database: TEMPLATE }

  await withClient({ ...connection, database: 'postgres' }, (admin) => admin.query(`create database ${TEMPLATE}`))
  await prepareDatabase(connection)
  await withClient({ ...connection, database: 'postgres' }, (admin) =>
    admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`),
  )
}

/** Everything that a database of a test has: our tables, and a clock that can be moved. */
export const prepareDatabase = async (connection: pg.ClientConfig) => {
  await migrate(connection)
  await withClient(connection, (client) => client.query(MOVABLE_CLOCK))
}

export const withClient = async <T>(
  connection: pg.ClientConfig,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Foyer's own foyer_now() lives on as test_kit.unmoved_now(), so that its meaning is never written twice. */
const MOVABLE_CLOCK = `
  create schema test_kit;
  create table test_kit.test_clock (
    only_row boolean primary key default true check (only_row),
    "offset" interval not null default '0'
  );
  insert into test_kit.test_clock default values;

  do $do$
  begin
    execute replace(pg_get_functiondef('public.foyer_now()'::regprocedure), 'public.foyer_now', 'test_kit.unmoved_now');
  end
  $do$;

  create or replace function public.foyer_now() returns timestamptz language sql stable parallel safe as
    'select test_kit.unmoved_now() + (select "offset" from test_kit.test_clock)';
`
