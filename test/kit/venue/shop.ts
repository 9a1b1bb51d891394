import { expect } from 'vitest'
import { askAtHost } from '../network/ask-at-host.ts'
import type { AskOptions } from './client.ts'
import { type OpenApp, type Venue, openVenueAt, theApp } from './venue.ts'
import type { VenueFile } from './neue-halle.ts'

export const hostOf = (venue: Venue) => new URL(venue.report.account.shop_url).host

/** Asks at the venue's shop, as anyone does. */
export const atShop = (venue: Venue, host = hostOf(venue)) => {
  const ask = (method: string, path: string, options: AskOptions = {}) =>
    venue.stranger.ask(method, path, { ...options, headers: { host, ...options.headers } })
  return { ask, get: (path: string, options?: AskOptions) => ask('GET', path, options) }
}

/** A document at the venue's shop as its bytes. */
export const documentAt = async (venue: Venue, url: string): Promise<Buffer> => {
  const question = { method: 'GET', headers: { host: hostOf(venue) } }
  const response = await askAtHost(venue.origin, new URL(url, venue.origin).pathname, question)
  expect(response.status, url).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

export const openShop = async (change?: (file: VenueFile) => void, running?: OpenApp) => {
  const venue = await openVenueAt(running ?? (await theApp()), change)
  return { venue, shop: atShop(venue), url: venue.report.account.shop_url }
}

/** An event of a venue file, to be changed before it is loaded. */
// oxlint-disable-next-line typescript/no-explicit-any
export const eventOf = (file: VenueFile, slug = 'winter-ball'): Record<string, any> =>
  file['events'].find((event: { slug: string }) => event.slug === slug)
