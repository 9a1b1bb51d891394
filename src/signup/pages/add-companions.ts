import type { ShopScope } from '../../access/access.ts'
import type { Tx } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import type { Order } from '../../admissions/rules.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { notifyOwnersAndManagers } from '../../notifications/notify.ts'
import { NOTIFICATION_WORDS } from '../../notifications/words.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { hasListeners } from '../../webhooks/publish.ts'
import { announceSignup } from '../requests/announce.ts'
import { issueAdditionParty } from '../requests/issue-guests.ts'
import { type LockedSignupRequest, lockSignupRequestByPage, rereadRequest } from '../requests/reviews/records.ts'
import { mergeCompanionNames, orderIdsOf, requestStatusOf, waitingAddition } from '../requests/rules.ts'
import { type GuestRequestPage, findGuestRequestPage } from './records.ts'
import {
  type SignupFault,
  type SubmittedFields,
  type CompanionGroup,
  validateCompanions,
  webAddressFaults,
} from './rules.ts'
import {
  filterLiveOrders,
  findAccountOwner,
  insertAddition,
  updateAdditionCompanions,
  updateRequestCompanions,
} from './signups/records.ts'
import { SIGNUP_FAULT_WORDS } from './words.ts'

type CompanionsVerdict = { kind: 'refused'; faults: SignupFault[] } | { kind: 'added'; isWaiting: boolean }

/** With the page as it was when that was decided. */
export type CompanionsOutcome = CompanionsVerdict & { page: GuestRequestPage }

const refuse = (message: string): CompanionsVerdict => ({
  kind: 'refused',
  faults: [{ field: 'base', label: '', message }],
})

/** Before the decision the party grows; after it, the new ones are a group of their own. */
export const addCompanions = (shop: ShopScope, token: string, given: SubmittedFields): Promise<CompanionsOutcome> =>
  shop.transaction(async (tx) => {
    const digest = digestOf(token)
    const verdict = await add(shop, tx, requireFound(await lockSignupRequestByPage(tx, digest)), given)
    return { ...verdict, page: requireFound(await findGuestRequestPage(tx, digest)) }
  })

const add = async (
  shop: ShopScope,
  tx: Tx,
  review: LockedSignupRequest,
  given: SubmittedFields,
): Promise<CompanionsVerdict> => {
  const { request, link, isOpen } = review
  if (!isOpen || !link.enabled) return refuse(SIGNUP_FAULT_WORDS.en.closed)
  if (requestStatusOf(request) === 'rejected') return refuse(SIGNUP_FAULT_WORDS.en.notAccepted)

  const { group, faults } = validateCompanions(link, request, given)
  const addressed = webAddressFaults(link, { companion_names: given['companion_names'] })
  if (faults || addressed.length > 0) return { kind: 'refused', faults: [...(faults ?? []), ...addressed] }
  if (requestStatusOf(request) === 'approved') return addAfterApproval(shop, tx, review, group)

  await updateRequestCompanions(tx, request.id, joined(request, group))
  await announceGroup(tx, review, group)
  await tellManagement(shop, tx, review, group)
  return { kind: 'added', isWaiting: true }
}

const joined = (first: CompanionGroup, second: CompanionGroup): CompanionGroup => ({
  companions: first.companions + second.companions,
  companionNames: mergeCompanionNames(first, second),
})

const addAfterApproval = async (
  shop: ShopScope,
  tx: Tx,
  review: LockedSignupRequest,
  group: CompanionGroup,
): Promise<CompanionsVerdict> => {
  const { eventId, request, link } = review
  // Companions come with somebody: once staff have taken the tickets back, there is nobody to come with.
  if ((await filterLiveOrders(tx, eventId, orderIdsOf(request))).length === 0)
    return refuse(SIGNUP_FAULT_WORDS.en.cancelled)

  const waiting = waitingAddition(request)
  if (waiting) await updateAdditionCompanions(tx, waiting.id, joined(waiting, group))
  else {
    const addition = await insertAddition(tx, { eventId, requestId: request.id }, group)
    if (link.approvalMode === 'automatic') {
      const creator = await findAccountOwner(tx)
      const { refused, granted: order } = await issueAdditionParty(tx, { ...review, creator }, request, addition)
      if (refused === null) {
        await queueTicketMails(tx, [order.id], 'issued')
        await announceGroup(tx, review, group, order)
        return { kind: 'added', isWaiting: false }
      }
    }
  }
  await announceGroup(tx, review, group)
  await tellManagement(shop, tx, review, group)
  return { kind: 'added', isWaiting: true }
}

const announceGroup = async (
  tx: Tx,
  review: LockedSignupRequest,
  { companions }: CompanionGroup,
  order: Order | null = null,
) => {
  if (!(await hasListeners(tx))) return
  const event = { id: review.eventId, slug: review.eventSlug }
  await announceSignup(tx, event, { request: await rereadRequest(tx, review), addition: companions, order })
}

/** Each group is told of by itself, also when it joins one that waits. */
const tellManagement = (
  { account }: ShopScope,
  tx: Tx,
  { eventId, eventSlug, eventTitle, request }: LockedSignupRequest,
  { companions }: CompanionGroup,
) =>
  notifyOwnersAndManagers(tx, {
    kind: 'addition_pending',
    subject: newPublicId(),
    title: NOTIFICATION_WORDS[account.language].additionPending(request.name, companions, eventTitle),
    path: `/admin/events/${eventSlug}/guest_requests`,
    eventId,
  })
