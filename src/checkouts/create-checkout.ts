import type { ShopScope } from '../access/access.ts'
import { shareReads } from '../access/batches.ts'
import type { Tx } from '../access/scopes.ts'
import { holdEach } from '../inventory/claim.ts'
import { batchPerEventOf } from '../inventory/per-event.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { BLANK_MESSAGE, MUST_BE_BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { Invalid, type TooManyRequests, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { readAccessCodes } from '../feed/rules.ts'
import { type BuyerDigests, buyerDigestsOf, refusalsBeyondCheckoutLimits } from '../waiting-room/ceilings/ceilings.ts'
import { type Turn, enterSale, giveBackTurns, turnOverRefusal, consumeTurns } from '../waiting-room/enter.ts'
import type { PlaceInLine } from '../waiting-room/wire.ts'
import { NOT_STARTED_MESSAGE, validateItems, holdRequestOf, shortageRefusal } from './choose-items.ts'
import { validateVoucherItems } from './choose-voucher-items.ts'
import type { ItemInput, NewCheckoutInput } from './inputs.ts'
import { type NewCheckout, findCheckoutByToken, findCheckoutsByToken, insertCheckouts } from './records.ts'
import { type Checkout, type CheckoutItem, HOLD_MS } from './rules.ts'
import { type SaleConditions, type SaleQuestion, findSaleConditions } from './terms/records.ts'
import { requireOwnCurrency } from '../orders/inputs.ts'
import { newCheckoutToken } from '../orders/tokens.ts'

export interface CheckoutVisitor {
  ip: string
  userAgent: string | null
  language: string
}

export type CreationOutcome =
  | { kind: 'created'; checkout: Checkout; token: string }
  | { kind: 'waiting'; queue: PlaceInLine }

/** Takes all that is asked for, at once and for a while, or nothing. While a waiting room is open that takes a turn. */
export const createCheckout = async (
  shop: ShopScope,
  input: NewCheckoutInput,
  visitor: CheckoutVisitor,
): Promise<CreationOutcome> => {
  requireOwnCurrency(input.currency, shop.account)
  const isForVouchers = input.voucher_items.length > 0
  refuseUnless(!isForVouchers || input.items.length === 0, { voucher_items: [MUST_BE_BLANK_MESSAGE] })
  const { token, digest, sealed } = newCheckoutToken(shop.app)
  const written = { publicId: newPublicId(), tokenDigest: digest, tokenSealed: sealed, ...writtenOf(shop, visitor) }

  if (isForVouchers) {
    const { items: voucherItems, now } = await validateVoucherItems(shop, input.voucher_items)
    const expiresAt = new Date(now.getTime() + HOLD_MS)
    const bought = { ...written, eventId: null, expiresAt, accessCodes: [], items: [], voucherItems }
    const checkout = await shop.transaction(async (tx) => {
      await insertCheckouts(tx, [bought])
      return requireFound(await findCheckoutByToken(tx, digest))
    })
    return { kind: 'created', checkout, token }
  }
  const codes = readAccessCodes(input.code)
  const terms = await findTerms(shop, input, codes)
  // Those who come before the sale may stand in line for it.
  const items = validateItems({ ...terms, salesStartAt: null }, input.items)
  const entry = await enter(shop, terms, items, input.queue_token)
  if (entry.kind === 'waiting') return entry
  const expiresAt = new Date(terms.now.getTime() + HOLD_MS)
  const wanted = { ...written, eventId: terms.eventId, expiresAt, accessCodes: codes, items, voucherItems: [] }
  const claim = await claims({ scope: shop, eventId: terms.eventId, checkout: wanted, turn: entry.turn })
  if (claim instanceof Error) throw claim
  return { kind: 'created', checkout: claim, token }
}

const enter = async (
  shop: ShopScope,
  { eventId, salesStartAt }: SaleConditions,
  items: readonly CheckoutItem[],
  queueToken: string | null,
) => {
  const ticketIds = items.map(({ ticketId }) => ticketId)
  const entry = await enterSale(shop, { eventId, queueToken, ticketIds })
  if (entry.kind === 'sold_out') {
    const refusedItem = Math.max(
      0,
      ticketIds.findIndex((id) => entry.ticketIds.includes(id)),
    )
    throw shortageRefusal({ refused: 'ticket', refusedItem })
  }
  if (entry.kind === 'not_started' || (entry.kind === 'admitted' && salesStartAt)) {
    throw new Invalid(NOT_STARTED_MESSAGE)
  }
  return entry
}

const writtenOf = (shop: ShopScope, { language, ...visitor }: CheckoutVisitor) => ({
  language,
  // The address itself is nobody's business; the same one is known again while a checkout lasts.
  ...buyerDigestsOf(shop, visitor),
})

const findTerms = async (
  shop: ShopScope,
  input: NewCheckoutInput,
  codes: readonly string[],
): Promise<SaleConditions> => {
  refuseUnless(input.event_slug !== null, { event_slug: [BLANK_MESSAGE] })
  const terms = await sharedSaleConditions(shop, saleQuestionOf(input.event_slug, input.items, codes))
  refuseUnless(terms, { event_slug: [NOT_INCLUDED_MESSAGE] })
  return terms
}

/** In a rush many want the same. */
const sharedSaleConditions = shareReads(findSaleConditions)

export const saleQuestionOf = (slug: string, items: readonly ItemInput[], codes: readonly string[]): SaleQuestion => ({
  slug,
  ticketIds: items.flatMap(({ ticket_id: id }) => id ?? []),
  placeKeys: items.flatMap(({ place_keys: keys }) => keys),
  codes,
})

interface Claimed {
  scope: ShopScope
  eventId: number
  checkout: NewCheckout & BuyerDigests
  turn: Turn
}

type Refused = Invalid | TooManyRequests
/** What became of one of those who were served together: answered from the transaction that took it. */
type Claim = Refused | Checkout

/** Those who want something of the same event are served together, each for itself and in their order. */
const claimAll = async (tx: Tx, asked: readonly Claimed[]): Promise<Claim[]> => {
  const refused = await findRefused(tx, asked)
  const admitted = asked.filter((_, n) => refused[n] === null)
  const held = admitted.length > 0 ? await holdAll(tx, admitted) : []
  await giveBackTurns(
    tx,
    admitted.filter((_, n) => held[n] instanceof Invalid).map(({ turn }) => turn),
  )
  return refused.map((each) => each ?? held.shift()!)
}

/** Whom a ceiling refuses, and whose turn is over; the turns of all others are used up. */
const findRefused = async (tx: Tx, asked: readonly Claimed[]): Promise<(Refused | null)[]> => {
  const beyond: (Refused | null)[] = asked[0]!.scope.app.settings.rateLimits
    ? await refusalsBeyondCheckoutLimits(
        tx,
        asked.map(({ checkout }) => checkout),
      )
    : asked.map(() => null)
  const used = await consumeTurns(
    tx,
    asked.filter((_, n) => !beyond[n]).map(({ turn }) => turn),
  )
  return beyond.map((each) => each ?? (used.shift() ? null : turnOverRefusal()))
}

const holdAll = async (tx: Tx, asked: readonly Claimed[]): Promise<(Invalid | Checkout)[]> => {
  const { eventId } = asked[0]!
  const last = asked.at(-1)!.checkout.expiresAt
  const outcomes = await holdEach(
    tx,
    eventId,
    asked.map(({ checkout }) => holdRequestOf(checkout.items)),
    last,
  )
  const made = asked.flatMap(({ checkout }, n) => {
    const { refused, holdIds } = outcomes[n]!
    if (refused !== null) return []
    const items = checkout.items.map((item, position) => ({ ...item, holdId: holdIds[position]! }))
    return [{ ...checkout, expiresAt: last, items }]
  })
  if (made.length > 0) await insertCheckouts(tx, made)
  const tokens = made.map(({ tokenDigest }) => tokenDigest)
  const checkouts = made.length > 0 ? await findCheckoutsByToken(tx, tokens) : []
  return outcomes.map((outcome) => (outcome.refused === null ? checkouts.shift()! : shortageRefusal(outcome)))
}

const claims = batchPerEventOf<Claimed, Claim>((asked) => asked, claimAll)
