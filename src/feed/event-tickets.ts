import { html } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import { type PageContext, showPriceOrFree } from './page-parts.ts'
import { type SalesStatus, offerStatusOf } from './rules.ts'
import { salesSentence, showOfferTag } from './sales-words.ts'
import type { ShownTicket, WholeShownEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

/** Each ticket's own colour as a rule of the page's style: attributes of style are not allowed in. */
export const ticketColorStyles = (tickets: readonly ShownTicket[]) =>
  tickets
    .map(({ color }, n) => (/^#[0-9a-f]{6}$/.test(color) ? `.ticket-${n} { border-left-color: ${color}; }\n` : ''))
    .join('')

/** Of what is cancelled or over the page says so on top, and no code opens anything any more. */
export const showTickets = (event: WholeShownEvent, { isOver, language, unlock = null }: PageContext) => {
  const { sales_status: status, tickets } = event
  const isPast = isOver || status === 'cancelled'
  const sentence = isPast ? null : salesSentence(event, language)
  if (isPast && tickets.length === 0) return null
  return html`<section class="card" aria-labelledby="tickets">
    <h2 id="tickets">${FEED_WORDS[language].tickets}</h2>
    ${sentence && html`<p class="muted">${sentence}</p>`}
    ${
      tickets.length > 0 &&
      html`<ul class="plain">
        ${tickets.map((ticket, n) => html`<li>${showTicket(ticket, n, { status, language })}</li>`)}
      </ul>`
    }
    ${
      status === 'on_sale' &&
      html`<p class="no-print">
        <a class="button" href="/events/${event.slug}/tickets${unlock && `?unlock=${unlock}`}"
          >${FEED_WORDS[language].buy}</a
        >
      </p>`
    }
    ${!isPast && accessCodeForm(language)}
  </section>`
}

const showTicket = (
  ticket: ShownTicket,
  n: number,
  { status, language }: { status: SalesStatus; language: Language },
) =>
  html`<article class="ticket ticket-${n} ${ticket.sold_out ? 'gone' : ''}">
    <h3 dir="auto">${ticket.title}</h3>
    <p class="price">${showPriceOrFree(ticket.price, language)}</p>
    <p class="muted small">
      ${ticket.max_per_order !== null && FEED_WORDS[language].atMostPerOrder(ticket.max_per_order)}
    </p>
    <p class="state">${showOfferTag(offerStatusOf(status, ticket), language)}</p>
    ${
      ticket.features.length > 0 &&
      html`<ul>
        ${ticket.features.map((feature) => html`<li dir="auto">${feature}</li>`)}
      </ul>`
    }
  </article>`

/** On every event, whether it has hidden tickets or not: otherwise the form itself would tell. */
const accessCodeForm = (language: Language) =>
  html`<details class="code no-print">
    <summary>${FEED_WORDS[language].haveCode}</summary>
    <form method="get">
      <div class="field">
        <label for="code">${FEED_WORDS[language].accessCode}</label
        ><input
          id="code"
          name="code"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          required
          maxlength="255"
        />
      </div>
      <button>${FEED_WORDS[language].unlock}</button>
    </form>
  </details>`
