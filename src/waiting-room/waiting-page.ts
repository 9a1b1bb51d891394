import { type Html, html } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import type { RenderedDocument } from '../pages/document.ts'
import { renderPublicPage } from '../pages/layout.ts'
import type { PlaceInLine } from './wire.ts'
import { WAITING_ROOM_WORDS } from './words.ts'

export interface WaitingPageContent {
  shopName: string
  language: Language
  eventTitle: string
  /** Null: it is their turn. */
  place: Pick<PlaceInLine, 'position' | 'retryAfterSeconds'> | null
  /** Where the page looks again; it names the place and what is wanted. */
  address: string
  /** What the form sends once it is their turn: the place in line, and what is wanted. */
  form: { action: string; fields: readonly (readonly [name: string, value: string])[] }
}

/** The line as a page, which looks again by itself and needs no script. */
export const waitingPage = ({
  shopName,
  language,
  eventTitle,
  place,
  address,
  form,
}: WaitingPageContent): RenderedDocument => {
  const words = WAITING_ROOM_WORDS[language]
  const title = place ? words.title : words.turnTitle
  return renderPublicPage({
    title,
    shopName,
    language,
    isPrivate: true,
    style: STYLE,
    head: place && html`<meta http-equiv="refresh" content="${place.retryAfterSeconds}; url=${address}" />`,
    body: html`<article class="line">
      <h1>${title}</h1>
      ${place ? showPlace(place, { language, eventTitle, address }) : showTurn(form, language)}
    </article>`,
  })
}

const showPlace = (
  { position, retryAfterSeconds }: NonNullable<WaitingPageContent['place']>,
  { language, eventTitle, address }: Pick<WaitingPageContent, 'language' | 'eventTitle' | 'address'>,
): Html => {
  const words = WAITING_ROOM_WORDS[language]
  return html`<p>${words.manyWant(eventTitle)}</p>
    ${
      position === null
        ? html`<p class="notice" role="status">${words.beforeDraw}</p>`
        : html`<p class="card place" role="status">
            <span class="muted">${words.position}</span>
            <strong>${new Intl.NumberFormat(language).format(position)}</strong>
          </p>`
    }
    <p class="muted">${words.keepOpen(retryAfterSeconds)}</p>
    <p><a class="button quiet" href="${address}">${words.lookAgain}</a></p>`
}

const showTurn = ({ action, fields }: WaitingPageContent['form'], language: Language): Html => {
  const words = WAITING_ROOM_WORDS[language]
  return html`<p class="notice good" role="status">${words.turnHint}</p>
    <form method="post" action="${action}">
      ${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <button type="submit">${words.continue}</button>
    </form>`
}

const STYLE = `
.line { max-width: 36rem; }
.place { display: flex; align-items: baseline; justify-content: space-between; gap: 1rem; }
.place strong { font-size: 2.5rem; line-height: 1.1; font-variant-numeric: tabular-nums; }
`
