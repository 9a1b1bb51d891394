import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { checkAll } from '../../database/consistency.ts'
import type { Sales } from './house.ts'

/** Each statement finds what must not be there once everything has settled. $1 is the account. */
const NEVER: Record<string, string> = {
  'a payment that never ends': `
    select p.public_id, p.status, p.failure_message from payments p
    join payment_methods m on m.account_id = p.account_id and m.id = p.payment_method_id
    where p.account_id = $1 and p.status in ('none', 'pending') and m.name <> 'at_the_door'`,
  'money that was kept for nothing': `
    select p.public_id, p.amount_cents, p.refunded_cents, o.status from payments p
    left join orders o on o.account_id = p.account_id and o.checkout_id = p.payable_id
    where p.account_id = $1 and p.status = 'paid' and p.refunded_cents < p.amount_cents
      and (o.status is null or o.status = 'cancelled') and not exists (
        select from voucher_purchases v where v.account_id = p.account_id and v.checkout_id = p.payable_id)`,
  'a purchase of vouchers that was paid otherwise than it says': `
    select c.public_id from checkouts c
    where c.account_id = $1 and c.purchase_code is not null and (
      select coalesce(sum(p.amount_cents - p.refunded_cents), 0) from payments p
      where p.account_id = c.account_id and p.payable_id = c.id and p.status = 'paid'
    ) <> (
      select sum(v.paid_cents - v.refunded_cents) from voucher_purchases v
      where v.account_id = c.account_id and v.checkout_id = c.id)`,
  'somebody who paid twice': `
    select payable_id from payments where account_id = $1 and status = 'paid' and not is_by_hand
      and refunded_cents < amount_cents
    group by payable_id having count(*) > 1`,
  'a refund that was not paid out': `
    select public_id, status, failure_message from payment_refunds
    where account_id = $1 and status not in ('paid', 'by_hand')`,
  'a sale without its receipt': `
    select o.public_id from orders o where o.account_id = $1 and o.checkout_id is not null
      and o.status in ('paid', 'refunded') and not exists (
        select from receipts r where r.account_id = o.account_id and r.checkout_id = o.checkout_id and r.kind = 'sale')`,
  'an order with other tickets than were bought': `
    select o.public_id from orders o where o.account_id = $1 and o.checkout_id is not null and (
      select count(*) from admissions a where a.account_id = o.account_id and a.order_id = o.id
    ) <> (
      select sum(i.quantity * i.admissions_each) from checkout_items i
      where i.account_id = o.account_id and i.checkout_id = o.checkout_id)`,
  'a seat of two': `
    select place_id from admissions where account_id = $1 and status = 'active' and place_id is not null
    group by place_id having count(*) > 1`,
  'a hold that is left over': `select id, ticket_id, expires_at from holds where account_id = $1`,
  'voucher money that is still set aside': `
    select public_id from voucher_reservations where account_id = $1 and captured_at is null and released_at is null`,
  'a checkout that never ends': `
    select c.public_id, c.status, c.expires_at from checkouts c
    where c.account_id = $1 and c.status in ('open', 'pending') and not exists (
      select from orders o where o.account_id = c.account_id and o.checkout_id = c.id and o.status = 'unpaid')`,
}

export interface SaleFault {
  what: string
  rows: unknown[]
}

/** Everything that is wrong with a shop in which nothing is under way any more; nothing is the only good answer. */
export const findSaleFaults = async (sales: Sales): Promise<SaleFault[]> => {
  const found = await findMoneyFaults(sales)
  const note = (what: string, rows: unknown[]) => rows.length > 0 && found.push({ what, rows: rows.slice(0, 5) })
  note('an answer that Foyer must not give', sales.faults)
  note('something that the audit finds', await checkAll(sales.app))
  note('a buyer whose tickets were never mailed', await findUnmailed(sales))
  return found
}

/** Where a cent is not accounted for, or a seat, a hold or a checkout was left over. */
export const findMoneyFaults = async (sales: Pick<Sales, 'pool' | 'stripe' | 'accountId'>): Promise<SaleFault[]> => {
  const found: SaleFault[] = []
  const note = (what: string, rows: unknown[]) => rows.length > 0 && found.push({ what, rows: rows.slice(0, 5) })
  for (const [what, statement] of Object.entries(NEVER)) {
    note(what, (await sales.pool.query(statement, [sales.accountId])).rows)
  }
  note('money that Stripe and Foyer count differently', await compareWithStripe(sales))
  return found
}

/** What Stripe has kept of each session against what Foyer says it has. */
const compareWithStripe = async ({ pool, stripe, accountId }: Pick<Sales, 'pool' | 'stripe' | 'accountId'>) => {
  const { rows } = await pool.query<{ reference: string; kept: number }>(
    `select p.provider_reference as reference, p.public_id, p.status, p.is_surplus, p.checks_count, p.failure_message,
       (case p.status when 'paid' then p.amount_cents - p.refunded_cents else 0 end)::int as kept
     from payments p join payment_methods m on m.account_id = p.account_id and m.id = p.payment_method_id
     where p.account_id = $1 and m.name = 'stripe' and p.provider_reference is not null`,
    [accountId],
  )
  const here = new Map(rows.map((row) => [row.reference, row]))
  const back = new Map<string, number>()
  for (const { payment_intent: intent, amount } of stripe.refunds.values()) {
    back.set(intent, (back.get(intent) ?? 0) + amount)
  }
  return [...stripe.sessions.values()].flatMap((session) => {
    const paid = session.payment_status === 'paid' ? session.amount_total : 0
    const kept = paid - (back.get(session.payment_intent ?? '') ?? 0)
    const isSame = kept === (here.get(session.id)?.kept ?? 0)
    return isSame ? [] : [{ session, kept, here: here.get(session.id) ?? null }]
  })
}

/** Every order that was paid once has told its buyer, who may hear of it twice and never not at all. */
const findUnmailed = async ({ pool, accountId, dataFolder }: Sales): Promise<string[]> => {
  const { rows } = await pool.query<{ email: string }>(
    `select delivery_email as email from orders where account_id = $1 and checkout_id is not null and paid_at is not null
       and status = 'paid'`,
    [accountId],
  )
  const told = new Set<string>()
  const folder = path.join(dataFolder, 'outbox')
  for (const file of await readdir(folder)) {
    const handle = await open(path.join(folder, file))
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2_048), 0, 2_048, 0)
    await handle.close()
    const head = buffer.toString('latin1', 0, bytesRead)
    const to = /^To: .*?([\w.-]+@[\w.-]+)/m.exec(head)?.[1]
    if (to && /^Subject: Your tickets/m.test(head)) told.add(to)
  }
  return rows.map(({ email }) => email).filter((email) => !told.has(email))
}
