import { AsyncLocalStorage } from 'node:async_hooks'
import diagnostics from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type pg from 'pg'
import { Client } from '../../../src/database/client.ts'
import type { Database } from '../../../src/database/database.ts'

/** One transaction, or a statement by itself. */
export interface Moment {
  /** The database of the server that was asked. */
  server: string
  /** How it was begun; null for a statement by itself. */
  begun: string | null
  statements: string[]
  hasEnded: boolean
}

/** What one request asked the database, access aside, in the order it was asked. */
export interface WatchedRequest {
  method: string
  url: string
  moments: Moment[]
}

const requests = new AsyncLocalStorage<WatchedRequest>()

type Ask = (this: pg.Client, asked: unknown, ...rest: unknown[]) => unknown

const textOf = (asked: unknown): string => {
  const { text } = asked as { text?: string | { text: string } }
  if (typeof asked === 'string') return asked
  return typeof text === 'string' ? text : (text?.text ?? '')
}

const BEGINS = /^\s*(start transaction|begin)\b/i
const ENDS = /^\s*(commit|rollback)\b/i
/** Says nothing of the rows. */
const PLANS = /^\s*(discard plans|select set_config\()/i

/**
 * Watches what every request in this process asks the database, and in which transactions. Look-ups of credentials and
 * of shops are left out: who may ask is judged before anything is read.
 */
export const watchStatements = (databases: readonly Database[]) => {
  const lookups = new WeakSet<object>()
  const noteLookup = (client: object) => lookups.add(client)
  for (const { lookups: pool } of databases) pool.on('acquire', noteLookup)

  const watched: WatchedRequest[] = []
  const open = new WeakMap<object, Moment>()
  const begin = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const one: WatchedRequest = { method: request.method ?? '', url: request.url ?? '', moments: [] }
    watched.push(one)
    requests.enterWith(one)
  }
  diagnostics.subscribe('http.server.request.start', begin)

  const note = (client: object, text: string) => {
    const request = requests.getStore()
    if (!request || lookups.has(client) || PLANS.test(text)) return
    const moment = open.get(client)
    if (BEGINS.test(text)) {
      const begun: Moment = { server: serverOf(client), begun: text, statements: [], hasEnded: false }
      open.set(client, begun)
      request.moments.push(begun)
    } else if (ENDS.test(text)) {
      if (moment) moment.hasEnded = true
      open.delete(client)
    } else if (moment) moment.statements.push(text)
    else request.moments.push({ server: serverOf(client), begun: null, statements: [text], hasEnded: true })
  }

  const ask = Client.prototype.query as unknown as Ask
  Client.prototype.query = function (this: pg.Client, asked: unknown, ...rest: unknown[]) {
    note(this, textOf(asked))
    return ask.call(this, asked, ...rest)
  } as unknown as typeof Client.prototype.query

  return {
    watched,
    close: () => {
      Client.prototype.query = ask as unknown as typeof Client.prototype.query
      diagnostics.unsubscribe('http.server.request.start', begin)
      for (const { lookups: pool } of databases) pool.off('acquire', noteLookup)
    },
  }
}

const serverOf = (client: object) => (client as pg.Client).database ?? ''

/**
 * How many moments of a server an answer was put together of: a transaction that does not keep one has as many as
 * statements. Two servers have no moment in common.
 */
export const countMoments = ({ moments }: WatchedRequest): number =>
  Math.max(
    0,
    ...Map.groupBy(moments, ({ server }) => server)
      .values()
      .map(countOfOneServer),
  )

const countOfOneServer = (moments: readonly Moment[]): number =>
  moments.reduce(
    (sum, { begun, statements }) =>
      sum + (begun === null || /repeatable read/i.test(begun) ? Math.min(statements.length, 1) : statements.length),
    0,
  )
