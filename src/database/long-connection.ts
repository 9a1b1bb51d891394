import pg from 'pg'

const CONNECTION_TIMEOUT_MS = 5_000

/** For work that may take long: the pool's timeouts are for requests. */
export const longConnection = (connection: pg.ClientConfig | pg.Pool, name: string): pg.ClientConfig => {
  const options = connection instanceof pg.Pool ? connection.options : connection
  return {
    ...options,
    // pg hides a pool's password from enumeration, so the spread above misses it.
    password: options.password,
    application_name: name,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: 0,
    query_timeout: 0,
  }
}

/** Such a connection of its own; whoever asked for it ends it. */
export const openLongClient = async (connection: pg.ClientConfig | pg.Pool, name: string): Promise<pg.Client> => {
  const client = new pg.Client(longConnection(connection, name))
  // A connection lost between two queries is reported by the next query.
  client.on('error', () => {})
  await client.connect()
  return client
}
