import type { AccountScope } from '../access/scopes.ts'
import type { RawAnswer } from '../http/answers.ts'
import { html } from '../kernel/html.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { Language } from '../languages/rules.ts'
import { consolePage } from '../pages/console-page.ts'
import { walletButtons } from './buttons.ts'
import { findOrderTickets } from './facts/records.ts'
import { findWalletOffer, walletLinksOf } from './offer.ts'
import { WALLET_WORDS } from './words.ts'

/** All valid tickets of an order, each with its buttons: where the mail leads. */
export const orderPassesPage = async (scope: AccountScope, orderId: string, language: Language): Promise<RawAnswer> => {
  const { app, account } = scope
  const { order, offer } = await scope.consistentRead(async (rows) => ({
    order: requireFound(await findOrderTickets(rows, orderId)),
    offer: await findWalletOffer(app, rows),
  }))
  const words = WALLET_WORDS[language]
  const isOffered = offer.apple || offer.google
  return consolePage(
    {
      language,
      title: words.title(order.eventTitle),
      navigation: null,
      body: html`<div class="narrow">
        <h1 dir="auto">${words.title(order.eventTitle)}</h1>
        <p>${order.tickets.length === 0 ? words.noTickets : isOffered ? words.intro : words.notOffered}</p>
        <ul class="rows">
          ${order.tickets.map(
            ({ publicId, name, details }) =>
              html`<li>
                <span><strong dir="auto">${name}</strong><br /><span dir="auto">${details}</span></span>
                ${walletButtons(walletLinksOf(app, offer, { accountId: account.id, publicId }), language, name)}
              </li>`,
          )}
        </ul>
      </div>`,
    },
    200,
    { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' },
  )
}
