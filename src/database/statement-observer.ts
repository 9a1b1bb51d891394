import type pg from 'pg'
import { Client } from './client.ts'

export type PoolName = 'requests' | 'lookups' | 'keys' | 'replica'

/** Told when a statement leaves, and by what it answers with, when it is answered. */
export type StatementObserver = (pool: PoolName, text: string) => (error: Error | null | undefined) => void

type Callback = (error: Error | null | undefined, result: unknown) => void
type Query = (config: unknown, values?: unknown, callback?: unknown) => unknown

/** A client that tells of every statement; without an observer the plain one, which costs nothing. */
export const clientFor = (pool: PoolName, observe: StatementObserver | undefined): typeof Client => {
  if (!observe) return Client
  const query = Client.prototype.query as Query

  class ObservedClient extends Client {}
  ObservedClient.prototype.query = function (this: pg.Client, config: unknown, values?: unknown, callback?: unknown) {
    // Cursors and copies last for as long as somebody reads them, which says nothing of the database.
    if (typeof (config as pg.Submittable).submit === 'function') return query.call(this, config, values, callback)
    const answered = observe(pool, textOf(config))
    const told = typeof values === 'function' ? values : callback
    const given = typeof values === 'function' ? undefined : values
    const ask = (tell: Callback) =>
      query.call(this, config, given, (error: Error | null | undefined, result: unknown) => {
        answered(error)
        tell(error, result)
      })
    if (told) return ask(told as Callback)
    return new Promise((resolve, reject) => ask((error, result) => (error ? reject(error) : resolve(result))))
  } as typeof pg.Client.prototype.query
  return ObservedClient
}

const textOf = (config: unknown): string => (typeof config === 'string' ? config : (config as { text: string }).text)
