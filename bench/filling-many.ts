import type pg from 'pg'
import { digestOf, newToken } from '../src/access/tokens.ts'
import { codeOf, withoutGuards } from './filling.ts'

export interface VenueAmongMany {
  slug: string
  /** Of its one device. */
  token: string
  tickets: string[]
}

const SLUG = 'tonight'

/** So many small venues with an event tonight, a device and a few tickets each, by one statement for each kind of row. */
export const fillManyVenues = async (
  client: pg.Client,
  { venues, tickets }: { venues: number; tickets: number },
): Promise<VenueAmongMany[]> => {
  const tokens = Array.from({ length: venues }, () => newToken('scanner_device'))
  await client.query(FILL_ACCOUNTS, [venues])
  await client.query(FILL_DEVICES, [tokens.map((token) => digestOf(token))])
  await withoutGuards(client, async () => {
    await client.query(FILL_EVENTS, [SLUG])
    await client.query(FILL_ORDERS, [tickets / 2])
    await client.query(FILL_ADMISSIONS)
  })
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const { rows } = await client.query<{ tickets: string[] }>(
    `select array_agg(public_id::text) as tickets from admissions group by account_id order by account_id`,
  )
  return rows.map((row, n) => ({ slug: SLUG, token: tokens[n]!, tickets: row.tickets }))
}

const FILL_ACCOUNTS = `
  with made as (
    insert into accounts (name, subdomain)
    select 'Venue ' || n, 'venue-' || n from generate_series(1, $1::int) n order by n returning id, subdomain
  ), owners as (
    insert into people (name, email) select 'Olga Owner', 'olga@' || subdomain || '.example' from made returning id, email
  )
  insert into memberships (account_id, person_id, role)
  select made.id, owners.id, 'owner' from made join owners on owners.email = 'olga@' || made.subdomain || '.example'`

const FILL_DEVICES = `
  with made as (
    insert into credentials (account_id, kind, permission, description)
    select id, 'scanner_device', 'write', 'Door' from accounts order by id returning id, account_id
  )
  insert into credential_digests (digest, account_id, credential_id)
  select given.digest, made.account_id, made.id
  from (select row_number() over (order by account_id) as n, * from made) made
  join unnest($1::bytea[]) with ordinality as given (digest, n) using (n)`

const FILL_EVENTS = `
  with made as (
    insert into events (account_id, slug, title, starts_at, published_at)
    select id, $1, 'Tonight', foyer_now() + interval '2 hours', foyer_now() from accounts order by id returning id, account_id
  ), named as (
    insert into event_slugs (account_id, slug, event_id) select account_id, $1, id from made
  )
  insert into tickets (account_id, event_id, key, position, title, color)
  select account_id, id, 'ga', 1, 'General admission', '#2f6fed' from made`

const FILL_ORDERS = `
  insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, delivery_email, paid_at)
  select account_id, id, md5(id || '-' || n), upper(substr(md5(id || '-' || n), 1, 10)), 'shop', 'paid', 'Guest ' || n,
    'guest' || n || '@posteo.example', foyer_now()
  from events cross join generate_series(1, $1::int) n order by id, n`

const FILL_ADMISSIONS = `
  insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position, is_lead,
    search_words)
  select o.account_id, o.event_id, o.id, substr(md5(o.public_id || p), 1, 22), ${codeOf('o.id * 2 + p')}, t.id,
    'General admission', p, p = 0, words_of_admission(o.customer_name, o.delivery_email, null)
  from orders o join tickets t on t.account_id = o.account_id and t.event_id = o.event_id cross join generate_series(0, 1) p
  order by o.id, p`
