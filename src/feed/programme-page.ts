import { html } from '../kernel/html.ts'
import {
  showDayOfMonth,
  showTimeRelativeTo,
  showMonth,
  showShortMonth,
  showTime,
  showWeekday,
} from '../kernel/times.ts'
import type { DrawnPage } from '../pages/document.ts'
import { publicPage } from '../pages/layout.ts'
import { openGraph } from './open-graph.ts'
import { imageSources, showPrice } from './page-parts.ts'
import { FEED_STYLE } from './page-style.ts'
import { salesSentence, showOfferTag } from './sales-words.ts'
import type { Shop, ShownEvent } from './wire.ts'

export const programmePage = (shop: Shop, events: readonly ShownEvent[]): DrawnPage => {
  const months = Map.groupBy(events, (event) => showMonth(event.starts_at, event.time_zone))
  const description = `What is on at ${shop.name}.`

  return publicPage({
    title: 'Programme',
    shopName: shop.name,
    description,
    head: html`<link rel="canonical" href="${shop.origin}/events" />
      <link rel="alternate" type="application/json" href="${shop.origin}/events.json" />
      ${openGraph({ title: `Programme · ${shop.name}`, description, url: `${shop.origin}/events`, siteName: shop.name, image: events[0]?.image_url ?? null })}`,
    style: FEED_STYLE,
    imageSources: imageSources(shop),
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: events.map((event, n) => ({ '@type': 'ListItem', position: n + 1, url: event.url })),
    },
    body: html`<h1 dir="auto">Programme</h1>
      <p class="lead">${leadOf(events.length)}</p>
      ${Array.from(months, ([month, listed], n) => showMonthOf(month, listed, n === 0))}`,
  })
}

const leadOf = (count: number) => {
  if (count === 0) return 'Nothing is announced at the moment. Please come back soon.'
  return count === 1 ? 'One event is coming up.' : `${count} events are coming up.`
}

/** Pictures of the first month are in sight at once; the others load when they come into it. */
const showMonthOf = (month: string, events: readonly ShownEvent[], isFirst: boolean) =>
  html`<section>
    <h2 class="month">${month}</h2>
    <ul class="plain">
      ${events.map((event) => html`<li>${showListed(event, isFirst)}</li>`)}
    </ul>
  </section>`

const showListed = (event: ShownEvent, isFirst: boolean) => {
  const { starts_at: at, time_zone: zone } = event
  return html`<article class="event ${event.image_url ? '' : 'bare'}">
    <time class="date" datetime="${at}"
      ><span>${showWeekday(at, zone)}</span><strong>${showDayOfMonth(at, zone)}</strong
      ><span>${showShortMonth(at, zone)}</span></time
    >
    <div>
      <h3 dir="auto"><a href="/events/${event.slug}">${event.title}</a></h3>
      <p class="muted">
        ${showTime(at, zone)}${event.doors_open_at && html` · doors ${showTimeRelativeTo(event.doors_open_at, zone, at)}`}${whereOf(event)}
      </p>
      <p class="offer">${showOffer(event)}</p>
    </div>
    ${
      event.image_url &&
      html`<div class="picture">
        <img
          src="${event.image_url}"
          alt=""
          width="640"
          height="400"
          loading="${isFirst ? 'eager' : 'lazy'}"
          decoding="async"
        />
      </div>`
    }
  </article>`
}

const whereOf = ({ venue }: ShownEvent) => {
  const where = [venue.name, venue.city].filter((each) => each !== '').join(', ')
  return where === '' ? null : html` · <span dir="auto">${where}</span>`
}

const showOffer = (event: ShownEvent) => {
  const status = event.sales_status
  const price = status === 'on_sale' || status === 'not_started' ? event.cheapest_available_price : null
  const sentence = status === 'sold_out' ? null : salesSentence(event)
  return html`${price && html`<span class="price">${showPrice(price, { isFrom: true })}</span>`}
  ${status === 'sold_out' && showOfferTag(status)} ${sentence && html`<span class="muted small">${sentence}</span>`}
  ${event.minimum_age !== null && event.minimum_age > 0 && html`<span class="tag quiet">${event.minimum_age}+</span>`}`
}
