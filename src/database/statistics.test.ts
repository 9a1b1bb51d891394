import { expect, test } from 'vitest'
import { openFarDatabase } from '../../test/kit/database/far-database.ts'
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
