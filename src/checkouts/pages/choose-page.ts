import type { RawAnswer } from '../../http/answers.ts'
import { isRecord } from '../../http/body.ts'
import { type Html, html, rawHtml } from '../../kernel/html.ts'
import { BLANK_MESSAGE } from '../../kernel/messages.ts'
import { showDayWithComma, showTime } from '../../kernel/times.ts'
import { faultList, selectField } from '../../pages/form.ts'
import { QUANTITY_MAX } from '../rules.ts'
import type { SaleView, SeatOnSale, TicketInSale } from '../sale-view/records.ts'
import {
  type PageFault,
  type ShopPageContext,
  faultMessageOf,
  fieldElementId,
  formatPrice,
  renderShopPage,
  sentenceWith,
  translateMessage,
} from './parts.ts'

const MOST_SHOWN = 20

/** What was chosen before, by the number of its ticket on the page. */
export interface ChosenTicket {
  quantity: string
  areaId: string
  placeKeys: readonly string[]
}

export interface ChoosePageOptions {
  /** The access codes that were sent, sealed: no page shows one. */
  unlock: string | null
  /** Where the form goes, and what it is called there. */
  action: string
  /** Of those who choose again: the page that they have come from. */
  checkoutPath?: string
  chosen?: ReadonlyMap<number, ChosenTicket>
  faults?: readonly PageFault[]
  status?: number
  /** The line's token, for those who have waited. */
  queueToken?: string | null
}

export const chooseTicketsPage = (page: ShopPageContext, view: SaleView, options: ChoosePageOptions): RawAnswer => {
  const { words, language } = page
  const faults = options.faults ?? []
  const isBuyable = view.isOnSale && view.tickets.some(({ available }) => available === null || available > 0)
  return renderShopPage(page, {
    title: words.ticketsFor(view.title),
    status: options.status ?? 200,
    script: CHOOSE_SCRIPT,
    body: html`<div class="sheet">
      <p>
        ${
          options.checkoutPath === undefined
            ? html`<a href="/events/${view.slug}">${words.backToEvent}</a>`
            : html`<a href="${options.checkoutPath}">${words.backToCheckout}</a>`
        }
      </p>
      <h1 dir="auto">${view.title}</h1>
      <p class="muted">
        ${showDayWithComma(view.startsAt, view.timeZone, language)}, ${showTime(view.startsAt, view.timeZone, language)}
      </p>
      ${faultList(
        words.faults,
        faults.map((fault) => sentenceOf(page, view, fault)),
      )}
      ${
        isBuyable
          ? html`<form method="post" action="${options.action}">
              <input type="hidden" name="checkout[event_slug]" value="${view.slug}" />
              ${options.unlock && html`<input type="hidden" name="unlock" value="${options.unlock}" />`}
              ${options.queueToken && html`<input type="hidden" name="queue_token" value="${options.queueToken}" />`}
              <section class="card" aria-labelledby="tickets">
                <h2 id="tickets">${words.chooseTickets}</h2>
                ${view.tickets.map((ticket, n) => showOffer(page, view, ticket, { n, options, faults }))}
              </section>
              <div class="actions">
                <button type="submit">${words.holdThese}</button>
              </div>
              <p class="muted small">${words.heldFor}</p>
            </form>`
          : html`<p class="notice">${words.nothingOnSale}</p>`
      }
    </div>`,
  })
}

/** A fault with the names of its ticket and its field, which it leads to. */
const sentenceOf = ({ words, language }: ShopPageContext, view: SaleView, { field, message }: PageFault) => {
  const [, n, key = ''] = /^items\[(\d+)\]\.(\w+)$/.exec(field) ?? []
  const ticket = n === undefined ? undefined : view.tickets[Number(n)]
  if (!ticket) {
    const isNothingChosen = field === 'items' && message === translateMessage(BLANK_MESSAGE, language)
    return { id: null, sentence: isNothingChosen ? words.nothingChosen : sentenceWith(words.yourOrder, message) }
  }
  return { id: fieldElementId(field), sentence: `${ticket.title}: ${sentenceWith(labelOf(words, key), message)}` }
}

const labelOf = (words: ShopPageContext['words'], key: string): string =>
  key === 'standing_area_id' ? words.area : key === 'place_keys' ? words.seats : words.quantity

interface OfferContext {
  n: number
  options: ChoosePageOptions
  faults: readonly PageFault[]
}

const showOffer = (page: ShopPageContext, view: SaleView, ticket: TicketInSale, context: OfferContext): Html => {
  const { words } = page
  const isGone = ticket.available !== null && ticket.available <= 0
  const few = ticket.available !== null && ticket.available > 0 && ticket.available <= 15
  return html`<article class="offer ${isGone ? 'gone' : ''}">
    <div>
      <h3 dir="auto">${ticket.title}</h3>
      <p class="muted small">
        ${[ticket.groupSize > 1 && words.group(ticket.groupSize), isGone ? words.soldOut : few && words.left(ticket.available!)].filter(Boolean).join(' · ')}
      </p>
    </div>
    <p class="price">${ticket.priceCents === 0 ? words.free : formatPrice(ticket.priceCents, page)}</p>
    ${!isGone && html`<div class="wide">${showControls(page, view, ticket, context)}</div>`}
  </article>`
}

const showControls = (
  page: ShopPageContext,
  view: SaleView,
  ticket: TicketInSale,
  { n, options, faults }: OfferContext,
): Html => {
  const { words } = page
  const nameOf = (key: string) => `checkout[items][${n}][${key}]`
  const chosen = options.chosen?.get(ticket.id)
  const faultOf = (key: string) => {
    const message = faultMessageOf(faults, `items[${n}].${key}`)
    return message && sentenceWith(labelOf(words, key), message)
  }
  const hidden = html`<input type="hidden" name="${nameOf('ticket_id')}" value="${ticket.id}" />`
  if (ticket.inventoryKind === 'places') {
    const seats = view.seats.filter(({ ticketId }) => ticketId === ticket.id)
    return html`${hidden}
    ${seatPlan(page, ticket, seats, { n, chosen: chosen?.placeKeys ?? [], fault: faultOf('place_keys') })}`
  }
  const most = Math.min(ticket.available ?? MOST_SHOWN, ticket.maxPerOrder ?? MOST_SHOWN, QUANTITY_MAX, MOST_SHOWN)
  const counts = Array.from({ length: most }, (_each, count) => String(count + 1))
  return html`${hidden}
    <div class="two">
      ${selectField(
        {
          id: fieldElementId(`items[${n}].quantity`),
          name: nameOf('quantity'),
          label: words.quantityOf(ticket.title),
          value: chosen?.quantity ?? '',
          fault: faultOf('quantity'),
        },
        [{ value: '', label: words.none }, ...counts.map((count) => ({ value: count, label: count }))],
      )}
      ${
        ticket.standingAreas.length > 1 &&
        selectField(
          {
            id: fieldElementId(`items[${n}].standing_area_id`),
            name: nameOf('standing_area_id'),
            label: words.area,
            value: chosen?.areaId ?? '',
            fault: faultOf('standing_area_id'),
          },
          [
            { value: '', label: words.pleaseChoose },
            ...ticket.standingAreas.map(({ id, name, available }) => ({
              value: String(id),
              label: available > 0 ? name : `${name} (${words.soldOut})`,
            })),
          ],
        )
      }
    </div>`
}

interface PlanOptions {
  n: number
  chosen: readonly string[]
  fault: string | null
}

/** The seats as they stand, row by row: a table of boxes, which is a list to whoever cannot see it. */
const seatPlan = (
  page: ShopPageContext,
  ticket: TicketInSale,
  seats: readonly SeatOnSale[],
  { n, chosen, fault }: PlanOptions,
) => {
  const { words } = page
  const id = fieldElementId(`items[${n}].place_keys`)
  const sections = Map.groupBy(seats, ({ section }) => section ?? '')
  const hasPairs = seats.some(({ accessibility }) => accessibility !== null)
  return html`<fieldset id="${id}" tabindex="-1" class="seats" ${fault && rawHtml('aria-invalid="true"')}>
    <legend>${words.chooseSeats(ticket.title)}</legend>
    <p class="stage" aria-hidden="true">${words.stage}</p>
    ${[...sections].map(
      ([section, inSection]) =>
        html`${section !== '' && html`<p><strong dir="auto">${section}</strong></p>`}
          <div class="plan" tabindex="0" role="group" aria-label="${section === '' ? words.seats : section}">
            <table role="presentation">
              ${[...Map.groupBy(inSection, ({ row }) => row ?? '')].map(
                ([row, inRow]) =>
                  html`<tr>
                    <th scope="row">${row !== '' && words.row(row)}</th>
                    ${inRow.map((seat) => html`<td>${seatBox(words, seat, { n, isChosen: chosen.includes(seat.key) })}</td>`)}
                  </tr>`,
              )}
            </table>
          </div>`,
    )}
    ${hasPairs && html`<p class="muted small">${words.pairHint}</p>`} ${fault && html`<p class="error">${fault}</p>`}
    <p
      class="muted small"
      role="status"
      data-chosen
      data-one="${words.seatsChosen(1)}"
      data-other="${words.seatsChosen(2)}"
    ></p>
  </fieldset>`
}

const SIGNS = { wheelchair: '♿', companion: '+' }

const seatBox = (
  words: ShopPageContext['words'],
  seat: SeatOnSale,
  { n, isChosen }: { n: number; isChosen: boolean },
) => {
  const kind = seat.accessibility === null ? '' : `, ${words[seat.accessibility]}`
  const isOpen = seat.isFree || isChosen
  return html`<label class="seat"
    ><input
      type="checkbox"
      name="checkout[items][${n}][place_keys][]"
      value="${seat.key}"
      aria-label="${seat.label}${kind}${!isOpen && `, ${words.seatTaken}`}"
      ${isChosen && rawHtml('checked')}
      ${!isOpen && rawHtml('disabled')}
    /><span aria-hidden="true"
      >${seat.seat ?? seat.label}${seat.accessibility && ` ${SIGNS[seat.accessibility]}`}</span
    ></label
  >`
}

/** Says how many seats are chosen; without it the next page does. */
const CHOOSE_SCRIPT = `
for (const plan of document.querySelectorAll('.seats')) {
  const told = plan.querySelector('[data-chosen]');
  const count = () => {
    const chosen = plan.querySelectorAll('input:checked').length;
    told.textContent = chosen === 0 ? '' : chosen === 1 ? told.dataset.one : told.dataset.other.replace('2', chosen);
  };
  plan.addEventListener('change', count);
  count();
}
`

/** What a form sent, as the page shows it again. */
export const readChosenTickets = (sent: unknown): Map<number, ChosenTicket> => {
  const items = isRecord(sent) && isRecord(sent['checkout']) ? sent['checkout']['items'] : null
  const chosen = new Map<number, ChosenTicket>()
  for (const item of isRecord(items) ? Object.values(items) : []) {
    if (!isRecord(item)) continue
    const keys = item['place_keys']
    chosen.set(Number(item['ticket_id']), {
      quantity: textOf(item['quantity']),
      areaId: textOf(item['standing_area_id']),
      placeKeys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    })
  }
  return chosen
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
