import { type Html, html } from '../kernel/html.ts'
import { showDayWithComma, showTime } from '../kernel/times.ts'
import type { Language } from '../languages/rules.ts'
import type { OfferStatus } from './rules.ts'
import type { ShownEvent } from './wire.ts'
import { FEED_WORDS } from './words.ts'

/** Whether tickets can be had, in a sentence; null where the tickets speak for themselves. */
export const salesSentence = (event: ShownEvent, language: Language): string | null => {
  const { sales_status: status, sales_starts_at: from, time_zone: zone } = event
  const words = FEED_WORDS[language].sales
  if (status === 'on_sale') return null
  if (status !== 'not_started') return words[status]
  return words.not_started(showDayWithComma(from!, zone, language), showTime(from!, zone, language))
}

const COLOURS: Partial<Record<OfferStatus, string>> = { few_left: 'warn', on_sale: 'good' }

export const showOfferTag = (status: OfferStatus, language: Language): Html =>
  html`<span class="tag ${COLOURS[status] ?? 'quiet'}">${FEED_WORDS[language].offers[status]}</span>`
