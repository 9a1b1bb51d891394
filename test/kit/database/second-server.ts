import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import type { App } from '../../../src/access/app.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { ENDPOINTS } from '../../../src/main.ts'
import { openOwnConnections } from '../venue/own-connections.ts'

type Asked = string | { text: string }

/**
 * A further server on the same database, with connections of its own: what one process settles by itself, two must
 * settle by the database's locks. Its statements can be changed on their way, to see what they would be without a guard,
 * and be a while on their way, as over a slow line.
 */
export const openSecondServer = async (
  app: App,
  change: (statement: string) => string = (statement) => statement,
  { pauseMs = 0 }: { pauseMs?: number } = {},
) => {
  const own = await openOwnConnections(app, ({ pool }) => {
    pool.on('connect', (client: pg.PoolClient) => {
      const query = client.query.bind(client) as (asked: Asked, ...rest: unknown[]) => unknown
      const changed = (asked: Asked, ...rest: unknown[]) => {
        const send = () =>
          query(typeof asked === 'string' ? change(asked) : Object.assign(asked, { text: change(asked.text) }), ...rest)
        return pauseMs === 0 || typeof rest.at(-1) === 'function' ? send() : setTimeout(pauseMs).then(send)
      }
      client.query = changed as typeof client.query
    })
  })
  const server = openServer(own.front, ENDPOINTS)
  return {
    origin: await server.listen({ port: 0, host: '127.0.0.1' }),
    close: async () => {
      await server.close()
      await own.close()
    },
  }
}

/** The same statement, but it waits for nobody. */
export const withoutLocks = (statement: string) =>
  statement
    .replace(/\bfor (no key )?(update|share)( of \w+(, \w+)*)?( skip locked)?/gi, '')
    .replace(/pg_advisory_xact_lock\(hashtextextended\((\$\d+), 0\)\)/g, '$1::text')

/** The same transaction, but each of its statements sees what has been written by then. */
export const withoutSnapshots = (statement: string) => statement.replace(' isolation level repeatable read', '')

const GATE = 7_140_133

/** Holds everybody who inserts into a table until the gate is opened. */
export const closeGate = async (pool: pg.Pool, table: string) => {
  const keeper = await pool.connect()
  await keeper.query(`
    create or replace function wait_at_the_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${GATE}); return new; end $$;
    create trigger wait_at_the_gate before insert on ${table} for each row execute function wait_at_the_gate()`)
  await keeper.query(`select pg_advisory_lock(${GATE})`)

  return {
    /** Comes back once so many wait, at the gate or for somebody who waits there, or once the work is done. */
    waiting: async (count: number, work: Promise<unknown> = new Promise(() => {})) => {
      const done = new AbortController()
      void work.then(
        () => done.abort(),
        () => done.abort(),
      )
      const isEnough = async () => {
        const { rows } = await keeper.query<{ count: number }>(
          `select count(distinct pid)::int as count from pg_locks where not granted
           and pid in (select pid from pg_stat_activity where datname = current_database())`,
        )
        return rows[0]!.count >= count
      }
      while (!done.signal.aborted && !(await isEnough()));
    },
    open: async () => {
      await keeper.query(`select pg_advisory_unlock(${GATE})`)
      await keeper.query(`drop trigger wait_at_the_gate on ${table}`)
      keeper.release()
    },
  }
}
