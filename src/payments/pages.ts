import type { RawAnswer } from '../http/answers.ts'
import { html } from '../kernel/html.ts'
import { showAmount } from '../kernel/money.ts'
import { consolePage } from '../pages/console-page.ts'
import type { Payment } from './rules.ts'

/** Where a buyer plays at paying. */
export const testPaymentPage = (payment: Payment): RawAnswer => {
  const amount = `${showAmount(payment.amountCents, payment.currency)} ${payment.currency}`
  const isOpen = payment.status === 'pending' && payment.testOutcome === null
  return consolePage({
    title: 'Test payment',
    navigation: null,
    // Browsers follow a form to another site only where the page says so.
    formTargets: payment.returnUrl === null ? [] : [new URL(payment.returnUrl).origin],
    body: html`<div class="narrow">
      <h1>Test payment</h1>
      <p>No money is moved here: this page stands where a payment provider’s would.</p>
      <p>${payment.description && html`<span dir="auto">${payment.description}</span>, `}<strong>${amount}</strong></p>
      ${
        isOpen
          ? html`<form method="post" class="actions">
              <button name="outcome" value="paid">Pay</button>
              <button name="outcome" value="declined" class="quiet">Decline</button>
            </form>`
          : html`<p>This payment is over.</p>`
      }
      ${
        payment.returnUrl &&
        html`<p class="actions"><a class="button quiet" href="${payment.returnUrl}">Back to the shop</a></p>`
      }
    </div>`,
  })
}
