import { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import { showMessage } from '../../kernel/message-words.ts'
import { showAmount, showPrice } from '../../kernel/money.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'
import { defineWords } from '../../languages/rules.ts'
import { translate } from '../../languages/translate.ts'
import type { Language } from '../../languages/rules.ts'
import { renderPublicPage } from '../../pages/layout.ts'
import { CHECKOUT_WORDS, type CheckoutWords } from '../words.ts'
import { SHOP_STYLE } from './style.ts'

/** For whom a page is drawn, and in which shop. */
export interface ShopPageContext {
  shopName: string
  currency: string
  timeZone: string
  language: Language
  words: CheckoutWords
}

export const shopPageContext = (
  account: { name: string; currency: string; timeZone: string },
  language: Language,
): ShopPageContext => ({
  shopName: account.name,
  currency: account.currency,
  timeZone: account.timeZone,
  language,
  words: CHECKOUT_WORDS[language],
})

export interface ShopPageContent {
  title: string
  body: Html
  head?: Html
  script?: string
  style?: string
  imageSources?: readonly string[]
  status?: number
  headers?: Record<string, string>
}

/** A page that only those with its address should see: kept out of search engines, caches and referrers. */
export const renderShopPage = ({ shopName, language }: ShopPageContext, page: ShopPageContent): RawAnswer => {
  const drawn = renderPublicPage({
    language,
    title: page.title,
    shopName,
    isPrivate: true,
    head: page.head,
    style: SHOP_STYLE + (page.style ?? ''),
    script: page.script,
    imageSources: page.imageSources,
    body: page.body,
  })
  return new RawAnswer(
    page.status ?? 200,
    {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': drawn.contentSecurityPolicy,
      'content-language': language,
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      vary: 'Accept, Accept-Language',
      ...page.headers,
    },
    drawn.html,
  )
}

export const formatPrice = (cents: number, { currency, language }: Pick<ShopPageContext, 'currency' | 'language'>) =>
  showPrice({ amount: showAmount(cents, currency), currency }, language)

/** What this room refuses with, as a page says it. */
const MESSAGES = defineWords(
  {
    event: 'Not enough places available',
    ticket: 'Not enough tickets available',
    area: 'Not enough places available in this area',
    places: 'Seats are no longer available',
    eachPlace: (count: string) => `must be ${count}, one for each place`,
    eachGroup: (size: string) => `must be ${size} for each group`,
    tooManyGuests: (most: string) => `must not be for more than ${most} guests`,
    expired: 'This checkout has expired',
    cancelledCheckout: 'This checkout was cancelled',
    cancelled: 'This event is cancelled',
    ended: 'The sale has ended',
    notStarted: 'The sale has not started yet',
    underWay: 'A payment is under way',
    paid: 'This has been paid already',
    blocked: 'This voucher is blocked',
    voucherExpired: 'This voucher has expired',
    noMoney: 'has no money left',
    notNeeded: 'is not needed: nothing is left to pay',
    noAnswer: 'does not answer just now: please try again, or choose another one',
    accepted: 'must be accepted',
    future: 'must be in the future',
    beforeExpiry: 'must be before the voucher expires',
    tooMany: 'Too many requests',
  },
  {
    event: 'Es sind nicht mehr genug Plätze frei',
    ticket: 'Es sind nicht mehr genug Tickets da',
    area: 'In diesem Bereich sind nicht mehr genug Plätze frei',
    places: 'Diese Sitzplätze sind nicht mehr frei',
    eachPlace: (count) => `muss ${count} sein, eins für jeden Platz`,
    eachGroup: (size) => `müssen ${size} für jede Gruppe sein`,
    tooManyGuests: (most) => `darf nicht für mehr als ${most} Gäste sein`,
    expired: 'Die Zeit für diesen Kauf ist abgelaufen',
    cancelledCheckout: 'Dieser Kauf wurde abgebrochen',
    cancelled: 'Diese Veranstaltung ist abgesagt',
    ended: 'Der Vorverkauf ist beendet',
    notStarted: 'Der Vorverkauf hat noch nicht begonnen',
    underWay: 'Eine Zahlung läuft bereits',
    paid: 'Das ist bereits bezahlt',
    blocked: 'Dieser Gutschein ist gesperrt',
    voucherExpired: 'Dieser Gutschein ist abgelaufen',
    noMoney: 'hat kein Guthaben mehr',
    notNeeded: 'wird nicht gebraucht: Es ist nichts mehr zu zahlen',
    noAnswer: 'antwortet gerade nicht: Bitte versuchen Sie es noch einmal oder wählen Sie anders',
    accepted: 'muss angenommen werden',
    future: 'muss in der Zukunft liegen',
    beforeExpiry: 'muss vor dem Ablauf des Gutscheins liegen',
    tooMany: 'Zu viele Anfragen',
  },
)

export const translateMessage = (message: string, language: Language): string => {
  const own = translate(MESSAGES, message, language)
  return own === message ? showMessage(message, language) : own
}

/** A fault of the errors map, on a page. */
export interface PageFault {
  field: string
  message: string
}

export const pageFaultsOf = (errors: ErrorMap, language: Language): PageFault[] =>
  Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => ({ field, message: translateMessage(message, language) })),
  )

export const faultMessageOf = (faults: readonly PageFault[], field: string): string | null =>
  faults.find((fault) => fault.field === field)?.message ?? null

/** A message that goes on from the name of its field, such as "can't be blank", is no sentence without it. */
export const sentenceWith = (label: string, message: string): string =>
  /^\p{Lower}/u.test(message) ? `${label} ${message}` : message

export const fieldElementId = (field: string) => `field-${field.replaceAll(/[^a-z0-9]+/gi, '-').replace(/-$/, '')}`

export const noticePage = (
  page: ShopPageContext,
  title: string,
  text: string,
  more: Partial<ShopPageContent> = {},
  link?: Html,
) =>
  renderShopPage(page, {
    title,
    body: html`<div class="sheet">
      <h1>${title}</h1>
      <p>${text}</p>
      ${link}
    </div>`,
    ...more,
  })
