import pg from 'pg'

type Ask = (config: unknown, values?: unknown, callback?: unknown) => unknown

const ask = pg.Client.prototype.query as Ask

/**
 * The promises that pg makes itself keep every result alive until the next full collection: a large answer, read batch
 * by batch, fills the memory with rows that nobody looks at any more. Through a callback a result dies young.
 */
export class Client extends pg.Client {}

Client.prototype.query = function (this: pg.Client, config: unknown, values?: unknown, callback?: unknown) {
  const isPromised =
    typeof values !== 'function' && !callback && typeof (config as pg.Submittable).submit !== 'function'
  if (!isPromised) return ask.call(this, config, values, callback)
  return new Promise((resolve, reject) => {
    ask.call(this, config, values, (error: Error | null, result: unknown) => (error ? reject(error) : resolve(result)))
  })
} as typeof pg.Client.prototype.query
