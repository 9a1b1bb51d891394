import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { type Client, type Reply, openClient } from '../kit/venue/client.ts'

/** What was acknowledged at the offices and doors of one account. */
export interface Evening {
  /** By the name of a party, which nobody else has, its ticket. */
  parties: Map<string, string>
  /** How often each ticket was let in, as the doors were told. */
  entries: Map<string, number>
  /** How often somebody was told to come again. */
  refusals(): number
  done: Promise<unknown>
}

export interface House {
  /** Where requests go, by any of these processes. */
  origins: readonly string[]
  office: string
  doors: readonly string[]
  ticketId: number
}

const SLUG = 'winter-ball'
const LANES = 4
const AGAIN_MS = 20

export const addressOf = (name: string) => `${name.replaceAll(/\W+/g, '-').toLowerCase()}@guests.example`

/**
 * Guests come until they are told that it is over. Each is put on the list under a key, gets a mail, and is then wanted by
 * two doors at once, of which one asks and one hands in what it scanned without a network. Whoever is told to come again
 * does, with the same ticket.
 */
export const keepScanning = (house: House, over: AbortSignal, name = 'Guest'): Evening => {
  const parties = new Map<string, string>()
  const entries = new Map<string, number>()
  let refusals = 0
  const at = (n: number, token: string): Client => openClient(house.origins[n % house.origins.length]!, { token })

  const insist = async (ask: () => Promise<Reply>): Promise<Reply> => {
    for (;;) {
      const reply = await ask()
      if (reply.status !== 503) return reply
      expect(reply.headers.get('retry-after')).not.toBeNull()
      refusals++
      await pause(AGAIN_MS)
    }
  }

  const enter = async (n: number, ticket: string): Promise<boolean> => {
    const headers = { 'idempotency-key': `online-${ticket}` }
    const path = `/scanner/events/${SLUG}/tickets/${ticket}/redemption`
    const reply = await insist(() => at(n, house.doors[0]!).post(path, undefined, { headers }))
    expect([200, 422]).toContain(reply.status)
    return reply.status === 200
  }

  const handIn = async (n: number, ticket: string): Promise<boolean> => {
    const attempts = [{ client_id: `offline-${ticket}`, event_slug: SLUG, public_id: ticket }]
    const reply = await insist(() => at(n, house.doors[1]!).post('/scanner/redemption_attempts', { attempts }))
    expect(reply.status).toBe(200)
    return reply.body.redemption_attempts[0].result === 'accepted'
  }

  const serve = async (lane: number) => {
    for (let n = 0; !over.aborted; n++) {
      const guest = `${name} ${lane} ${n}`
      const body = {
        guest_party: { customer_name: guest, ticket_id: house.ticketId, delivery_email: addressOf(guest) },
      }
      const headers = { 'idempotency-key': guest }
      const party = await insist(() =>
        at(n, house.office).post(`/admin/events/${SLUG}/guest_parties`, body, { headers }),
      )
      expect([party.status, party.text.slice(0, 200)]).toEqual([201, expect.anything()])
      const ticket: string = party.body.admissions[0].public_id
      parties.set(guest, ticket)
      const tried = await Promise.all([enter(n + 1, ticket), handIn(n, ticket)])
      entries.set(ticket, tried.filter(Boolean).length)
    }
  }
  const done = Promise.all(Array.from({ length: LANES }, (_, lane) => serve(lane)))
  // Whoever started it looks at it in the end; until then a failure must not pass for one that nobody handles.
  done.catch(() => {})
  return { parties, entries, refusals: () => refusals, done }
}

/** What the server of an account says otherwise than the people were told. */
export const findFaults = async (
  server: Pick<pg.Pool, 'query'>,
  accountId: number,
  { parties, entries }: Pick<Evening, 'parties' | 'entries'>,
) => {
  const { rows } = await server.query<{ name: string; ticket: string; isIn: boolean; accepted: number }>(
    `with let_in as materialized (
       select public_id, count(*)::int as accepted from redemption_attempts
       where account_id = $1 and result = 'accepted' group by public_id
     )
     select o.customer_name as name, a.public_id::text as ticket, a.redeemed_at is not null as "isIn",
       coalesce(l.accepted, 0) as accepted
     from admissions a join orders o on o.account_id = a.account_id and o.id = a.order_id
     left join let_in l on l.public_id = a.public_id
     where a.account_id = $1`,
    [accountId],
  )
  const kept = new Map(rows.map((row) => [row.ticket, row]))
  const names = rows.map(({ name }) => name)
  return {
    lost: [...parties].filter(([name, ticket]) => kept.get(ticket)?.name !== name).map(([name]) => name),
    doubled: names.filter((name, index) => parties.has(name) && names.indexOf(name) !== index),
    forgotten: [...entries].filter(([ticket, count]) => count > 0 && !kept.get(ticket)?.isIn).map(([ticket]) => ticket),
    turnedAway: [...entries].filter(([, count]) => count === 0).map(([ticket]) => ticket),
    twice: [
      ...[...entries].filter(([, count]) => count > 1).map(([ticket]) => ticket),
      ...rows.filter(({ accepted }) => accepted > 1).map(({ ticket }) => ticket),
    ],
  }
}

export const NO_FAULTS = { lost: [], doubled: [], forgotten: [], turnedAway: [], twice: [] }

/** How many rows of an account a server has, over all tables. */
export const countRowsOf = async (server: Pick<pg.Pool, 'query'>, accountId: number): Promise<number> => {
  const { rows: tables } = await server.query<{ name: string; id: string }>(
    `select c.relname as name, a.attname as id from pg_class c join pg_attribute a on a.attrelid = c.oid
       and a.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
       and c.relname not in ('account_shards', 'account_moves', 'account_pauses', 'directory_entries')`,
  )
  let count = 0
  for (const { name, id } of tables) {
    const { rows } = await server.query<{ count: number }>(
      `select count(*)::int as count from ${name} where ${id} = $1`,
      [accountId],
    )
    count += rows[0]!.count
  }
  return count
}
