import { type Html, html } from '../../kernel/html.ts'
import { showTime } from '../../kernel/times.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import { type Checkout, subtotalOf, taxLinesOfCheckout, totalOf, totalOfItem, voucherTotalOf } from '../rules.ts'
import { maskedVoucherCode } from '../wire.ts'
import { type ShopPageContext, formatPrice } from './parts.ts'

/** What is bought, what it costs, and until when it is kept. */
export const showBasket = (page: ShopPageContext, checkout: Checkout, { hasClock }: { hasClock: boolean }): Html => {
  const { words, language } = page
  const isToBePaid = checkout.order ? checkout.order.status === 'unpaid' : checkout.purchaseCode === null
  const zone = checkout.event?.timeZone ?? page.timeZone
  return html`<section class="card basket" aria-labelledby="basket">
    <h2 id="basket">${words.yourOrder}</h2>
    ${checkout.event && html`<p dir="auto"><strong>${checkout.event.title}</strong></p>`}
    <table class="sums">
      ${checkout.items.map(
        (item) =>
          html`<tr>
            <th scope="row">
              ${item.quantity} × <span dir="auto">${item.title}</span>
              ${item.standingArea && html`<br /><span class="muted small" dir="auto">${item.standingArea.name}</span>`}
              ${item.places.length > 0 && html`<br /><span class="muted small" dir="auto">${item.places.map(({ label }) => label).join(', ')}</span>`}
            </th>
            <td>${formatPrice(totalOfItem(item), page)}</td>
          </tr>`,
      )}
      ${checkout.voucherItems.map(
        (item) =>
          html`<tr>
            <th scope="row">
              ${item.quantity} × <span dir="auto">${item.title}</span>
              ${item.amountCents !== item.unitPriceCents && html`<br /><span class="muted small">${words.worth(formatPrice(item.amountCents, page))}</span>`}
            </th>
            <td>${formatPrice(totalOfItem(item), page)}</td>
          </tr>`,
      )}
      ${
        voucherTotalOf(checkout) > 0 &&
        html`<tr>
          <th scope="row">${words.subtotal}</th>
          <td>${formatPrice(subtotalOf(checkout), page)}</td>
        </tr>`
      }
      ${checkout.vouchers.map(
        ({ codeSuffix, amountCents }) =>
          html`<tr>
            <th scope="row">${words.voucher(maskedVoucherCode(codeSuffix))}</th>
            <td>−${formatPrice(amountCents, page)}</td>
          </tr>`,
      )}
      <tr class="total">
        <th scope="row">${isToBePaid ? words.toPay : words.total}</th>
        <td>${formatPrice(totalOf(checkout), page)}</td>
      </tr>
    </table>
    ${taxLinesOfCheckout(checkout)
      .filter(({ rate }) => rate > 0)
      .map(
        ({ rate, tax_cents }) =>
          html`<p class="muted small">${words.includesTax(showTaxRate(rate), formatPrice(tax_cents, page))}</p>`,
      )}
    ${
      hasClock &&
      html`<p
        class="clock"
        data-now="${checkout.now.toISOString()}"
        data-until="${checkout.expiresAt.toISOString()}"
        data-words="${words.remaining}"
      >
        ${words.keptUntil(showTime(checkout.expiresAt, zone, language))}
      </p>`
    }
  </section>`
}

/**
 * Counts the time down, and asks the server when it is over; without it the page says until when. By the server's clock:
 * one that is ahead would say at once that the time is over, and load the page again and again.
 */
export const COUNTDOWN_SCRIPT = `
const clock = document.querySelector('[data-until]');
if (clock) {
  const ahead = Date.now() - Date.parse(clock.dataset.now);
  const until = Date.parse(clock.dataset.until) + ahead, text = clock.textContent.trim();
  const tick = () => {
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    clock.textContent = text + ' · ' + Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0') + ' ' + clock.dataset.words;
    if (left === 0) { clearInterval(timer); setTimeout(() => location.replace(location.pathname), 1500); }
  };
  const timer = setInterval(tick, 1000);
  tick();
}
`
