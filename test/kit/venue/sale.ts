import { ShopScope } from '../../../src/access/access.ts'
import type { App } from '../../../src/access/app.ts'
import type { Tx } from '../../../src/access/scopes.ts'
import { hold } from '../../../src/inventory/claim.ts'
import {
  type EntryOutcome,
  type Turn,
  enterSale,
  giveBackTurns,
  consumeTurns,
} from '../../../src/waiting-room/enter.ts'
import { eventOf } from './shop.ts'
import { freezeClock } from '../database/database.ts'
import { type OpenApp, openVenue, theApp } from './venue.ts'

interface Sale {
  stock: number | null
  /** When the sale starts, as a duration from now; null: it has been open all along. */
  startsIn?: string | null
}

/** A line moves with the clock, so that a slow machine would see another line than a fast one: it moves when it is told. */
export const moveByHand = async ({ app, moveClock }: OpenApp): Promise<OpenApp['moveClock']> => {
  const clock = { now: await freezeClock(app.database.pool) }
  Object.assign(app.clock, { now: () => clock.now })
  return async (interval) => {
    await moveClock(interval)
    const { rows } = await app.database.pool.query<{ now: Date }>('select foyer_now() as now')
    clock.now = rows[0]!.now
  }
}

const moving = new WeakMap<OpenApp, Promise<OpenApp['moveClock']>>()

const moveByHandOnce = (running: OpenApp): Promise<OpenApp['moveClock']> => {
  const known = moving.get(running) ?? moveByHand(running)
  moving.set(running, known)
  return known
}

/** An event of one ticket, with waiting room and ceilings. */
export const openSale = async ({ stock, startsIn = null }: Sale) => {
  const running = await theApp()
  Object.assign(running.app.settings, { rateLimits: true })
  const moveClock = await moveByHandOnce(running)
  const venue = await openVenue((file) => {
    const ball = eventOf(file)
    for (const part of ['standing_areas', 'places', 'questions', 'capacity']) delete ball[part]
    ball['tickets'] = [{ key: 'ga', title: 'General admission', price: '25.00', stock }]
    if (startsIn !== null) ball['sales_starts_at'] = startsIn
  })
  const { pool } = venue.app.database
  const { rows } = await pool.query<{ account_id: number; event_id: number; ticket_id: number }>(
    `select t.account_id, t.event_id, t.id as ticket_id from accounts a
     join events e on e.account_id = a.id and e.slug = 'winter-ball' join tickets t on t.account_id = a.id and t.event_id = e.id
     where a.subdomain = $1`,
    [venue.file['account'].subdomain],
  )
  const { account_id: accountId, event_id: eventId, ticket_id: ticketId } = rows[0]!
  const account = {
    id: accountId,
    name: 'Neue Halle',
    subdomain: '',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    language: 'en',
  } as const
  const scopeIn = (app: App) =>
    new ShopScope(app, { account, origin: 'http://shop.example', cache: { now: null, entries: new Map() } })
  const shop = scopeIn(venue.app)

  const enter = (queueToken: string | null = null, scope = shop): Promise<EntryOutcome> =>
    enterSale(scope, { eventId, queueToken, ticketIds: [ticketId] })
  const hours = (count: number) => new Date(venue.app.clock.now().getTime() + count * 3_600_000)
  /** What a checkout does with a turn: true where it got its ticket. */
  const claim = (turn: Turn, scope = shop) =>
    scope.transaction(async (tx: Tx) => {
      const [mayClaim] = await consumeTurns(tx, [turn])
      if (!mayClaim) return false
      const refused = await hold(tx, { eventId, ticketId, quantity: 1, until: hours(2_000) })
      if (refused !== null) await giveBackTurns(tx, [turn])
      return refused === null
    })
  const line = async () => {
    const { rows: lines } = await pool.query('select * from waiting_rooms where account_id = $1 and event_id = $2', [
      accountId,
      eventId,
    ])
    return lines[0] ?? null
  }
  return { ...venue, moveClock, accountId, eventId, ticketId, shop, scopeIn, enter, claim, line }
}

export type OpenSale = Awaited<ReturnType<typeof openSale>>

/** Entries that arrive one after the other and are not served one by one. */
export const enterMany = (sale: OpenSale, count: number, scope = sale.shop) =>
  Promise.all(Array.from({ length: count }, () => sale.enter(null, scope)))

export const waitingOf = (outcomes: readonly EntryOutcome[]) =>
  outcomes.flatMap((outcome) => (outcome.kind === 'waiting' ? [outcome.queue] : []))

export const turnsOf = (outcomes: readonly EntryOutcome[]) =>
  outcomes.flatMap((outcome) => (outcome.kind === 'admitted' && outcome.turn ? [outcome.turn] : []))
