import { type Html, html } from '../kernel/html.ts'
import { showDayWithComma, showTime } from '../kernel/times.ts'
import type { OfferStatus, SalesStatus } from './rules.ts'
import type { ShownEvent } from './wire.ts'

const SENTENCES: Record<SalesStatus, (event: ShownEvent) => string | null> = {
  cancelled: () => 'This event is cancelled.',
  no_tickets: () => 'No tickets are announced.',
  ended: () => 'Sales have ended.',
  sold_out: () => 'Sold out.',
  not_started: ({ sales_starts_at: from, time_zone: zone }) =>
    `On sale from ${showDayWithComma(from!, zone)}, ${showTime(from!, zone)}.`,
  on_sale: () => null,
}

/** Whether tickets can be had, in a sentence; null where the tickets speak for themselves. */
export const salesSentence = (event: ShownEvent): string | null => SENTENCES[event.sales_status](event)

const OFFER_TAGS: Record<OfferStatus, Html> = {
  cancelled: html`<span class="tag quiet">Cancelled</span>`,
  ended: html`<span class="tag quiet">Sales ended</span>`,
  sold_out: html`<span class="tag quiet">Sold out</span>`,
  not_started: html`<span class="tag quiet">Not on sale yet</span>`,
  few_left: html`<span class="tag warn">Few left</span>`,
  on_sale: html`<span class="tag good">Available</span>`,
}

export const showOfferTag = (status: OfferStatus): Html => OFFER_TAGS[status]
