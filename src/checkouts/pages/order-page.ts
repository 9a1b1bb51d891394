import type { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import { showDateAndTime } from '../../kernel/times.ts'
import { walletButtons } from '../../wallet/buttons.ts'
import type { WalletLinks } from '../../wallet/offer.ts'
import { type Checkout, EVENT_CANCELLED_MESSAGE, effectiveStatusOf, totalOf } from '../rules.ts'
import { checkoutPath, orderPath } from '../../orders/tokens.ts'
import { TICKET_WORDS } from '../../pdf/words.ts'
import { showBasket } from './basket.ts'
import { type ShopPageContext, noticePage, formatPrice, renderShopPage, translateMessage } from './parts.ts'

/** The provider's page, the outcome of a payment, or that the time is over: what a checkout shows that cannot be changed. */
export const pendingPaymentPage = (
  page: ShopPageContext,
  checkout: Checkout,
  token: string,
  { goesOn }: { goesOn: boolean },
): RawAnswer => {
  const { words } = page
  const address = checkout.payment?.redirectUrl ?? null
  return renderShopPage(page, {
    title: words.paymentUnderWay,
    // A form may not lead to another site, a page may.
    head:
      goesOn && address
        ? html`<meta http-equiv="refresh" content="0; url=${address}" />`
        : html`<meta http-equiv="refresh" content="20" />`,
    body: html`<div class="sheet">
      <h1>${words.paymentUnderWay}</h1>
      <p>${words.paymentUnderWayText}</p>
      <p class="actions">
        ${address && html`<a class="button" href="${address}" rel="noreferrer">${words.goToPayment}</a>`}
        <a class="button quiet" href="${checkoutPath(token)}">${words.refresh}</a>
      </p>
      <form method="post" action="${checkoutPath(token)}">
        <button class="link" name="intent" value="other">${words.chooseOtherWay}</button>
      </form>
      ${showBasket(page, checkout, { hasClock: false })}
    </div>`,
  })
}

/** Nothing is bought here any more; what is still held or under way can be given up. */
export const cancelledEventPage = (page: ShopPageContext, checkout: Checkout, token: string): RawAnswer => {
  const { words, language } = page
  const status = effectiveStatusOf(checkout)
  return noticePage(
    page,
    translateMessage(EVENT_CANCELLED_MESSAGE, language),
    words.eventCancelledText,
    {},
    status === 'open' || status === 'pending'
      ? html`<form method="post" action="${checkoutPath(token)}">
          <button class="link" name="intent" value="cancel">${words.giveUp}</button>
        </form>`
      : undefined,
  )
}

export const endedCheckoutPage = (
  page: ShopPageContext,
  checkout: Checkout,
  status: 'expired' | 'cancelled',
): RawAnswer => {
  const { words } = page
  const [title, text] =
    status === 'expired' ? [words.expiredTitle, words.expiredText] : [words.cancelledTitle, words.cancelledText]
  const path = checkout.event ? `/events/${checkout.event.slug}/tickets` : '/vouchers'
  return noticePage(
    page,
    title,
    text,
    {},
    html`<p class="actions"><a class="button" href="${path}">${words.startAgain}</a></p>`,
  )
}

export interface OrderPageFacts {
  token: string
  receipts: readonly { number: number }[]
  refundedCents: number
  paidCents: number
  dueAt: Date | null
  statuses: ReadonlyMap<string, string>
  walletLinks: (publicId: string) => WalletLinks
}

/** The buyer's own page. */
export const orderPage = (page: ShopPageContext, checkout: Checkout, facts: OrderPageFacts): RawAnswer => {
  const { words } = page
  const { order } = checkout
  const code = order?.orderCode ?? checkout.purchaseCode ?? ''
  return renderShopPage(page, {
    title: words.orderNumber(displayCode(code)),
    body: html`<div class="sheet">
      <p class="muted">${words.orderNumber(displayCode(code))}</p>
      ${showState(page, checkout, facts, code)}
      <p class="actions">
        ${order?.status === 'paid' && html`<a class="button" href="${orderPath(facts.token)}/tickets.pdf">${words.downloadTickets}</a>`}
        ${facts.receipts.map(({ number }) => html`<a class="button quiet" href="${orderPath(facts.token)}/receipts/${number}.pdf">${words.receipt(String(number))}</a>`)}
      </p>
      ${order && showTickets(page, checkout, facts)} ${showBasket(page, checkout, { hasClock: false })}
      ${facts.refundedCents > 0 && html`<p><strong>${words.refunded}: ${formatPrice(facts.refundedCents, page)}</strong></p>`}
      <p class="muted small">${words.keepThisPage}</p>
    </div>`,
  })
}

const showState = (
  page: ShopPageContext,
  checkout: Checkout,
  { dueAt, paidCents }: OrderPageFacts,
  code: string,
): Html => {
  const { words, language } = page
  const { order, payment } = checkout
  if (!order)
    return html`<h1>${words.thankYou}</h1>
      <p>${words.vouchersPaidText}</p>`
  if (order.status === 'cancelled') return html`<h1>${words.orderCancelled}</h1>`
  if (order.status === 'refunded') return html`<h1>${words.orderRefunded}</h1>`
  if (order.status === 'disputed') return html`<h1>${words.orderDisputed}</h1>`
  // Nobody is asked for money for what does not take place, nor thanked for it.
  if (checkout.event?.isCancelled) return html`<h1>${translateMessage(EVENT_CANCELLED_MESSAGE, language)}</h1>`
  if (order.status === 'paid') {
    return html`<h1>${words.thankYou}</h1>
      <p>${words.paidText(checkout.customer.email ?? '')}</p>`
  }
  return html`<h1>${words.unpaidTitle}</h1>
    <p>${words.unpaidText(formatPrice(totalOf(checkout) - paidCents, page))}</p>
    ${dueAt && html`<p>${words.payUntil(showDateAndTime(dueAt, checkout.event?.timeZone ?? 'UTC', language))}</p>`}
    ${payment?.instructions && html`<div class="notice"><p class="instructions" dir="auto">${payment.instructions}</p></div>`}
    <p>${words.reference}: <strong>${displayCode(code)}</strong></p>`
}

/** As the ticket itself says it, in the language of the page. */
const nameOnTicket = (
  { language }: ShopPageContext,
  customerName: string,
  { isLead, attendeeName }: { isLead: boolean; attendeeName: string | null },
) => (isLead ? customerName : (attendeeName ?? TICKET_WORDS[language].guestOf(customerName)))

const showTickets = (page: ShopPageContext, { event, order, customer }: Checkout, facts: OrderPageFacts): Html => {
  const { words, language } = page
  const isOn = !event?.isCancelled
  const { statuses, walletLinks } = facts
  const markOf = (publicId: string) => {
    const status = statuses.get(publicId)
    if (status === 'cancelled') return words.ticketCancelled
    return status === 'refunded' || status === 'refund_pending' ? words.ticketRefunded : null
  }
  return html`<section class="card" aria-labelledby="own-tickets">
    <h2 id="own-tickets">${words.yourTickets}</h2>
    <ul class="tickets">
      ${order!.admissions.map((admission) => {
        const mark = markOf(admission.publicId)
        const name = nameOnTicket(page, customer.name ?? '', admission)
        return html`<li>
          <span
            ><strong dir="auto">${name}</strong><br /><span dir="auto"
              >${[admission.ticketTitle, admission.placeLabel].filter(Boolean).join(' · ')}</span
            ></span
          >
          <span
            >${mark ? html`<span class="tag bad">${mark}</span>` : html`<span class="muted small">${words.entryCode}</span><br /><code>${displayCode(admission.checkInCode)}</code>`}</span
          >
          ${!mark && isOn && order!.status === 'paid' && walletButtons(walletLinks(admission.publicId), language, name)}
        </li>`
      })}
    </ul>
  </section>`
}
