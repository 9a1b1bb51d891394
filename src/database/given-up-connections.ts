import type pg from 'pg'

/** What pg and pg-pool keep to themselves: what the server says, and how often a connection was used. */
interface Inside {
  connection: {
    on(event: 'errorMessage', hear: (said: { code?: string }) => void): void
  }
  _poolUseCount: number
}

/** read_only_sql_transaction: another server takes writes now; admin_shutdown, crash_shutdown, cannot_connect_now. */
const LEAVING_STATES = new Set(['25006', '57P01', '57P02', '57P03'])

/**
 * A server that stops taking writes may keep its connections, and one that is going down gives a last answer on them:
 * neither is used again.
 */
export const giveUpLeavingConnections = (pool: pg.Pool): void => {
  const leaving = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    const { connection } = client as unknown as Inside
    connection.on('errorMessage', ({ code }) => {
      if (code && LEAVING_STATES.has(code)) leaving.add(client)
    })
  })
  pool.on('release', (_error, client) => {
    // The pool closes what has been used as often as it may be, which is without end.
    if (leaving.has(client)) (client as unknown as Inside)._poolUseCount = Infinity
  })
}
