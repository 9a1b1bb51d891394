import { once } from 'node:events'
import { createServer } from 'node:http'

export interface StartingListener {
  /** Frees the port for the server that takes over. */
  close(): Promise<void>
}

const BODY = JSON.stringify({ errors: { base: ['Foyer is starting'] } })

/**
 * Answers 503 to everything while the database is migrated, so that whoever watches can tell a start that takes long from
 * one that failed.
 */
export const listenWhileStarting = async (address: { host: string; port: number }): Promise<StartingListener> => {
  const server = createServer((request, response) => {
    request.resume()
    response
      .writeHead(503, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'private, no-store',
        'retry-after': '2',
        connection: 'close',
      })
      .end(BODY)
  })
  server.listen(address)
  await once(server, 'listening')
  return {
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
