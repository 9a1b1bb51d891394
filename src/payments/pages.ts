import type { RawAnswer } from '../http/answers.ts'
import { html } from '../kernel/html.ts'
import { showAmountWithCode } from '../kernel/money.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage } from '../pages/console-page.ts'
import type { Payment } from './rules.ts'
import { TEST_PAYMENT_WORDS } from './words.ts'

/** Where a buyer plays at paying. */
export const testPaymentPage = (payment: Payment, language: Language): RawAnswer => {
  const words = TEST_PAYMENT_WORDS[language]
  const amount = showAmountWithCode(payment.amountCents, payment.currency, language)
  const isOpen = payment.status === 'pending' && payment.testOutcome === null
  return consolePage({
    language,
    title: words.title,
    navigation: null,
    // Browsers follow a form to another site only where the page says so.
    formTargets: payment.returnUrl === null ? [] : [new URL(payment.returnUrl).origin],
    body: html`<div class="narrow">
      <h1>${words.title}</h1>
      <p>${words.noMoney}</p>
      <p>${payment.description && html`<span dir="auto">${payment.description}</span>, `}<strong>${amount}</strong></p>
      ${
        isOpen
          ? html`<form method="post" class="actions">
              <button name="outcome" value="paid">${words.pay}</button>
              <button name="outcome" value="declined" class="quiet">${words.decline}</button>
            </form>`
          : html`<p>${words.isOver}</p>`
      }
      ${
        payment.returnUrl &&
        html`<p class="actions"><a class="button quiet" href="${payment.returnUrl}">${words.backToShop}</a></p>`
      }
    </div>`,
  })
}
