import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { expect, test } from 'vitest'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

/** Says the head of a request and the beginning of its body, and is gone while that is read. */
const breakOff = async ({ server, origin, report }: Venue, line: string, how: 'close' | 'reset') => {
  const { hostname, port } = new URL(origin)
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => {})
  const heard = once(server.server, 'request') as Promise<[IncomingMessage]>
  socket.write(
    `${line} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${report.api_tokens['office write']}\r\n` +
      'content-type: application/json\r\ncontent-length: 4000\r\n\r\n{"task":',
  )
  const [request] = await heard
  await expect.poll(() => request.listenerCount('data') + request.listenerCount('readable')).toBeGreaterThan(0)
  const closed = once(request, 'close').catch(() => {})
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
  await closed
}

const ABOUT_THE_DATABASE = /database is not available|failed unexpectedly/

test.each(['close', 'reset'] as const)('a client that goes away by %s is no trouble of the database', async (how) => {
  const venue = await openVenue()
  venue.logged.length = 0
  for (const line of ['POST /admin/tasks', 'POST /scanner/redemption_attempts', 'POST /mcp']) {
    await breakOff(venue, line, how)
  }
  // Whatever the server had to say about them, it has said before it answers what came later.
  for (let n = 0; n < 3; n++) expect((await venue.office.get('/admin/tasks')).body.tasks).toEqual([])
  expect(venue.logged.filter((line) => ABOUT_THE_DATABASE.test(line))).toEqual([])
})
