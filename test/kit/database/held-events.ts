import type pg from 'pg'
import { expect } from 'vitest'

/** In this database: other tests have theirs on the same server. */
const WAITING = `select count(*)::int as count from pg_locks where not granted and locktype in ('transactionid', 'tuple')
  and pid in (select pid from pg_stat_activity where datname = current_database())`

/**
 * Asks for all of it while somebody else has the event, so that what can be served together is, once it is free. Nothing
 * has changed by then but what they are said to change.
 */
export const whileEventIsLocked = async <T>(
  pool: pg.Pool,
  { accountId, eventId }: { accountId: number; eventId: number },
  ask: () => Promise<T>[],
  change: string | null = null,
): Promise<T[]> => {
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from events where account_id = $1 and id = $2 for update', [accountId, eventId])
    if (change) await holder.query(change)
    const replies = Promise.all(ask())
    await expect.poll(async () => (await pool.query(WAITING)).rows[0].count).toBeGreaterThan(0)
    // The rest have nothing to wait for but each other; they line up while these come and go.
    for (let n = 0; n < 50; n++) await pool.query('select')
    await holder.query(change ? 'commit' : 'rollback')
    return await replies
  } finally {
    holder.release()
  }
}

export type When = 'at once' | 'at the commit'

const TRIGGERS: Record<When, string> = {
  'at once': 'create trigger refuse_order before insert on orders',
  'at the commit': 'create constraint trigger refuse_order after insert on orders deferrable initially deferred',
}

/** While the work is done, the database will not have an order of this name; answers how many it was asked to take. */
export const withoutOrdersOf = async (
  pool: pg.Pool,
  { name, when }: { name: string; when: When },
  work: () => Promise<void>,
): Promise<number> => {
  await pool.query(`
    create sequence asked_orders;
    create function refuse_order() returns trigger language plpgsql as $$
    begin
      perform nextval('asked_orders');
      if new.customer_name = '${name}' then
        raise exception using errcode = 'check_violation', constraint = 'not_this_one', message = 'not this one';
      end if;
      return new;
    end $$;
    ${TRIGGERS[when]} for each row execute function refuse_order()`)
  try {
    await work()
    return (await pool.query('select last_value::int as asked from asked_orders')).rows[0].asked
  } finally {
    await pool.query('drop trigger refuse_order on orders; drop function refuse_order; drop sequence asked_orders')
  }
}
