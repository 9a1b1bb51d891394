import { type Html, html } from '../kernel/html.ts'
import type { Money } from '../kernel/money.ts'
import type { Shop } from './wire.ts'

/** What the page knows beside what everybody may see. */
export interface PageContext {
  shop: Shop
  isOver: boolean
  /** Not on the programme, or with tickets unlocked: nothing for search engines. */
  isPrivate: boolean
}

/** €25.00, or that it costs nothing. */
export const showPrice = ({ amount, currency }: Money, { isFrom = false } = {}) => {
  if (Number(amount) === 0) return 'Free'
  const price = new Intl.NumberFormat('en', { style: 'currency', currency }).format(Number(amount))
  return isFrom ? `from ${price}` : price
}

/** A custom domain shows images from the shop's own origin, and venues may keep theirs elsewhere. */
export const imageSources = ({ origin }: Shop) => [origin, 'https:']

/** Only addresses of the web become links, whatever a row holds. */
export const showLink = (address: string, text: string | Html): Html | null =>
  /^https?:\/\//i.test(address) ? html`<a href="${address}" rel="noopener noreferrer">${text}</a>` : null
