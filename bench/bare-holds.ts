import type pg from 'pg'
import { takeTask, timeClients } from './frame.ts'

export interface BareHolds {
  connection: pg.ClientConfig
  clients: number
  count: number
  accountId: number
  eventId: number
  ticketId: number
}

/** What the database alone can do: two of one ticket claimed, held and put into a checkout, in one statement. */
const HOLD = `
  with claimed as (
    update events set claimed_count = claimed_count + 2 where account_id = $1 and id = $2 returning id
  ), of_ticket as (
    update tickets t set claimed_count = t.claimed_count + 2 from claimed
    where t.account_id = $1 and t.event_id = claimed.id and t.id = $3 returning t.id, t.title
  ), held as (
    insert into holds (account_id, event_id, ticket_id, quantity, stock_quantity, expires_at)
    select $1, $2, of_ticket.id, 2, 2, foyer_now() + interval '15 minutes' from of_ticket returning id
  ), made as (
    insert into checkouts (account_id, public_id, token_digest, token_sealed, event_id, expires_at, language)
    select $1, $4::text, sha256(convert_to($4::text, 'UTF8')), '', $2, foyer_now() + interval '15 minutes', 'en' from held returning id
  )
  insert into checkout_items (account_id, checkout_id, position, event_id, ticket_id, title, quantity, unit_price_cents, tax_rate, hold_id)
  select $1, made.id, 1, $2, of_ticket.id, of_ticket.title, 2, 2500, 0, held.id from made, of_ticket, held`

const hold = ({ accountId, eventId, ticketId, ...run }: BareHolds) =>
  timeClients(run, async (client, n) => {
    await client.query({ name: 'bare', text: HOLD, values: [accountId, eventId, ticketId, `bare${n}`] })
  })

await takeTask(hold)
