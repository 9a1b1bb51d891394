import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Somebody who takes every call and answers each only after a while; remembers who was called twice at once. */
export const openSlowServer = async (answersAfterMs: number) => {
  const under = new Map<string, number>()
  const most = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url!
    const count = (under.get(path) ?? 0) + 1
    under.set(path, count)
    most.set(path, Math.max(count, most.get(path) ?? 0))
    const answer = setTimeout(() => response.writeHead(204).end(), answersAfterMs)
    response.on('close', () => {
      clearTimeout(answer)
      under.set(path, under.get(path)! - 1)
    })
    request.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Calls that wait for an answer now. */
    waiting: () => Array.from(under.values()).reduce((sum, count) => sum + count, 0),
    /** How many paths were called at all. */
    called: () => most.size,
    /** The most calls that one path ever had at once. */
    mostAtOnce: () => Math.max(0, ...most.values()),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
