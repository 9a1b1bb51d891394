import { html } from '../kernel/html.ts'
import { createRepresentation } from './representation.ts'
import type { ShownEvent } from './wire.ts'

/** The programme and what is on it; what is unlisted or over is nobody's to find. */
export const sitemapOf = (origin: string, events: readonly Pick<ShownEvent, 'url'>[]) => {
  const addresses = [`${origin}/events`, ...events.map(({ url }) => url)]
  const urls = addresses.map((address) => html`<url><loc>${address}</loc></url>`)
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset> `
  return createRepresentation(document.markup, 'application/xml; charset=utf-8')
}

/** Pages that only people with a link of their own should find stay out. */
export const robotsOf = (origin: string) =>
  createRepresentation(
    `User-agent: *\nDisallow: /guest_list/\nDisallow: /guest_signups/\n\nSitemap: ${origin}/sitemap.xml\n`,
    'text/plain; charset=utf-8',
  )
