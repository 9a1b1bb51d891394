import type { ShopScope } from '../../access/access.ts'
import type { Tx } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import { lockGuestEmails } from '../../admissions/records.ts'
import type { Order, Question } from '../../admissions/rules.ts'
import { findQuestions } from '../../admissions/terms/records.ts'
import { questionsOfScope } from '../../guest-list/rules.ts'
import { serializePerEvent } from '../../inventory/per-event.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { NotFound, requireFound } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'
import { notifyOwnersAndManagers } from '../../notifications/notify.ts'
import { NOTIFICATION_WORDS } from '../../notifications/words.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import type { PageSettings } from '../links/rules.ts'
import { type RequestForWebhook, announceSignup } from '../requests/announce.ts'
import { issueAndApproveRequest } from '../requests/issue-guests.ts'
import type { SignupRequest } from '../requests/rules.ts'
import { newSignupToken } from '../tokens.ts'
import { mailGuestPageLink } from './jobs.ts'
import { type SignupPage, findSignupPage } from './records.ts'
import {
  type SignupFault,
  type SubmittedFields,
  type ValidatedSignup,
  validateSignup,
  webAddressFaults,
} from './rules.ts'
import { type SignupContext, insertRequest, lockSignupContext, tryClaimReminder } from './signups/records.ts'

export interface SignupForm extends SignupPage {
  /** Those of the order, when the link asks them. */
  questions: Question[]
}

/** The form behind an address; there is none while the event is not published. */
export const readSignupForm = (shop: ShopScope, token: string): Promise<SignupForm> =>
  shop.consistentRead(async (rows) => {
    const page = requireFound(await findSignupPage(rows, digestOf(token)))
    if (!page.event.isPublished) throw new NotFound()
    const questions = page.link.asksQuestions ? await findQuestions(rows, page.event.id) : []
    return { ...page, questions: questionsOfScope('order', questions) }
  })

/** A form as guests see it, whatever its link is beside that. */
export interface ShownForm extends Pick<SignupForm, 'event' | 'questions'> {
  link: PageSettings
}

export const isSignupOpen = ({ event, link }: Pick<ShownForm, 'event' | 'link'>) => event.isOpen && link.enabled

export type SignupOutcome =
  | { kind: 'closed' }
  | { kind: 'refused'; faults: SignupFault[] }
  /** The same whatever is stored: only the mail tells more, to whom the address belongs. */
  | { kind: 'repeated' }
  | { kind: 'received'; status: 'pending' | 'approved'; pageToken: string }

export const signUp = async (
  shop: ShopScope,
  token: string,
  form: SignupForm,
  { given, language }: { given: SubmittedFields; language: Language },
): Promise<SignupOutcome> => {
  if (!isSignupOpen(form)) return { kind: 'closed' }
  const { signup, faults } = validateSignup(form.link, form.questions, given)
  const addressed = webAddressFaults(form.link, given)
  if (faults || addressed.length > 0) return { kind: 'refused', faults: [...(faults ?? []), ...addressed] }

  return serializePerEvent(shop, form.event.id, () =>
    shop.transaction((tx) => enter(shop, tx, { token, form, signup: { ...signup, language } })),
  )
}

/** With what the guest reads: whatever is written to them later is in it. */
type SignupInLanguage = ValidatedSignup & { language: Language }

const enter = async (
  shop: ShopScope,
  tx: Tx,
  { token, form, signup }: { token: string; form: SignupForm; signup: SignupInLanguage },
): Promise<SignupOutcome> => {
  await lockGuestEmails(tx, form.event.id, [signup.email])
  const threshold = requireFound(await lockSignupContext(tx, digestOf(token), signup.email))
  if (!threshold.isOpen || !threshold.link.enabled) return { kind: 'closed' }
  if (threshold.requestId !== null || threshold.partyIds.length > 0) {
    await remind(tx, threshold, { email: signup.email, isThrottled: shop.app.settings.rateLimits })
    return { kind: 'repeated' }
  }
  return receive(shop, tx, threshold, signup)
}

const receive = async (
  shop: ShopScope,
  tx: Tx,
  threshold: SignupContext,
  signup: SignupInLanguage,
): Promise<SignupOutcome> => {
  const { eventId, link, owner } = threshold
  const token = newSignupToken(shop.app, 'page')
  const request = await insertRequest(tx, { ...signup, eventId, link, publicId: newPublicId(), token })

  if (link.approvalMode === 'automatic') {
    const { refused, granted: order } = await issueAndApproveRequest(tx, { ...threshold, creator: owner }, request)
    if (refused === null) {
      await queueTicketMails(tx, [order.id], 'issued')
      await announce(tx, threshold, { request: approved(request, order), addition: null, order })
      return { kind: 'received', status: 'approved', pageToken: token.token }
    }
  }
  await enqueue(tx.db, mailGuestPageLink, { account_id: tx.accountId, request_id: request.id, reason: 'received' })
  await tellManagement(shop, tx, threshold, request)
  await announce(tx, threshold, { request, addition: null })
  return { kind: 'received', status: 'pending', pageToken: token.token }
}

const announce = async (tx: Tx, { eventId, eventSlug, hasWebhooks }: SignupContext, told: RequestForWebhook) => {
  if (hasWebhooks) await announceSignup(tx, { id: eventId, slug: eventSlug }, told)
}

const approved = (request: SignupRequest, order: Order): SignupRequest => ({
  ...request,
  reviewedAt: order.createdAt,
  orderId: order.id,
  orderPublicId: order.publicId,
})

const tellManagement = (
  { account }: ShopScope,
  tx: Tx,
  { eventId, eventSlug, eventTitle }: SignupContext,
  request: SignupRequest,
) =>
  notifyOwnersAndManagers(tx, {
    kind: 'signup_pending',
    subject: request.publicId,
    title: NOTIFICATION_WORDS[account.language].signupPending(request.name, eventTitle),
    path: `/admin/events/${eventSlug}/guest_requests`,
    eventId,
  })

/** The way to the own page, or the tickets of a party that staff added, now and then. */
const remind = async (
  tx: Tx,
  threshold: SignupContext,
  { email, isThrottled }: { email: string; isThrottled: boolean },
) => {
  const { eventId, requestId, partyIds } = threshold
  if (!(await tryClaimReminder(tx, { eventId, email, isThrottled }))) return
  if (requestId === null) return queueTicketMails(tx, partyIds, 'delivered_again')
  await enqueue(tx.db, mailGuestPageLink, { account_id: tx.accountId, request_id: requestId, reason: 'repeated' })
}
