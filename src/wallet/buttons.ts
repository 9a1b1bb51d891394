import { type Html, html } from '../kernel/html.ts'
import type { Language } from '../languages/rules.ts'
import type { WalletLinks } from './offer.ts'
import { WALLET_WORDS } from './words.ts'

/** Plain buttons of our own; null where no wallet is offered. `name` tells those of several tickets apart. */
export const walletButtons = (links: WalletLinks | null, language: Language, name: string): Html | null => {
  if (!links?.apple && !links?.google) return null
  const words = WALLET_WORDS[language]
  const button = (address: string, label: string) =>
    html`<a class="button quiet small" href="${address}" rel="noreferrer" aria-label="${words.ticketOf(label, name)}"
      >${label}</a
    >`
  return html`<span class="wallet"
    >${links.apple && button(links.apple, words.addToApple)}
    ${links.google && button(links.google, words.addToGoogle)}</span
  >`
}
