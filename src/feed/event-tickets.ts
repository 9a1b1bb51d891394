import { html } from '../kernel/html.ts'
import { showDay, showTime } from './moments.ts'
import { type PageContext, showPrice } from './page-parts.ts'
import type { ShownTicket, WholeShownEvent } from './wire.ts'

/** Each ticket's own colour as a rule of the page's style: attributes of style are not allowed in. */
export const ticketColors = (tickets: readonly ShownTicket[]) =>
  tickets
    .map(({ color }, n) => (/^#[0-9a-f]{6}$/.test(color) ? `.ticket-${n} { border-left-color: ${color}; }\n` : ''))
    .join('')

export const showTickets = (event: WholeShownEvent, { now, isCancelled }: PageContext) => {
  const isOver = isCancelled || new Date(event.ends_at) <= now
  return html`<section class="card" aria-labelledby="tickets">
    <h2 id="tickets">Tickets</h2>
    ${!isOver && salesNote(event, now)}
    ${
      event.tickets.length === 0
        ? html`<p class="muted">No tickets are announced.</p>`
        : html`<ul class="plain">
            ${event.tickets.map((ticket, n) => html`<li>${showTicket(ticket, n)}</li>`)}
          </ul>`
    }
    ${!isOver && ACCESS_CODE}
  </section>`
}

const salesNote = (event: WholeShownEvent, now: Date) => {
  const { sales_starts_at: from, sales_ends_at: until, time_zone: zone } = event
  if (from && new Date(from) > now) {
    return html`<p class="muted small">
      On sale from <time datetime="${from}">${showDay(from, zone)}, ${showTime(from, zone)}</time>
    </p>`
  }
  if (until && new Date(until) <= now) return html`<p class="muted small">Sales have ended.</p>`
  return null
}

const showTicket = (ticket: ShownTicket, n: number) =>
  html`<article class="ticket ticket-${n} ${ticket.sold_out ? 'gone' : ''}">
    <h3 dir="auto">${ticket.title}</h3>
    <p class="price">${showPrice(ticket.price)}</p>
    <p class="muted small">${ticket.max_per_order !== null && `At most ${ticket.max_per_order} per order`}</p>
    <p class="state">${stateOf(ticket)}</p>
    ${
      ticket.features.length > 0 &&
      html`<ul>
        ${ticket.features.map((feature) => html`<li dir="auto">${feature}</li>`)}
      </ul>`
    }
  </article>`

const stateOf = (ticket: ShownTicket) => {
  if (ticket.sold_out) return html`<span class="tag quiet">Sold out</span>`
  if (ticket.low_stock) return html`<span class="tag warn">Few left</span>`
  return html`<span class="tag good">Available</span>`
}

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
