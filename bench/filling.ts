import type pg from 'pg'
import { digestOf, newToken } from '../src/access/tokens.ts'

/** A venue for measuring: made by a few statements, however large it is. */
export interface Filled {
  accountId: number
  /** One token per scanner device. */
  devices: string[]
  office: string
  /** Slugs, each with its number of tickets. */
  events: { id: number; slug: string; tickets: number }[]
}

export interface Filling {
  subdomain: string
  devices: number
  /** The number of tickets of each event. */
  events: number[]
}

export const fillVenue = async (client: pg.Client, { subdomain, devices, events }: Filling): Promise<Filled> => {
  await client.query('begin')
  const accountId = await one(client, 'insert into accounts (name, subdomain) values ($1, $1) returning id', [
    subdomain,
  ])
  const personId = await one(client, 'insert into people (name, email) values ($1, $2) returning id', [
    'Olga Owner',
    `olga@${subdomain}.example`,
  ])
  await client.query(`insert into memberships (account_id, person_id, role) values ($1, $2, 'owner')`, [
    accountId,
    personId,
  ])
  await client.query('commit')

  const tokens = []
  for (let n = 1; n <= devices; n++) tokens.push(await addCredential(client, accountId, 'scanner_device', `Door ${n}`))
  const office = await addCredential(client, accountId, 'account_token', 'office')

  const filled: Filled['events'] = []
  await withoutGuards(client, async () => {
    for (const [n, tickets] of events.entries()) {
      const slug = `night-${n + 1}`
      const like = filled.find((each) => each.tickets === tickets)
      filled.push({ id: await fillEvent(client, { accountId, slug, tickets, like: like?.id }), slug, tickets })
    }
  })
  await client.query('vacuum analyze')
  // Written to disk now, and not while something else is measured.
  await client.query('checkpoint')
  return { accountId, devices: tokens, office, events: filled }
}

/** A million rows need no trigger that looks at each: they are right as they are made. The largest index comes last. */
export const withoutGuards = async (client: pg.Client, fill: () => Promise<void>) => {
  await client.query(
    `set session_replication_role = 'replica'; set maintenance_work_mem = '512MB'; set work_mem = '64MB'`,
  )
  const { rows } = await client.query<{ indexdef: string }>(
    `select indexdef from pg_indexes where indexname = 'admissions_by_search_words'`,
  )
  await client.query('drop index admissions_by_search_words')
  await fill()
  await client.query(rows[0]!.indexdef)
  await client.query('reset session_replication_role')
}

export const addCredential = async (
  client: pg.Client,
  accountId: number,
  kind: 'scanner_device' | 'account_token',
  description: string,
) => {
  const token = newToken(kind)
  const id = await one(
    client,
    `insert into credentials (account_id, kind, permission, description) values ($1, $2, 'write', $3) returning id`,
    [accountId, kind, description],
  )
  await client.query('insert into credential_digests (digest, account_id, credential_id) values ($1, $2, $3)', [
    digestOf(token),
    accountId,
    id,
  ])
  return token
}

const one = async (client: pg.Client, text: string, values: unknown[]) => {
  const { rows } = await client.query<{ id: string }>(text, values)
  return Number(rows[0]!.id)
}

interface Night {
  accountId: number
  slug: string
  tickets: number
  /** An event of the same size, whose guests come again: names take longer to make than rows. */
  like?: number | undefined
}

/** Two tickets an order: the buyer's and a friend's; every tenth order is a guest party, every fiftieth is refunded. */
const fillEvent = async (client: pg.Client, { accountId, slug, tickets, like }: Night) => {
  const eventId = await one(
    client,
    `with event as (
       insert into events (account_id, slug, title, starts_at, published_at)
       values ($1, $2, initcap($2), foyer_now() + interval '2 hours', foyer_now()) returning id
     )
     insert into event_slugs (account_id, slug, event_id) select $1, $2, event.id from event returning event_id as id`,
    [accountId, slug],
  )
  const ticketId = await one(
    client,
    `insert into tickets (account_id, event_id, key, position, title, color)
     values ($1, $2, 'ga', 1, 'General admission', '#2f6fed') returning id`,
    [accountId, eventId],
  )
  if (like === undefined) {
    await client.query(FILL_ORDERS, [accountId, eventId, Math.ceil(tickets / 2), slug])
    await client.query(FILL_ADMISSIONS, [accountId, eventId, ticketId])
  } else {
    const { rows } = await client.query<{ after: string }>(COPY_ORDERS, [accountId, eventId, like, slug])
    await client.query(COPY_ADMISSIONS, [accountId, eventId, like, ticketId, rows[0]!.after])
  }
  return eventId
}

const FIRST_NAMES = `array['Anna','Zoë','Łukasz','Márta','Jürgen','Søren','Chloé','İpek','Omar','Wei','Ngozi','Björn',
  'Ana','Mateus','Yuki','Priya','Fatima','Ines','Paul','Klara','Hugo','Emma','Noah','Mia','Leon','Lena','Finn','Ida',
  'Oskar','Frida','Anton','Greta','Emil','Clara','Jakob','Marie','Theo','Nora','Felix','Elif']`

const SYLLABLES = `array['ba','ber','dor','fel','gar','hof','jan','kel','lin','mar','nau','ost','pel','rin','sel','tan',
  'ul','vor','wen','zim','bach','chow','dahl','eck','fritz','grün','holm','ivic','kow','löf','mann','nik','ova','quist']`

const pick = (list: string) => `(${list})[1 + floor(random() * array_length(${list}, 1))::int]`

const FILL_ORDERS = `
  insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, delivery_email, staff_note, paid_at)
  select $1, $2, md5($4 || 'order' || n), upper(substr(md5($4 || n), 1, 10)),
    case when n % 10 = 0 then 'guest_list' else 'shop' end,
    case when n % 50 = 7 then 'refunded' else 'paid' end,
    first || ' ' || last,
    lower(door_words(first)) || '.' || lower(door_words(last)) || n || '@' ||
      (array['gmail.example','posteo.example','web.example','proton.example'])[1 + n % 4],
    case when n % 30 = 0 then 'Bring to the bar' end, foyer_now()
  from (
    select n, ${pick(FIRST_NAMES)} as first, initcap(${pick(SYLLABLES)} || ${pick(SYLLABLES)} || ${pick(SYLLABLES)}) as last
    from generate_series(1, $3::int) n
  ) people`

/** Codes are counted in base 32 from the row's number, so that they never meet. */
export const codeOf = (number: string) =>
  [7, 6, 5, 4, 3, 2, 1, 0]
    .map((digit) => `substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', 1 + ((${number}) >> ${5 * digit} & 31)::int, 1)`)
    .join(' || ')

const FILL_ADMISSIONS = `
  insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position, is_lead,
    attendee_name, search_words)
  select $1, $2, id, substr(md5(public_id || p), 1, 22),
    ${codeOf('id * 2 + p')},
    $3, 'General admission', p, p = 0, friend, words_of_admission(customer_name, delivery_email, friend)
  from (
    select o.id, o.public_id, o.customer_name, o.delivery_email, p, case when p = 1 and o.id % 2 = 0
      then ${pick(FIRST_NAMES)} || ' ' || initcap(${pick(SYLLABLES)} || ${pick(SYLLABLES)}) end as friend
    from orders o cross join generate_series(0, 1) p
    where o.account_id = $1 and o.event_id = $2
    order by o.id, p
  ) tickets`

const ORDER_COLUMNS = 'origin, status, customer_name, delivery_email, staff_note, paid_at'

/** The IDs follow each other as those of the first night do; answers how far they are apart. */
const COPY_ORDERS = `
  with apart as (
    select (select max(id) from orders) - min(id) + 1 as after from orders where account_id = $1 and event_id = $3
  ), copied as (
    insert into orders (account_id, event_id, id, public_id, order_code, ${ORDER_COLUMNS})
    select $1, $2, id + after, md5($4 || 'order' || id), upper(substr(md5($4 || id), 1, 10)), ${ORDER_COLUMNS}
    from orders, apart where account_id = $1 and event_id = $3
    order by id
    returning id
  )
  select after, setval(pg_get_serial_sequence('orders', 'id'), (select max(id) from copied)) from apart`

const ADMISSION_COLUMNS = 'ticket_title, position, is_lead, attendee_name, search_words'

const COPY_ADMISSIONS = `
  insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ${ADMISSION_COLUMNS})
  select $1, $2::bigint, order_id + $5::bigint, substr(md5(($2::bigint)::text || public_id), 1, 22),
    ${codeOf('(order_id + $5::bigint) * 2 + position')}, $4, ${ADMISSION_COLUMNS}
  from admissions where account_id = $1 and event_id = $3
  order by order_id, position`
