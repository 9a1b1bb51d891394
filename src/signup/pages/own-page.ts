import type { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import type { Language } from '../../languages/rules.ts'
import { approvedAdditions, partySize, requestStatusOf, approvedPartySize, waitingAddition } from '../requests/rules.ts'
import { walletButtons } from '../../wallet/buttons.ts'
import type { WalletLinks } from '../../wallet/offer.ts'
import {
  type FilledForm,
  type SignupPageContext,
  companionInputs,
  emptyForm,
  eventHeader,
  faultSummary,
  renderSignupPage,
} from './parts.ts'
import type { GuestRequestPage } from './records.ts'
import { companionsStillAllowed } from './rules.ts'
import { isSignupOpen } from './sign-up.ts'
import { OWN_PAGE_WORDS } from './words.ts'

type Words = (typeof OWN_PAGE_WORDS)[Language]

/** What the page says once, after something was done on it. */
export type PageNotice = keyof Words['notices']

export const readNotice = (name: string | undefined): PageNotice | null =>
  name !== undefined && Object.hasOwn(OWN_PAGE_WORDS.en.notices, name) ? (name as PageNotice) : null

export interface GuestRequestPageState {
  notice?: PageNotice | null
  filled?: FilledForm
  walletLinks?: (publicId: string) => WalletLinks
}

export const guestRequestPage = (
  reader: SignupPageContext,
  page: GuestRequestPage,
  path: string,
  { notice = null, filled = emptyForm(reader.language), walletLinks }: GuestRequestPageState = {},
): RawAnswer => {
  const words = OWN_PAGE_WORDS[reader.language]
  return renderSignupPage(
    { ...reader, title: words.yourSignupOf(page.event.title) },
    html`${eventHeader(page.event, words.yourSignup, reader.language)}
    ${notice && html`<p class="notice good" role="status">${words.notices[notice]}</p>`} ${showStatus(page, words)}
    ${page.tickets.some(({ hasAddress }) => hasAddress) && showResend(page, path, words)}
    ${walletLinks && showPasses(page, walletLinks, words, reader.language)} ${showCompanions(page, path, filled)}`,
    filled.faults.length > 0 ? 422 : 200,
  )
}

const standing = (
  { event, request, ticketCount }: GuestRequestPage,
  { tags, sentences }: Words,
): { tag: string; colour: string; sentence: string } => {
  const status = requestStatusOf(request)
  if (event.isCancelled) return { tag: tags.cancelled, colour: 'bad', sentence: sentences.eventCancelled }
  if (status === 'pending') return { tag: tags.waiting, colour: 'warn', sentence: sentences.waiting }
  if (status === 'rejected') return { tag: tags.notAccepted, colour: 'bad', sentence: sentences.notAccepted }
  if (ticketCount === 0) return { tag: tags.cancelled, colour: 'bad', sentence: sentences.ticketsCancelled }
  return { tag: tags.confirmed, colour: 'good', sentence: sentences.confirmed }
}

const showStatus = (page: GuestRequestPage, words: Words) => {
  const { request, ticketCount } = page
  const { tag, colour, sentence } = standing(page, words)
  const waiting = waitingAddition(request)
  const names = [request, ...approvedAdditions(request)].flatMap(namesOf)
  return html`<section class="card" aria-labelledby="status-title">
    <h2 id="status-title" class="hidden-text">${words.status}</h2>
    <p class="status"><strong class="tag ${colour}">${tag}</strong> <span>${sentence}</span></p>
    <dl class="details">
      <dt>${words.name}</dt>
      <dd dir="auto">${request.name}</dd>
      <dt>${words.party}</dt>
      <dd>${words.people(request.reviewedAt === null ? partySize(request) : approvedPartySize(request))}</dd>
      ${
        names.length > 0 &&
        html`<dt>${words.companions}</dt>
          <dd>${listNames(names)}</dd>`
      }
      ${
        waiting &&
        html`<dt>${words.waiting}</dt>
          <dd>
            ${words.moreCompanions(waiting.companions)}${
              namesOf(waiting).length > 0 && html`: ${listNames(namesOf(waiting))}`
            }
          </dd>`
      }
      ${
        ticketCount > 0 &&
        html`<dt>${words.tickets}</dt>
          <dd>${ticketCount}</dd>`
      }
    </dl>
  </section>`
}

const namesOf = ({ companionNames }: { companionNames: string[] }) => companionNames.filter((name) => name !== '')

const listNames = (names: readonly string[]) =>
  names.map((name, n) => html`${n > 0 && ', '}<span dir="auto">${name}</span>`)

const showResend = ({ ticketCount }: GuestRequestPage, path: string, words: Words) =>
  html`<section class="card" aria-labelledby="resend-title">
    <h2 id="resend-title">${words.yourTickets(ticketCount)}</h2>
    <p class="muted">${words.lostTheMail(ticketCount)}</p>
    <form method="post" action="${path}/resend">
      <button type="submit" class="quiet">${words.sendAgain(ticketCount)}</button>
    </form>
  </section>`

/** Nothing where no wallet is offered, and nothing for an event that does not take place. */
const showPasses = (
  { event, tickets }: GuestRequestPage,
  walletLinks: (publicId: string) => WalletLinks,
  words: Words,
  language: Language,
): Html | null => {
  const passes = tickets.map(({ publicId, name }) => ({
    name,
    buttons: walletButtons(walletLinks(publicId), language, name),
  }))
  if (event.isCancelled || !passes[0]?.buttons) return null
  return html`<section class="card" aria-labelledby="wallet-title">
    <h2 id="wallet-title">${words.onYourPhone}</h2>
    ${passes.map(({ name, buttons }) => html`<p><span dir="auto">${name}</span><br />${buttons}</p>`)}
  </section>`
}

const showCompanions = (page: GuestRequestPage, path: string, filled: FilledForm): Html | null => {
  const { link, request, ticketCount } = page
  const status = requestStatusOf(request)
  const canAdd = isSignupOpen(page) && (status === 'pending' || (status === 'approved' && ticketCount > 0))
  const most = canAdd ? companionsStillAllowed(link, request) : 0
  if (most === 0) return faultSummary(filled)
  const words = OWN_PAGE_WORDS[filled.language]

  return html`<section class="card" aria-labelledby="companions-title">
    <h2 id="companions-title">${words.bringMore}</h2>
    <p class="muted">${words.mayBring(most)}${link.approvalMode === 'manual' && ` ${words.confirmedToo}`}</p>
    ${faultSummary(filled)}
    <form method="post" action="${path}/companions">
      ${companionInputs(filled, link, { envelope: 'guest_addition', least: 1, most })}
      <button type="submit">${words.add}</button>
    </form>
  </section>`
}
