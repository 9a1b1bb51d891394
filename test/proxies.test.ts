import { expect, onTestFinished, test } from 'vitest'
import { type Reply, openClient } from './kit/venue/client.ts'
import { openTestApp } from './kit/venue/venue.ts'

/**
 * Whether some of 610 tokens that nobody knows, which come with these headers, are refused as too many from one client: 600 a
 * minute are told so. Nothing comes back to the budget meanwhile, however long it takes.
 */
const guessFrom = async (trusted: string, forwardedFor: (n: number) => string) => {
  const now = new Date()
  const { origin, close } = await openTestApp({
    clock: { now: () => now },
    environment: { FOYER_RATE_LIMITS: 'on', FOYER_TRUST_PROXY: trusted },
  })
  onTestFinished(close)
  const guess = (n: number): Promise<Reply> =>
    openClient(origin, { token: `guess-${n}` }).get('/admin/events', {
      headers: { 'x-forwarded-for': forwardedFor(n) },
    })
  const replies = await Promise.all(Array.from({ length: 610 }, (_, n) => guess(n)))
  return new Set(replies.map(({ status }) => status)).has(429) ? 'one client' : 'many clients'
}

const client = (n: number) => `198.51.${n >> 8}.${n & 255}`

test.each([
  ['off', 'is not believed', (n: number) => client(n), 'one client'],
  ['1', 'counts the client of one proxy', (n: number) => client(n), 'many clients'],
  ['1', 'is not deceived by what a client says in front', (n: number) => `${client(n)}, 192.0.2.7`, 'one client'],
  ['2', 'looks behind two proxies', (n: number) => `10.0.0.1, ${client(n)}, 192.0.2.7`, 'many clients'],
  ['2', 'is not deceived behind two proxies either', (n: number) => `${client(n)}, 192.0.2.7, 192.0.2.8`, 'one client'],
  ['127.0.0.0/8, ::1', 'believes proxies by their network', (n: number) => client(n), 'many clients'],
  ['127.0.0.1,10.0.0.0/8', 'passes all of them', (n: number) => `${client(n)}, 10.1.2.3`, 'many clients'],
  ['127.0.0.1', 'stops at the first stranger', (n: number) => `${client(n)}, 10.1.2.3`, 'one client'],
  ['10.0.0.0/8', 'is not believed from elsewhere', (n: number) => client(n), 'one client'],
  ['1', 'counts a network of IPv6 as one', (n: number) => `2001:db8::${n.toString(16)}`, 'one client'],
  ['1', 'does not count ports as clients', (n: number) => `198.51.100.7:${40_000 + n}`, 'one client'],
  ['1', 'tells networks of IPv6 apart', (n: number) => `2001:db8:0:${n.toString(16)}::1`, 'many clients'],
])('with FOYER_TRUST_PROXY=%s X-Forwarded-For %s', async (trusted, _says, forwardedFor, who) => {
  expect(await guessFrom(trusted, forwardedFor)).toBe(who)
})
