import { type Html, html, rawHtml } from '../kernel/html.ts'
import { showDayWithComma, showTimeWithDayIfOther, showTime } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import type { RenderedDocument } from '../pages/document.ts'
import { renderPublicPage } from '../pages/layout.ts'
import { markupToPlainText } from '../rich-text/sanitize.ts'
import { showWhenAndWhere } from './event-facts.ts'
import { showTickets, ticketColorStyles } from './event-tickets.ts'
import { openGraphTags } from './open-graph.ts'
import { type PageContext, imageSourcesForPolicy, showLink } from './page-parts.ts'
import { FEED_STYLE } from './page-style.ts'
import { salesSentence } from './sales-words.ts'
import { jsonLdOfEvent } from './structured-event.ts'
import type { ShownPerformer, WholeShownEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

type Words = (typeof FEED_WORDS)[Language]

const DESCRIPTION_MAX = 200

export const eventPage = (event: WholeShownEvent, context: PageContext): RenderedDocument => {
  const { shop, language } = context
  const words = FEED_WORDS[language]
  const isCancelled = event.sales_status === 'cancelled'
  const summary = summaryOf(event, context)
  const banner = event.background_image_url ?? event.image_url
  const story = [
    showDescription(event, words),
    showPerformers(event, language),
    showGallery(event, words),
    showVideo(event, words),
    showQuestions(event, words),
  ].filter((part) => part)

  return renderPublicPage({
    language,
    title: event.title,
    shopName: shop.name,
    description: summary,
    isPrivate: context.isPrivate,
    head: html`<link rel="canonical" href="${event.url}" />
      <link rel="alternate" type="application/json" href="${event.url}.json" />
      ${openGraphTags({ title: isCancelled ? words.cancelledTitle(event.title) : event.title, description: summary, url: event.url, siteName: shop.name, image: event.image_url ?? event.background_image_url })}`,
    style: FEED_STYLE + ticketColorStyles(event.tickets),
    imageSources: imageSourcesForPolicy(shop),
    structuredData: jsonLdOfEvent(event, context),
    body: html`<article>
      ${banner && html`<div class="picture banner"><img src="${banner}" alt="" width="1920" height="823" fetchpriority="high" /></div>`}
      <header class="title">
        <h1 dir="auto">${event.title}</h1>
        <p class="when">
          <time datetime="${event.starts_at}"
            >${showDayWithComma(event.starts_at, event.time_zone, language)},
            ${showTime(event.starts_at, event.time_zone, language)}</time
          >
        </p>
        ${noticeOf(event, context)}
      </header>
      <div class="columns${story.length === 0 && ' storyless'}">
        <div class="aside">${showWhenAndWhere(event, language)} ${showTickets(event, context)}</div>
        ${story.length > 0 && html`<div class="story">${story}</div>`}
      </div>
    </article>`,
  })
}

/** The sentences of search results and link previews. */
const summaryOf = (event: WholeShownEvent, { isOver, language }: PageContext) => {
  const when = `${showDayWithComma(event.starts_at, event.time_zone, language)}, ${showTime(event.starts_at, event.time_zone, language)}`
  const where = [event.venue.name, event.venue.city].filter((each) => each !== '').join(', ')
  const about = markupToPlainText(event.description).replaceAll(/\s+/g, ' ')
  const facts = where === '' ? `${when}.` : `${when}, ${where}.`
  const whole = [facts, isOver ? null : salesSentence(event, language), about].filter((each) => each).join(' ')
  return whole.length <= DESCRIPTION_MAX
    ? whole
    : `${whole
        .slice(0, DESCRIPTION_MAX - 1)
        .toWellFormed()
        .trimEnd()}…`
}

const noticeOf = (event: WholeShownEvent, { isOver, language }: PageContext) => {
  if (event.sales_status === 'cancelled') {
    return html`<p class="notice bad"><strong>${salesSentence(event, language)}</strong></p>`
  }
  if (isOver) return html`<p class="notice">${FEED_WORDS[language].isOver}</p>`
  return null
}

const section = (title: string, content: Html) =>
  html`<section>
    <h2>${title}</h2>
    ${content}
  </section>`

const showDescription = ({ description }: WholeShownEvent, words: Words) =>
  description !== '' && section(words.about, html`<div class="prose" dir="auto">${rawHtml(description)}</div>`)

const showPerformers = ({ performers, time_zone: zone, starts_at: start }: WholeShownEvent, language: Language) =>
  performers.length > 0 &&
  section(
    FEED_WORDS[language].lineUp,
    html`<ul class="plain">
      ${performers.map((performer) => html`<li>${showPerformer(performer, { zone, start, language })}</li>`)}
    </ul>`,
  )

const showPerformer = (
  performer: ShownPerformer,
  { zone, start, language }: { zone: string; start: string; language: Language },
) => {
  const words = FEED_WORDS[language]
  const facts = [
    performer.role === 'headliner' ? null : words[performer.role],
    performer.genre,
    performer.starts_at && showTimeWithDayIfOther(performer.starts_at, zone, start, language),
  ].filter((each) => each !== null && each !== '')
  const links = Object.entries(performer.links).map(
    ([name, address]) => address && showLink(address, name === 'website' ? words.website : (LINK_NAMES[name] ?? name)),
  )

  return html`<article class="performer ${performer.image_url ? 'pictured' : ''}">
    ${performer.image_url && html`<div class="picture"><img src="${performer.image_url}" alt="" width="320" height="320" loading="lazy" decoding="async" /></div>`}
    <div>
      <h3 dir="auto">${performer.name}</h3>
      ${facts.length > 0 && html`<p class="muted">${facts.join(' · ')}</p>`}
      ${performer.bio !== null && performer.bio !== '' && html`<div class="prose" dir="auto">${rawHtml(performer.bio)}</div>`}
      ${links.some(Boolean) && html`<p class="links">${links.map((link) => link && html`${link} `)}</p>`}
    </div>
  </article>`
}

const LINK_NAMES: Record<string, string> = {
  instagram: 'Instagram',
  spotify: 'Spotify',
  soundcloud: 'SoundCloud',
  tiktok: 'TikTok',
  youtube: 'YouTube',
}

const showGallery = ({ gallery_image_urls: urls, title }: WholeShownEvent, words: Words) =>
  urls.length > 0 &&
  section(
    words.pictures,
    html`<div class="gallery">
      ${urls.map(
        (url, n) =>
          html`<div class="picture">
            <img
              src="${url}"
              alt="${words.picture(title, n + 1, urls.length)}"
              width="640"
              height="480"
              loading="lazy"
              decoding="async"
            />
          </div>`,
      )}
    </div>`,
  )

const showVideo = ({ video_url: address, video_title: title, title: event }: WholeShownEvent, words: Words) => {
  const link = address && showLink(address, html`<span dir="auto">${title ?? event}</span>`)
  return link && section(words.video, html`<p>${link}</p>`)
}

const showQuestions = ({ faq_items: items }: WholeShownEvent, words: Words) =>
  items.length > 0 &&
  section(
    words.goodToKnow,
    html`${items.map(
      ({ question, answer }) =>
        html`<details class="question">
          <summary dir="auto">${question}</summary>
          <p dir="auto">${answer}</p>
        </details>`,
    )}`,
  )
