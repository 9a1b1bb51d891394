import type pg from 'pg'
import { takeTask, timeClients } from './frame.ts'

export interface BareClaims {
  connection: pg.ClientConfig
  clients: number
  count: number
  accountId: number
  eventId: number
}

/** What the database alone can do: two of one ticket claimed, and the order with its admissions written, in one statement. */
const CLAIM = `
  with claimed as (
    update events set claimed_count = claimed_count + 2 where account_id = $1 and id = $2 returning id
  ), of_ticket as (
    update tickets t set claimed_count = t.claimed_count + 2 from claimed
    where t.account_id = $1 and t.event_id = claimed.id and t.position = 1 returning t.id, t.title
  ), made as (
    insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, paid_at)
    select $1, $2, $3, upper($3), 'guest_list', 'paid', 'Petra Press', foyer_now() from of_ticket returning id
  )
  insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position, is_lead)
  select $1, $2, made.id, $3 || n, translate(upper(substr(md5($3 || n), 1, 8)), '01', 'XY'), of_ticket.id, of_ticket.title, n, n = 0
  from made, of_ticket, generate_series(0, 1) n`

const claim = ({ accountId, eventId, ...run }: BareClaims) =>
  timeClients(run, async (client, n) => {
    await client.query({ name: 'bare', text: CLAIM, values: [accountId, eventId, `bare${n}`] })
  })

await takeTask(claim)
