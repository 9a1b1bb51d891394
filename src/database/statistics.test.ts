import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openFarDatabase } from '../../test/kit/database/far-database.ts'
import { withClient } from '../../test/kit/database/template.ts'
import { runFoyer } from '../../test/kit/process/foyer-process.ts'
import { neueHalle } from '../../test/kit/venue/neue-halle.ts'

test('once a venue is loaded, the planner knows how much there is', { timeout: 120_000 }, async () => {
  const far = await openFarDatabase('statistics')
  try {
    const { code } = await runFoyer(['load', '-'], far.environment, JSON.stringify(neueHalle('neue-halle')))
    expect(code).toBe(0)
    const { rows } = await far.beside.query(
      `select reltuples::int as known, (select count(*)::int from tickets) as there
       from pg_class where oid = 'tickets'::regclass`,
    )
    expect(rows[0].there).toBeGreaterThan(0)
    expect(rows[0].known).toBe(rows[0].there)
  } finally {
    await far.close()
  }
})

/** How a foreign key to a hold is checked, among three thousand of one event that nobody has counted yet. */
const planOfHold = async (beforehand: string): Promise<string> => {
  const database = await cloneDatabase()
  try {
    return await withClient(database.connection, async (client) => {
      await client.query(`set session_replication_role = replica; ${beforehand}`)
      await client.query(
        `insert into holds (account_id, event_id, ticket_id, quantity, stock_quantity, expires_at)
         select 1, 1, 1, 1, 1, now() from generate_series(1, 3000)`,
      )
      await client.query('set enable_seqscan = off')
      const { rows } = await client.query(
        'explain (costs off) select from only holds where account_id = 1 and event_id = 1 and id = 7 for key share',
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  } finally {
    await database.drop()
  }
}

test('where nothing was counted yet a row is looked up by its own key, not among all of its event', async () => {
  expect(await planOfHold('')).not.toContain('Filter')
  // Control: nobody has said what to expect.
  expect(
    await planOfHold(`select pg_clear_attribute_stats('public', relname, attname, false)
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relname = 'holds' and attname in ('account_id', 'event_id', 'id')`),
  ).toContain('Filter: (id = 7)')
})
