import { expect } from 'vitest'
import { checkAll } from '../kit/database/consistency.ts'
import { EVENT_CAPACITY, FRONT_CAPACITY, STOCK } from './model.ts'
import type { Scene } from './scene.ts'

/** What holds whoever came first. */
export const requireInvariants = async (scene: Scene) => {
  const { venue, tickets, model, actors, ball } = scene
  const { pool } = venue.app.database
  const account = venue.report.account.id
  const rows = async <T extends object>(text: string) => (await pool.query<T>(text, [account])).rows

  expect(await checkAll(venue.app)).toEqual([])

  const claims = await rows<{ ticket: number; count: number }>(
    `select ticket_id as ticket, count(*)::int as count from admissions where account_id = $1 and status = 'active' group by 1`,
  )
  const claimed = new Map(claims.map(({ ticket, count }) => [ticket, count]))
  expect(claims.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(EVENT_CAPACITY)
  expect(claimed.get(tickets['ga']!) ?? 0).toBeLessThanOrEqual(STOCK.ga)
  expect(claimed.get(tickets['floor']!) ?? 0).toBeLessThanOrEqual(FRONT_CAPACITY)

  const twice = `having count(*) > 1`
  expect(
    await rows(
      `select place_id from admissions where account_id = $1 and status = 'active' and place_id is not null group by 1 ${twice}`,
    ),
  ).toEqual([])
  expect(
    await rows(
      `select admission_id from redemption_attempts where account_id = $1 and result = 'accepted' group by 1 ${twice}`,
    ),
  ).toEqual([])
  expect(
    await rows(`select email from signup_requests where account_id = $1 group by event_id, email ${twice}`),
  ).toEqual([])
  expect(
    await rows(
      `select id from (select id, position, row_number() over (partition by status order by position) as place from tasks
       where account_id = $1 and archived_at is null) as board where position <> place`,
    ),
  ).toEqual([])
  expect(
    await rows(`select id from memberships where account_id = $1 and role = 'owner' and deactivated_at is null`),
  ).not.toEqual([])

  const { body } = await actors['office']!.get(`${ball}/guest_list_forms`)
  for (const { public_id: id, admission_count: count } of body.forms) {
    expect(count).toBeLessThanOrEqual(model.links.find((link) => link.id === id)!.capacity)
  }
}
