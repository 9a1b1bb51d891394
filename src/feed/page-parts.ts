import { type Html, html } from '../kernel/html.ts'
import { type Money, showPrice } from '../kernel/money.ts'
import type { Language } from '../languages/rules.ts'
import type { Shop } from './wire.ts'
import { FEED_WORDS } from './words.ts'

/** What the page knows beside what everybody may see. */
export interface PageContext {
  shop: Shop
  language: Language
  isOver: boolean
  /** Not on the programme, or with tickets unlocked: nothing for search engines. */
  isPrivate: boolean
  /** The access codes that whoever looks at it has sent, sealed, where they opened something. */
  unlock?: string | null
}

/** €25.00, or that it costs nothing. */
export const showPriceOrFree = (price: Money, language: Language) =>
  Number(price.amount) === 0 ? FEED_WORDS[language].free : showPrice(price, language)

/** The same of the cheapest of several. */
export const showLowestPrice = (price: Money, language: Language) =>
  Number(price.amount) === 0 ? FEED_WORDS[language].free : FEED_WORDS[language].fromPrice(showPrice(price, language))

/** A custom domain shows images from the shop's own origin, and venues may keep theirs elsewhere. */
export const imageSourcesForPolicy = ({ origin }: Shop) => [origin, 'https:']

/** Only addresses of the web become links, whatever a row holds. */
export const showLink = (address: string, text: string | Html): Html | null =>
  /^https?:\/\//i.test(address) ? html`<a href="${address}" rel="noopener noreferrer">${text}</a>` : null
