import type { RawAnswer } from '../../http/answers.ts'
import { type Html, html } from '../../kernel/html.ts'
import { approvedAdditions, partySize, statusOf, approvedPartySize, waitingAddition } from '../requests/rules.ts'
import { EMPTY_FORM, type FormValues, companionInputs, eventHead, faultSummary, signupAnswer } from './parts.ts'
import type { OwnPage } from './records.ts'
import { roomForCompanions } from './rules.ts'
import { isOpen } from './sign-up.ts'

/** What the page says once, after something was done on it. */
export const NOTICES = {
  received: 'Thank you. We have your signup and have sent you an email with the link to this page.',
  confirmed: 'Thank you. You are on the list, and your tickets are on their way to your inbox.',
  added: 'Your companions are on the list. Their tickets are on their way to your inbox.',
  waiting: 'Your companions are noted. They still have to be confirmed.',
  sent: 'Your tickets are on their way to your inbox.',
  soon: 'Your tickets were sent less than a minute ago. Please give them a moment, and look among the unwanted mails too.',
} as const
export type Notice = keyof typeof NOTICES

export interface OwnPageMessage {
  notice?: Notice | null
  filled?: FormValues
}

export const ownPage = (
  shopName: string,
  page: OwnPage,
  path: string,
  { notice = null, filled = EMPTY_FORM }: OwnPageMessage = {},
): RawAnswer =>
  signupAnswer(
    {
      title: `Your signup: ${page.event.title}`,
      shopName,
      body: html`${eventHead(page.event, 'Your signup')}
      ${notice && html`<p class="notice good" role="status">${NOTICES[notice]}</p>`} ${showStatus(page)}
      ${page.ticketCount > 0 && showResend(page, path)} ${showCompanions(page, path, filled)}`,
    },
    filled.faults.length > 0 ? 422 : 200,
  )

const standing = ({ event, request, ticketCount }: OwnPage): { tag: string; colour: string; sentence: string } => {
  const status = statusOf(request)
  if (event.isCancelled) return { tag: 'Cancelled', colour: 'bad', sentence: 'This event is cancelled.' }
  if (status === 'pending') {
    return {
      tag: 'Waiting',
      colour: 'warn',
      sentence: 'Your signup is waiting for confirmation. You will get your tickets by email.',
    }
  }
  if (status === 'rejected')
    return { tag: 'Not accepted', colour: 'bad', sentence: 'Your signup was not accepted this time.' }
  if (ticketCount === 0) return { tag: 'Cancelled', colour: 'bad', sentence: 'Your tickets were cancelled.' }
  return { tag: 'Confirmed', colour: 'good', sentence: 'You are on the list. Your tickets came by email.' }
}

const showStatus = (page: OwnPage) => {
  const { request, ticketCount } = page
  const { tag, colour, sentence } = standing(page)
  const waiting = waitingAddition(request)
  const names = [request, ...approvedAdditions(request)].flatMap(namesOf)
  return html`<section class="card" aria-labelledby="status-title">
    <h2 id="status-title" class="hidden-text">Status</h2>
    <p class="status"><strong class="tag ${colour}">${tag}</strong> <span>${sentence}</span></p>
    <dl class="details">
      <dt>Name</dt>
      <dd dir="auto">${request.name}</dd>
      <dt>Party</dt>
      <dd>${countPeople(request.reviewedAt === null ? partySize(request) : approvedPartySize(request))}</dd>
      ${
        names.length > 0 &&
        html`<dt>Companions</dt>
          <dd>${listNames(names)}</dd>`
      }
      ${
        waiting &&
        html`<dt>Waiting</dt>
          <dd>
            ${waiting.companions === 1 ? '1 more companion' : `${waiting.companions} more companions`}${
              namesOf(waiting).length > 0 && html`: ${listNames(namesOf(waiting))}`
            }
          </dd>`
      }
      ${
        ticketCount > 0 &&
        html`<dt>Tickets</dt>
          <dd>${ticketCount}</dd>`
      }
    </dl>
  </section>`
}

const countPeople = (count: number) => (count === 1 ? 'Just you' : `${count} people`)

const namesOf = ({ companionNames }: { companionNames: string[] }) => companionNames.filter((name) => name !== '')

const listNames = (names: readonly string[]) =>
  names.map((name, n) => html`${n > 0 && ', '}<span dir="auto">${name}</span>`)

const showResend = ({ ticketCount }: OwnPage, path: string) =>
  html`<section class="card" aria-labelledby="resend-title">
    <h2 id="resend-title">${ticketCount === 1 ? 'Your ticket' : 'Your tickets'}</h2>
    <p class="muted">
      Lost the email? We send ${ticketCount === 1 ? 'it' : 'them'} again to the address you signed up with.
    </p>
    <form method="post" action="${path}/resend">
      <button type="submit" class="quiet">Send my ${ticketCount === 1 ? 'ticket' : 'tickets'} again</button>
    </form>
  </section>`

const showCompanions = (page: OwnPage, path: string, filled: FormValues): Html | null => {
  const { link, request, ticketCount } = page
  const status = statusOf(request)
  const canAdd = isOpen(page) && (status === 'pending' || (status === 'approved' && ticketCount > 0))
  const most = canAdd ? roomForCompanions(link, request) : 0
  if (most === 0) return faultSummary(filled)

  return html`<section class="card" aria-labelledby="companions-title">
    <h2 id="companions-title">Bring more companions</h2>
    <p class="muted">
      ${most === 1 ? 'You may bring one more.' : `You may bring up to ${most} more.`}${
        link.approvalMode === 'manual' && ' They have to be confirmed too.'
      }
    </p>
    ${faultSummary(filled)}
    <form method="post" action="${path}/companions">
      ${companionInputs(filled, link, { envelope: 'guest_addition', least: 1, most })}
      <button type="submit">Add</button>
    </form>
  </section>`
}
