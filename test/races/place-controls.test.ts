import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type Client, openClient } from '../kit/venue/client.ts'
import { openSecondServer } from '../kit/database/second-server.ts'
import { type WinterBall, openWinterBall } from '../kit/venue/winter-ball.ts'

/*
 * The same two meetings, first with the guards of Foyer and then without them. The guards are not put back: this
 * file has a database of its own, and those without come last.
 */

let closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers) await close()
  closers = []
})

/** Two servers, because within one process those who want the same line up. */
const openOffices = async (ball: WinterBall): Promise<Client[]> => {
  const servers = [await openSecondServer(ball.app), await openSecondServer(ball.app)]
  closers.push(...servers.map(({ close }) => close))
  return servers.map(({ origin }) => openClient(origin, { token: ball.report.api_tokens['office write'] }))
}

/** Whoever looks first waits here until both have looked. */
const MEETING = 7_140_134

const addAtBoth = async (ball: WinterBall, party: object) => {
  const offices = await openOffices(ball)
  const keeper = await ball.app.database.pool.connect()
  try {
    await keeper.query(`select pg_advisory_lock(${MEETING})`)
    const over = new AbortController()
    const adding = Promise.all(
      offices.map((office) =>
        office.post(`${ball.path}/guest_parties`, { guest_party: { customer_name: 'Ada', ...party } }),
      ),
    ).finally(() => over.abort())
    while (!over.signal.aborted && (await countWaiting(keeper)) < offices.length);
    await keeper.query(`select pg_advisory_unlock(${MEETING})`)
    return (await adding).map(({ status }) => status).toSorted()
  } finally {
    keeper.release()
  }
}

const countWaiting = async (keeper: pg.PoolClient) => {
  const { rowCount } = await keeper.query(
    `select from pg_locks where locktype = 'advisory' and objid = ${MEETING} and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  )
  return rowCount!
}

const lastOfATicket = async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'][0].stock = 1
  })
  return addAtBoth(ball, { ticket_id: ball.tickets['ga'] })
}

const oneSeat = async () => {
  const ball = await openWinterBall()
  return addAtBoth(ball, { ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-1']] })
}

test('two who want the last one of a ticket at two servers: one gets it', async () => {
  expect(await lastOfATicket()).toEqual([201, 422])
})

test('two who want one seat at two servers: one gets it', async () => {
  expect(await oneSeat()).toEqual([201, 422])
})

const CLAIM = 'claim_inventory(bigint, bigint, bigint, integer, bigint, bigint[], timestamptz, boolean, integer)'

/** Looks first, waits until the other has looked too, and writes what it believes follows. */
const LOOK_FIRST = `begin
  if exists (
    select from tickets t where t.account_id = the_account and t.id = the_ticket and t.claimed_count + quantity > t.stock
  ) then
    return 'ticket';
  end if;
  if exists (
    select from places p where p.account_id = the_account and p.id = any (the_places) and p.claimed_until is not null
  ) then
    return 'places';
  end if;
  perform pg_advisory_xact_lock_shared(${MEETING});
`

const takeGuardsAway = async ({ app }: WinterBall) => {
  const { pool } = app.database
  const { rows } = await pool.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [CLAIM])
  const { text } = rows[0]!
  const changed = text
    .replace('begin\n', () => LOOK_FIRST)
    .replace('and (t.stock is null or t.claimed_count + stock_quantity <= t.stock)', '')
    .replace('and f.claimed_until is null', '')
  expect(changed.match(/t\.stock is null|f\.claimed_until is null/g)).toBeNull()
  await pool.query(changed)
  await pool.query('alter table tickets drop constraint if exists a_ticket_is_never_oversold')
  await pool.query('drop index if exists a_place_holds_one_live_admission')
}

test('control: without the guards the last one of a ticket is sold twice', async () => {
  await takeGuardsAway(await openWinterBall())
  expect(await lastOfATicket()).toEqual([201, 201])
})

test('control: without the guards two people sit on one seat', async () => {
  expect(await oneSeat()).toEqual([201, 201])
})
