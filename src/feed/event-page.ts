import { type Html, html, raw } from '../kernel/html.ts'
import { showDayWithComma, showTimeRelativeTo, showTime } from '../kernel/times.ts'
import type { DrawnPage } from '../pages/document.ts'
import { publicPage } from '../pages/layout.ts'
import { plainText } from '../rich-text/sanitize.ts'
import { showFacts } from './event-facts.ts'
import { showTickets, ticketColors } from './event-tickets.ts'
import { openGraph } from './open-graph.ts'
import { type PageContext, imageSources, showLink } from './page-parts.ts'
import { FEED_STYLE } from './page-style.ts'
import { salesSentence } from './sales-words.ts'
import { structuredEvent } from './structured-event.ts'
import type { ShownPerformer, WholeShownEvent } from './wire.ts'

const DESCRIPTION_MAX = 200

export const eventPage = (event: WholeShownEvent, context: PageContext): DrawnPage => {
  const { shop } = context
  const isCancelled = event.sales_status === 'cancelled'
  const summary = summaryOf(event, context)
  const banner = event.background_image_url ?? event.image_url

  return publicPage({
    title: event.title,
    shopName: shop.name,
    description: summary,
    isPrivate: context.isPrivate,
    head: html`<link rel="canonical" href="${event.url}" />
      <link rel="alternate" type="application/json" href="${event.url}.json" />
      ${openGraph({ title: isCancelled ? `Cancelled: ${event.title}` : event.title, description: summary, url: event.url, siteName: shop.name, image: event.image_url ?? event.background_image_url })}`,
    style: FEED_STYLE + ticketColors(event.tickets),
    imageSources: imageSources(shop),
    structuredData: structuredEvent(event, context),
    body: html`<article>
      ${banner && html`<div class="picture banner"><img src="${banner}" alt="" width="1920" height="823" fetchpriority="high" /></div>`}
      <header class="title">
        <h1 dir="auto">${event.title}</h1>
        <p class="when">
          <time datetime="${event.starts_at}"
            >${showDayWithComma(event.starts_at, event.time_zone)}, ${showTime(event.starts_at, event.time_zone)}</time
          >
        </p>
        ${noticeOf(event, context)}
      </header>
      <div class="columns">
        <div class="aside">${showFacts(event)} ${showTickets(event, context)}</div>
        <div class="story">
          ${showDescription(event)} ${showPerformers(event)} ${showGallery(event)} ${showVideo(event)}
          ${showQuestions(event)}
        </div>
      </div>
    </article>`,
  })
}

/** The sentences of search results and link previews. */
const summaryOf = (event: WholeShownEvent, { isOver }: PageContext) => {
  const when = `${showDayWithComma(event.starts_at, event.time_zone)}, ${showTime(event.starts_at, event.time_zone)}`
  const where = [event.venue.name, event.venue.city].filter((each) => each !== '').join(', ')
  const about = plainText(event.description).replaceAll(/\s+/g, ' ')
  const facts = where === '' ? `${when}.` : `${when}, ${where}.`
  const whole = [facts, isOver ? null : salesSentence(event), about].filter((each) => each).join(' ')
  return whole.length <= DESCRIPTION_MAX
    ? whole
    : `${whole
        .slice(0, DESCRIPTION_MAX - 1)
        .toWellFormed()
        .trimEnd()}…`
}

const noticeOf = (event: WholeShownEvent, { isOver }: PageContext) => {
  if (event.sales_status === 'cancelled') {
    return html`<p class="notice bad"><strong>${salesSentence(event)}</strong></p>`
  }
  if (isOver) return html`<p class="notice">This event is over.</p>`
  return null
}

const section = (title: string, content: Html) =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`

const showDescription = ({ description }: WholeShownEvent) =>
  description !== '' && section('About', html`<div class="prose" dir="auto">${raw(description)}</div>`)

const ROLES = { headliner: null, support: 'Support', guest: 'Guest' }

const showPerformers = ({ performers, time_zone: zone, starts_at: start }: WholeShownEvent) =>
  performers.length > 0 &&
  section(
    'Line-up',
    html`<ul class="plain">
      ${performers.map((performer) => html`<li>${showPerformer(performer, zone, start)}</li>`)}
    </ul>`,
  )

const showPerformer = (performer: ShownPerformer, zone: string, start: string) => {
  const facts = [
    ROLES[performer.role],
    performer.genre,
    performer.starts_at && showTimeRelativeTo(performer.starts_at, zone, start),
  ].filter((each) => each !== null && each !== '')
  const links = Object.entries(performer.links).map(
    ([name, address]) => address && showLink(address, LINK_NAMES[name] ?? name),
  )

  return html`<article class="performer ${performer.image_url ? 'pictured' : ''}">
    ${performer.image_url && html`<div class="picture"><img src="${performer.image_url}" alt="" width="320" height="320" loading="lazy" decoding="async" /></div>`}
    <div>
      <h3 dir="auto">${performer.name}</h3>
      ${facts.length > 0 && html`<p class="muted">${facts.join(' · ')}</p>`}
      ${performer.bio !== null && performer.bio !== '' && html`<div class="prose" dir="auto">${raw(performer.bio)}</div>`}
      ${links.some(Boolean) && html`<p class="links">${links.map((link) => link && html`${link} `)}</p>`}
    </div>
  </article>`
}

const LINK_NAMES: Record<string, string> = {
  website: 'Website',
  instagram: 'Instagram',
  spotify: 'Spotify',
  soundcloud: 'SoundCloud',
  tiktok: 'TikTok',
  youtube: 'YouTube',
}

const showGallery = ({ gallery_image_urls: urls, title }: WholeShownEvent) =>
  urls.length > 0 &&
  section(
    'Pictures',
    html`<div class="gallery">
      ${urls.map(
        (url, n) =>
          html`<div class="picture">
            <img
              src="${url}"
              alt="${title}, picture ${n + 1} of ${urls.length}"
              width="640"
              height="480"
              loading="lazy"
              decoding="async"
            />
          </div>`,
      )}
    </div>`,
  )

const showVideo = ({ video_url: address, video_title: title, title: event }: WholeShownEvent) => {
  const link = address && showLink(address, html`<span dir="auto">${title ?? event}</span>`)
  return link && section('Video', html`<p>${link}</p>`)
}

const showQuestions = ({ faq_items: items }: WholeShownEvent) =>
  items.length > 0 &&
  section(
    'Good to know',
    html`${items.map(
      ({ question, answer }) =>
        html`<details class="question">
          <summary dir="auto">${question}</summary>
          <p dir="auto">${answer}</p>
        </details>`,
    )}`,
  )
