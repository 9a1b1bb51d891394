import { runFoyer } from '../kit/process/foyer-process.ts'
import { findMoneyFaults } from '../kit/venue/sales/faults.ts'
import type { House } from './house.ts'

/**
 * What must never happen, by the numbers of the domain's invariants. Each statement finds what breaks it; $1 is the
 * account. Those without one are watched while the season is played: I14 by what is logged, I15, I21 and I22 by what is
 * answered, I17 and I19 by who acts, I18 by the post; I10 and I13 by what is counted beside its rows, which the audit does.
 */
const NEVER: Record<string, string> = {
  'I2: more of a ticket than there is': `
    select t.id from tickets t where t.account_id = $1 and t.stock < (
      select coalesce(sum(a.stock_quantity), 0) from admissions a
      where a.account_id = t.account_id and a.ticket_id = t.id and a.status = 'active')`,
  'I2: more in an area than it holds': `
    select s.id from standing_areas s where s.account_id = $1 and s.capacity < (
      select count(*) from admissions a
      where a.account_id = s.account_id and a.standing_area_id = s.id and a.status = 'active')`,
  'I3: two on one seat': `
    select place_id from admissions where account_id = $1 and status = 'active' and place_id is not null
    group by place_id having count(*) > 1`,
  'I4: somebody let in twice': `
    select admission_id from redemption_attempts where account_id = $1 and result = 'accepted' and kind = 'entry'
    group by admission_id having count(*) > 1`,
  'I4: let in and cancelled': `
    select id from admissions where account_id = $1 and status = 'cancelled' and redeemed_at is not null`,
  'I4: let in without an attempt that says so': `
    select a.id from admissions a where a.account_id = $1 and a.redeemed_at is not null and not exists (
      select from redemption_attempts r where r.account_id = a.account_id and r.admission_id = a.id and r.result = 'accepted')`,
  'I5: one attempt of a phone kept twice': `
    select client_id from redemption_attempts where account_id = $1 and client_id is not null
    group by credential_id, client_id having count(*) > 1`,
  'I6: counters that do not fit': `
    select t.id from tickets t where t.account_id = $1 and t.claimed_count <> (
      select coalesce(sum(a.stock_quantity), 0) from admissions a
      where a.account_id = t.account_id and a.ticket_id = t.id and a.status = 'active')`,
  'I7: a link that gave more than it had': `
    select l.id from signup_links l where l.account_id = $1 and l.capacity < (
      select count(*) from signup_requests r join admissions a on a.account_id = r.account_id and a.order_id = r.order_id
      where r.account_id = l.account_id and r.link_id = l.id and a.status = 'active')`,
  'I8: two signups of one address': `
    select email from signup_requests where account_id = $1 group by event_id, email having count(*) > 1`,
  'I9: one party of two requests': `
    select order_id from signup_requests where account_id = $1 and order_id is not null
    group by order_id having count(*) > 1`,
  'I10: a party without admissions': `
    select o.id from orders o where o.account_id = $1 and not exists (
      select from admissions a where a.account_id = o.account_id and a.order_id = o.id)`,
  'I11: a balance below nothing': `
    select id from vouchers where account_id = $1 and (balance_cents < 0 or reserved_cents not between 0 and balance_cents)`,
  'I12: a balance that its ledger does not say': `
    select v.id from vouchers v where v.account_id = $1 and v.balance_cents <> (
      select sum(e.amount_cents) from voucher_entries e where e.account_id = v.account_id and e.voucher_id = v.id)`,
  'I16: nobody owns the house': `
    select 1 where not exists (
      select from memberships where account_id = $1 and role = 'owner' and deactivated_at is null)`,
}

/** Everything of the venue next door, in one sum: I1 is that it stays what it was. */
export const sumUpNextDoor = async ({ pool, otherAccountId }: Pick<House, 'pool' | 'otherAccountId'>) => {
  const tables = ['events', 'tickets', 'orders', 'admissions', 'memberships', 'tasks', 'vouchers', 'signup_links']
  const sums = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await pool.query(
        `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t where account_id = $1`,
        [otherAccountId],
      )
      return rows[0].sum as string
    }),
  )
  return sums.join(' ')
}

/** Everything that went wrong in a season that has come to rest; nothing is the only good answer. */
export const findSeasonFaults = async (house: House, nextDoor: string, interruptions: number): Promise<string[]> => {
  const { pool, accountId } = house
  const found: string[] = [...house.faults]
  const rows = async (statement: string, values: unknown[] = [accountId]) => (await pool.query(statement, values)).rows
  for (const [what, statement] of Object.entries(NEVER)) {
    const broken = await rows(statement)
    if (broken.length > 0) found.push(`${what}: ${JSON.stringify(broken.slice(0, 5))}`)
  }
  for (const { what, rows: left } of await findMoneyFaults(house)) found.push(`${what}: ${JSON.stringify(left)}`)
  if ((await sumUpNextDoor(house)) !== nextDoor) found.push('I1: something happened to the venue next door')
  found.push(...(await findLostAcknowledgements(house)), ...(await findWrongMails(house, interruptions)))
  found.push(...findSecrets(house))
  const failed = await rows(`select name, last_error from lane_jobs where account_id = $1 and state = 'failed'`)
  if (failed.length > 0) found.push(`jobs that were given up: ${JSON.stringify(failed.slice(0, 5))}`)
  const audit = await runFoyer(['audit'], house.environment)
  if (audit.code !== 0) found.push(`foyer audit: ${audit.stdout} ${audit.stderr}`)
  return found
}

/** What Foyer has said yes to is there, once. */
const findLostAcknowledgements = async ({ pool, accountId, acknowledged, entries, attempts }: House) => {
  const found: string[] = []
  const { rows: issued } = await pool.query(
    `select coalesce(sum(e.amount_cents), 0)::int as cents from voucher_entries e
     join vouchers v on v.account_id = e.account_id and v.id = e.voucher_id
     where e.account_id = $1 and e.kind = 'issuance' and v.source = 'manual'`,
    [accountId],
  )
  if (issued[0].cents !== acknowledged.issuedCents)
    found.push(`vouchers of ${issued[0].cents} cents were issued, and ${acknowledged.issuedCents} acknowledged`)
  const { rows: reasons } = await pool.query<{ reason: string; count: number }>(
    `select reason, count(*)::int as count from voucher_entries where account_id = $1 and reason is not null group by 1`,
    [accountId],
  )
  const counts = new Map(reasons.map(({ reason, count }) => [reason, count]))
  for (const reason of acknowledged.corrections) {
    const count = counts.get(reason) ?? 0
    if (count !== 1) found.push(`the correction “${reason}” is there ${count} times`)
  }
  for (const [ticket, scans] of entries)
    if (scans.size > 1) found.push(`I4: ${ticket} was let in by ${[...scans].join(' and ')}`)
  const { rows: inside } = await pool.query<{ id: string }>(
    'select public_id as id from admissions where account_id = $1 and redeemed_at is not null',
    [accountId],
  )
  const isInside = new Set(inside.map(({ id }) => id))
  for (const ticket of entries.keys()) if (!isInside.has(ticket)) found.push(`${ticket} was let in and is not inside`)
  const { rows: kept } = await pool.query<{ id: string }>(
    'select client_id as id from redemption_attempts where account_id = $1',
    [accountId],
  )
  const isKept = new Set(kept.map(({ id }) => id))
  for (const attempt of attempts) if (!isKept.has(attempt)) found.push(`the scan ${attempt} was lost`)
  return found
}

/** I18: everybody has the mails they were promised, once, and nobody any other. */
const findWrongMails = async ({ pool, accountId, post, mail }: House, interruptions: number) => {
  const { rows } = await pool.query<{ email: string; status: string; isPaid: boolean }>(
    `select delivery_email as email, status, paid_at is not null as "isPaid" from orders
     where account_id = $1 and checkout_id is not null`,
    [accountId],
  )
  for (const { email, status, isPaid } of rows)
    post.expect(email, 'tickets', { least: isPaid && status === 'paid' ? 1 : 0, most: 1 })
  return post.findFaults(mail.taken, interruptions)
}

/** I14: no code and no credential in anything that was logged. */
const findSecrets = ({ log, voucherCodes, officeToken, phoneTokens }: House) => {
  const said = log()
  const secrets = [...voucherCodes, officeToken, ...phoneTokens]
  return secrets.filter((secret) => said.includes(secret)).map((secret) => `I14: the log says ${secret.slice(-4)}`)
}
