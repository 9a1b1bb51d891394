import { z } from 'zod'
import { type ShopScope, shopVisitor } from '../../access/access.ts'
import { digestOf } from '../../access/tokens.ts'
import { type RawAnswer, ok, redirect } from '../../http/answers.ts'
import type { BodyReader } from '../../http/body.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { RequestHeaders } from '../../http/headers.ts'
import { languageOfRequest } from '../../http/request-language.ts'
import { Errors } from '../../http/wire.ts'
import { html } from '../../kernel/html.ts'
import { type ErrorMap, NotFound, Refusal, TooManyRequests, requireFound } from '../../kernel/refusals.ts'
import { translate } from '../../languages/translate.ts'
import { prefersJson } from '../../pages/console-page.ts'
import { findWalletOffer, walletLinksOf } from '../../wallet/offer.ts'
import { requestStatusOf, waitingAddition } from '../requests/rules.ts'
import { guestPagePath } from '../tokens.ts'
import { addCompanions } from './add-companions.ts'
import { type GuestRequestPageState, guestRequestPage, readNotice } from './own-page.ts'
import { type SignupPageContext, renderSignupPage } from './parts.ts'
import { type GuestRequestPage, findGuestRequestPage } from './records.ts'
import { signupPreviewEndpoint } from './preview.ts'
import { resendTickets } from './resend-tickets.ts'
import { errorMapOf, submittedFieldsOf } from './rules.ts'
import { readSignupForm, signUp } from './sign-up.ts'
import { signupClosedPage, alreadySignedUpPage, signupPage } from './signup-page.ts'
import { SIGNUP_FAULT_WORDS, SIGNUP_WORDS } from './words.ts'

/** A shop tells refusals in one sentence; these addresses tell them by field, as every other form of Foyer. */
const refusal = (errors: ErrorMap) => ({ status: 422 as const, body: { errors } })

/** Far beyond any queue at one café's network; only floods meet them. */
const SUBMISSIONS_PER_MINUTE = 300
const UNKNOWN_ADDRESSES_PER_MINUTE = 120

/** Whatever was sent; the page itself says what is wrong with it. */
const anything: BodyReader<unknown> = { schema: z.unknown(), read: (body) => body }

/** People get pages. JSON is for whoever asks for it, or sends it without asking for a page. */
const wantsJson = (headers: RequestHeaders) =>
  prefersJson(headers) ||
  (String(headers['content-type'] ?? '').startsWith('application/json') &&
    !String(headers['accept'] ?? '').includes('text/html'))

interface Asked {
  shop: ShopScope
  headers: RequestHeaders
  ip: string
}

const readerOf = ({ shop: { account }, headers }: Asked): SignupPageContext => ({
  shopName: account.name,
  language: languageOfRequest(account, headers),
})

/** Whatever is refused is told on a page to those who look at pages. */
const forGuests = async <T>(asked: Asked, work: () => Promise<T>): Promise<T | RawAnswer> => {
  try {
    return await countingUnknown(asked, work)
  } catch (error) {
    if (!(error instanceof Refusal) || wantsJson(asked.headers)) throw error
    return refusedPage(readerOf(asked), error)
  }
}

/** Guessed addresses cost. A right one is never refused: it is too long to be guessed. */
const countingUnknown = async <T>({ shop, ip }: Asked, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    const unknown = shop.app.budgets.shared('unknown signup addresses from an address', UNKNOWN_ADDRESSES_PER_MINUTE)
    if (error instanceof NotFound) await unknown.spend(ip)
    throw error
  }
}

const refusedPage = (reader: SignupPageContext, refusal: Refusal) => {
  const words = SIGNUP_WORDS[reader.language]
  const { title, text } =
    refusal instanceof NotFound
      ? { title: words.notHere, text: words.linkReplaced }
      : { title: words.didNotWork, text: `${translate(SIGNUP_FAULT_WORDS, refusal.message, reader.language)}.` }
  const headers: Record<string, string> =
    refusal instanceof TooManyRequests ? { 'retry-after': String(refusal.retryAfterSeconds) } : {}
  return renderSignupPage(
    { ...reader, title },
    html`<h1>${title}</h1>
      <p>${text}</p>`,
    refusal.status,
    headers,
  )
}

const spendSubmission = ({ shop, ip }: Asked) =>
  shop.app.budgets.of('submissions of guests from an address', SUBMISSIONS_PER_MINUTE).spend(ip)

export const signupPageVisitEndpoint = endpoint({
  method: 'GET',
  path: '/guest_list/:token',
  says: 'The page of a signup link.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: (asked) =>
    forGuests(asked, async () => signupPage(readerOf(asked), await readSignupForm(asked.shop, asked.params.token))),
})

const SignupStatus = z.object({ status: z.enum(['pending', 'approved', 'already_signed_up']) })

export const signupSubmissionEndpoint = endpoint({
  method: 'POST',
  path: '/guest_list/:token',
  says: 'Signs a guest up through a link.',
  access: shopVisitor(),
  body: anything,
  answers: { 200: SignupStatus, 201: SignupStatus, 422: Errors },
  undocumented: true,
  handle: (asked) =>
    forGuests(asked, async () => {
      spendSubmission(asked)
      const reader = readerOf(asked)
      const json = wantsJson(asked.headers)
      const form = await readSignupForm(asked.shop, asked.params.token)
      const given = submittedFieldsOf(asked.body, 'guest_request')
      const outcome = await signUp(asked.shop, asked.params.token, form, { given, language: reader.language })

      if (outcome.kind === 'closed') {
        return json ? refusal({ base: [SIGNUP_FAULT_WORDS.en.closed] }) : signupClosedPage(reader, form, 422)
      }
      if (outcome.kind === 'refused') {
        return json
          ? refusal(errorMapOf(outcome.faults))
          : signupPage(reader, form, { language: reader.language, given, faults: outcome.faults })
      }
      if (outcome.kind === 'repeated') {
        return json ? ok({ status: 'already_signed_up' as const }) : alreadySignedUpPage(reader, form)
      }
      const { status, pageToken } = outcome
      if (json) return { status: 201 as const, body: { status } }
      return redirect(`${guestPagePath(pageToken)}?done=${status === 'approved' ? 'confirmed' : 'received'}`, 303)
    }),
})

const showOwnPage = (asked: Asked, page: GuestRequestPage, token: string, saying: GuestRequestPageState) =>
  guestRequestPage(readerOf(asked), page, guestPagePath(token), saying)

export const ownPageVisitEndpoint = endpoint({
  method: 'GET',
  path: '/guest_signups/:token',
  says: 'A guest’s own page.',
  access: shopVisitor(),
  query: z.object({ done: z.string().optional().catch(undefined) }),
  answers: {},
  undocumented: true,
  handle: (asked) =>
    forGuests(asked, async () => {
      const { done } = asked.query
      const { token } = asked.params
      const { shop } = asked
      const { page, offer } = await shop.consistentRead(async (rows) => ({
        page: requireFound(await findGuestRequestPage(rows, digestOf(token))),
        offer: await findWalletOffer(shop.app, rows),
      }))
      return showOwnPage(asked, page, token, {
        notice: readNotice(done),
        walletLinks: (publicId) => walletLinksOf(shop.app, offer, { accountId: shop.account.id, publicId }),
      })
    }),
})

const OwnStatus = z.object({
  status: z.enum(['pending', 'approved', 'rejected']),
  waiting_companions: z.int(),
})

const showOwnStatus = ({ request }: GuestRequestPage): z.output<typeof OwnStatus> => ({
  status: requestStatusOf(request),
  waiting_companions: waitingAddition(request)?.companions ?? 0,
})

export const companionsSubmissionEndpoint = endpoint({
  method: 'POST',
  path: '/guest_signups/:token/companions',
  says: 'Adds companions to a signup.',
  access: shopVisitor(),
  body: anything,
  answers: { 200: OwnStatus, 422: Errors },
  undocumented: true,
  handle: (asked) =>
    forGuests(asked, async () => {
      spendSubmission(asked)
      const { token } = asked.params
      const json = wantsJson(asked.headers)
      const given = submittedFieldsOf(asked.body, 'guest_addition')
      const outcome = await addCompanions(asked.shop, token, given)
      if (outcome.kind === 'refused') {
        if (json) return refusal(errorMapOf(outcome.faults))
        return showOwnPage(asked, outcome.page, token, {
          filled: { language: readerOf(asked).language, given, faults: outcome.faults },
        })
      }
      if (json) return ok(showOwnStatus(outcome.page))
      return redirect(`${guestPagePath(token)}?done=${outcome.isWaiting ? 'waiting' : 'added'}`, 303)
    }),
})

export const ticketsResendEndpoint = endpoint({
  method: 'POST',
  path: '/guest_signups/:token/resend',
  says: 'Sends a guest’s tickets once more.',
  access: shopVisitor(),
  answers: { 200: OwnStatus, 422: Errors },
  undocumented: true,
  handle: (asked) =>
    forGuests(asked, async () => {
      spendSubmission(asked)
      const { token } = asked.params
      const json = wantsJson(asked.headers)
      const { kind, page } = await resendTickets(asked.shop, token)
      if (kind === 'nothing to send') {
        if (json) return refusal({ base: [NO_TICKETS] })
        return showOwnPage(asked, page, token, {
          filled: {
            language: readerOf(asked).language,
            given: {},
            faults: [{ field: 'base', label: '', message: NO_TICKETS }],
          },
        })
      }
      if (json) return ok(showOwnStatus(page))
      return redirect(`${guestPagePath(token)}?done=${kind === 'sent' ? 'sent' : 'soon'}`, 303)
    }),
})

const NO_TICKETS = SIGNUP_FAULT_WORDS.en.noTickets

export const pageEndpoints = [
  signupPreviewEndpoint,
  signupPageVisitEndpoint,
  signupSubmissionEndpoint,
  ownPageVisitEndpoint,
  companionsSubmissionEndpoint,
  ticketsResendEndpoint,
]
