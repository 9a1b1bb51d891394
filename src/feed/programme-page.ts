import { html } from '../kernel/html.ts'
import {
  showDayOfMonth,
  showTimeWithDayIfOther,
  showMonth,
  showShortMonth,
  showTime,
  showWeekday,
} from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import type { RenderedDocument } from '../pages/document.ts'
import { renderPublicPage } from '../pages/layout.ts'
import { openGraphTags } from './open-graph.ts'
import { imageSourcesForPolicy, showLowestPrice } from './page-parts.ts'
import { FEED_STYLE } from './page-style.ts'
import { salesSentence, showOfferTag } from './sales-words.ts'
import type { Shop, ShownEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

export const programmePage = (
  shop: Shop,
  events: readonly ShownEvent[],
  { language, hasVouchers }: { language: Language; hasVouchers: boolean },
): RenderedDocument => {
  const words = FEED_WORDS[language]
  const months = Map.groupBy(events, (event) => showMonth(event.starts_at, event.time_zone, language))
  const description = words.whatIsOnAt(shop.name)

  return renderPublicPage({
    language,
    title: words.programme,
    shopName: shop.name,
    description,
    head: html`<link rel="canonical" href="${shop.origin}/events" />
      <link rel="alternate" type="application/json" href="${shop.origin}/events.json" />
      ${openGraphTags({ title: `${words.programme} · ${shop.name}`, description, url: `${shop.origin}/events`, siteName: shop.name, image: events[0]?.image_url ?? null })}`,
    style: FEED_STYLE,
    imageSources: imageSourcesForPolicy(shop),
    structuredData: {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: events.map((event, n) => ({ '@type': 'ListItem', position: n + 1, url: event.url })),
    },
    body: html`<h1 dir="auto">${words.programme}</h1>
      <p class="lead">${events.length === 0 ? words.nothingAnnounced : words.eventsComing(events.length)}</p>
      ${Array.from(months, ([month, listed], n) => showMonthOf(month, listed, n === 0, language))}
      ${hasVouchers && html`<p class="more"><a href="/vouchers">${words.giftVouchers}</a></p>`}`,
  })
}

/** Pictures of the first month are in sight at once; the others load when they come into it. */
const showMonthOf = (month: string, events: readonly ShownEvent[], isFirst: boolean, language: Language) =>
  html`<section>
    <h2 class="month">${month}</h2>
    <ul class="plain">
      ${events.map((event) => html`<li>${showListed(event, isFirst, language)}</li>`)}
    </ul>
  </section>`

const showListed = (event: ShownEvent, isFirst: boolean, language: Language) => {
  const { starts_at: at, time_zone: zone } = event
  return html`<article class="event ${event.image_url ? '' : 'bare'}">
    <time class="date" datetime="${at}"
      ><span>${showWeekday(at, zone, language)}</span><strong>${showDayOfMonth(at, zone, language)}</strong
      ><span>${showShortMonth(at, zone, language)}</span></time
    >
    <div>
      <h3 dir="auto"><a href="/events/${event.slug}">${event.title}</a></h3>
      <p class="muted">
        ${showTime(at, zone, language)}${event.doors_open_at && html` · ${FEED_WORDS[language].doorsAt(showTimeWithDayIfOther(event.doors_open_at, zone, at, language))}`}${whereOf(event)}
      </p>
      <p class="offer">${showOffer(event, language)}</p>
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

const showOffer = (event: ShownEvent, language: Language) => {
  const status = event.sales_status
  const price = status === 'on_sale' || status === 'not_started' ? event.cheapest_available_price : null
  const sentence = status === 'sold_out' ? null : salesSentence(event, language)
  return html`${price && html`<span class="price">${showLowestPrice(price, language)}</span>`}
  ${status === 'sold_out' && showOfferTag(status, language)}
  ${sentence && html`<span class="muted small">${sentence}</span>`}
  ${event.minimum_age !== null && event.minimum_age > 0 && html`<span class="tag quiet">${event.minimum_age}+</span>`}`
}
