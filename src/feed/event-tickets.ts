import { html } from '../kernel/html.ts'
import { type PageContext, showPrice } from './page-parts.ts'
import { type SalesStatus, offerStatusOf } from './rules.ts'
import { salesSentence, showOfferTag } from './sales-words.ts'
import type { ShownTicket, WholeShownEvent } from './wire.ts'

/** Each ticket's own colour as a rule of the page's style: attributes of style are not allowed in. */
export const ticketColors = (tickets: readonly ShownTicket[]) =>
  tickets
    .map(({ color }, n) => (/^#[0-9a-f]{6}$/.test(color) ? `.ticket-${n} { border-left-color: ${color}; }\n` : ''))
    .join('')

/** Of what is cancelled or over the page says so on top, and no code opens anything any more. */
export const showTickets = (event: WholeShownEvent, { isOver }: PageContext) => {
  const { sales_status: status, tickets } = event
  const isPast = isOver || status === 'cancelled'
  const sentence = isPast ? null : salesSentence(event)
  if (isPast && tickets.length === 0) return null
  return html`<section class="card" aria-labelledby="tickets">
    <h2 id="tickets">Tickets</h2>
    ${sentence && html`<p class="muted">${sentence}</p>`}
    ${
      tickets.length > 0 &&
      html`<ul class="plain">
        ${tickets.map((ticket, n) => html`<li>${showTicket(ticket, n, status)}</li>`)}
      </ul>`
    }
    ${!isPast && ACCESS_CODE}
  </section>`
}

const showTicket = (ticket: ShownTicket, n: number, status: SalesStatus) =>
  html`<article class="ticket ticket-${n} ${ticket.sold_out ? 'gone' : ''}">
    <h3 dir="auto">${ticket.title}</h3>
    <p class="price">${showPrice(ticket.price)}</p>
    <p class="muted small">${ticket.max_per_order !== null && `At most ${ticket.max_per_order} per order`}</p>
    <p class="state">${showOfferTag(offerStatusOf(status, ticket))}</p>
    ${
      ticket.features.length > 0 &&
      html`<ul>
        ${ticket.features.map((feature) => html`<li dir="auto">${feature}</li>`)}
      </ul>`
    }
  </article>`

/** On every event, whether it has hidden tickets or not: otherwise the form itself would tell. */
const ACCESS_CODE = html`<details class="code no-print">
  <summary>I have an access code</summary>
  <form method="get">
    <div class="field">
      <label for="code">Access code</label
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
    <button>Unlock</button>
  </form>
</details>`
