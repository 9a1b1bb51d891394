import { expect, test } from 'vitest'
import { loadVenue } from '../../src/venue-file/load-venue.ts'
import { type Reply, openClient } from '../kit/venue/client.ts'
import { neueHalle } from '../kit/venue/neue-halle.ts'
import { openTestApp } from '../kit/venue/venue.ts'

test('guessing is budgeted per credential, and a bad camera is not guessing', async () => {
  const app = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' } })
  try {
    const report = await loadVenue(app.app, JSON.stringify(neueHalle('guessed')))
    const first = openClient(app.origin, { token: report.devices['Door 1'] })
    const second = openClient(app.origin, { token: report.devices['Door 2'] })

    const many = (count: number, ask: (n: number) => Promise<Reply>) =>
      Promise.all(Array.from({ length: count }, (_, n) => ask(n)))
    const misses = await many(300, (n) => first.get(`/scanner/tickets/unknown-${n}`))
    expect(new Set(misses.map((reply) => reply.status))).toEqual(new Set([404]))

    // Five come back every second, so a few more may still pass, but never this many.
    for (const ask of [
      () => first.get('/scanner/tickets/unknown'),
      () => first.post('/scanner/tickets/ABCDEFGH/redemption'),
      () => first.get('/scanner/search?q=ABCDEFGH'),
    ]) {
      const refused = (await many(150, ask)).find((reply) => reply.status === 429)!
      expect(refused).toRefuse(429, 'Too many requests')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await first.get('/scanner/events')).status).toBe(200)
    expect(await second.get('/scanner/tickets/unknown')).toRefuse(404, 'Not found')
  } finally {
    await app.close()
  }
})
