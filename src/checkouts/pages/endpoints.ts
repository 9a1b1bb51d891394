import { z } from 'zod'
import { type ShopScope, shopVisitor } from '../../access/access.ts'
import type { Rows } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import { RawAnswer, redirect } from '../../http/answers.ts'
import { isRecord } from '../../http/body.ts'
import { type Endpoint, endpoint } from '../../http/endpoint.ts'
import { parseForm } from '../../http/forms.ts'
import { firstHeaderValue } from '../../http/request-facts.ts'
import { type ErrorMap, NotFound, requireFound } from '../../kernel/refusals.ts'
import { openCodes, sealCodes } from '../../feed/access-codes.ts'
import { countAccessCodes } from '../../feed/find-shown.ts'
import { readAccessCodes } from '../../feed/rules.ts'
import type { Payments } from '../../payments/payments.ts'
import { cancelPayment } from '../../payments/settle-payment.ts'
import { enterSale } from '../../waiting-room/enter.ts'
import { waitingPage } from '../../waiting-room/waiting-page.ts'
import { changeCheckout } from '../change-checkout.ts'
import { createCheckout } from '../create-checkout.ts'
import { cancelCheckout } from '../end-checkout.ts'
import { CheckoutChangeBody, NewCheckoutBody, type NewCheckoutInput } from '../inputs.ts'
import { payCheckout } from '../pay-checkout.ts'
import { findAccessCodes, findCheckoutByToken } from '../records.ts'
import { paymentMethodsFor } from '../payment-choice.ts'
import { type Checkout, effectiveStatusOf } from '../rules.ts'
import { reserveVoucherForCheckout, removeVoucherFromCheckout } from '../set-voucher-aside.ts'
import { findSaleView } from '../sale-view/records.ts'
import { withOwnHold } from '../sale-view/own-hold.ts'
import { spendAskForCheckout, spendVoucherCode } from '../spend-budgets.ts'
import { checkoutPath, orderPath } from '../../orders/tokens.ts'
import { type CheckoutForm, checkoutPage } from './checkout-page.ts'
import { type ChosenTicket, chooseTicketsPage, readChosenTickets } from './choose-page.ts'
import { cancelledEventPage, endedCheckoutPage, pendingPaymentPage } from './order-page.ts'
import { type PageFault, type ShopPageContext, pageFaultsOf } from './parts.ts'
import { requireCheckout } from '../require-checkout.ts'
import { type ShopPageRequest, formErrorsOf, withRefusalsAsPages } from './on-pages.ts'
import { orderTicketsPdfEndpoint } from './order-endpoints.ts'
import { renderVoucherShop, vouchersPageVisitEndpoint } from './voucher-endpoints.ts'
import { readVoucherFields } from './vouchers-page.ts'

const codesQuery = z.object({ code: z.unknown(), 'code[]': z.unknown(), unlock: z.unknown(), queue_token: z.unknown() })

/** Where buyers choose: tickets, areas and seats as they are left now. */
const ticketChoice = endpoint({
  method: 'GET',
  path: '/events/:slug/tickets',
  says: 'The page on which tickets and seats are chosen.',
  access: shopVisitor(),
  query: codesQuery,
  answers: {},
  undocumented: true,
  handle: (asked) =>
    withRefusalsAsPages(asked, async (page) => {
      const { shop, params, query, ip } = asked
      const codes = readAccessCodes(query.code, query['code[]'], openCodes(shop.app, query.unlock))
      await countAccessCodes(shop, params.slug, { codes, ip })
      const view = requireFound(await shop.consistentRead((rows) => findSaleView(rows, params.slug, codes)))
      const queueToken = typeof query.queue_token === 'string' ? query.queue_token : null
      return chooseTicketsPage(page, view, { unlock: unlockOf(shop, codes), action: '/checkouts', queueToken })
    }),
})

const unlockOf = ({ app }: ShopScope, codes: readonly string[]) => (codes.length > 0 ? sealCodes(app, codes) : null)

/** The codes that came with a form: sealed where a page sent them on, as they are from a page of somebody else's. */
const codesIn = ({ app }: ShopScope, sent: unknown): string[] => {
  const form = isRecord(sent) ? sent : {}
  const checkout = isRecord(form['checkout']) ? form['checkout'] : {}
  return readAccessCodes(checkout['code'], openCodes(app, form['unlock']))
}

/** What a form at `POST /checkouts` gets: its checkout, or the page it came from with what is wrong. */
export const answerNewCheckoutForm = (asked: ShopPageRequest & { sent: unknown }): Promise<RawAnswer> =>
  withRefusalsAsPages(asked, async (page) => {
    const { shop, sent, ip } = asked
    const body = isRecord(sent) && isRecord(sent['checkout']) ? sent['checkout'] : {}
    const [slug, codes] = [textOf(body['event_slug']), codesIn(shop, sent)]
    await countAccessCodes(shop, slug, { codes, ip })
    try {
      const input = { ...NewCheckoutBody.read(sent), code: codes }
      spendAskForCheckout(shop, ip, input.queue_token)
      const userAgent = firstHeaderValue(asked.headers['user-agent']) ?? null
      const outcome = await createCheckout(shop, input, { ip, userAgent, language: page.language })
      if (outcome.kind === 'created') return redirect(checkoutPath(outcome.token), 303)
      const wanted = wantedOf(shop, input, outcome.queue.token)
      return redirect(`/events/${input.event_slug}/line?${new URLSearchParams(wanted).toString()}`, 303)
    } catch (error) {
      const faults = pageFaultsOf(formErrorsOf(error), page.language)
      if (readVoucherFields(sent)) return renderVoucherShop(asked, page, { sent: readVoucherFields(sent), faults })
      const view = requireFound(await shop.consistentRead((rows) => findSaleView(rows, slug, codes)))
      const chosen = readChosenTickets(sent)
      return chooseTicketsPage(page, view, {
        unlock: unlockOf(shop, codes),
        action: '/checkouts',
        chosen,
        faults: placeFaults(faults, chosen, view.tickets),
        status: 422,
      })
    }
  })

/** What is wanted, as the fields of a form: it goes along while its buyer stands in line. */
const wantedOf = (shop: ShopScope, input: NewCheckoutInput, queueToken: string): [string, string][] => [
  ['queue_token', queueToken],
  ['checkout[event_slug]', input.event_slug ?? ''],
  ...(input.code.length > 0 ? [['unlock', sealCodes(shop.app, input.code)] as [string, string]] : []),
  ...input.items.flatMap((item, n): [string, string][] => [
    [`checkout[items][${n}][ticket_id]`, String(item.ticket_id ?? '')],
    ...(item.quantity === null ? [] : [[`checkout[items][${n}][quantity]`, String(item.quantity)] as [string, string]]),
    ...(item.standing_area_id === null
      ? []
      : [[`checkout[items][${n}][standing_area_id]`, String(item.standing_area_id)] as [string, string]]),
    ...item.place_keys.map((key): [string, string] => [`checkout[items][${n}][place_keys][]`, key]),
  ]),
]

/** The line as a page that looks again by itself. When it is their turn, a button takes what was wanted. */
const line = endpoint({
  method: 'GET',
  path: '/events/:slug/line',
  says: 'The page of those who stand in line for an event.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: (asked) =>
    withRefusalsAsPages(asked, async (page) => {
      const { shop, params, stream, ip } = asked
      const query = (stream.url ?? '').split('?')[1] ?? ''
      const sent = parseForm(Buffer.from(query))
      const codes = codesIn(shop, sent)
      const input = { ...NewCheckoutBody.read(sent), code: codes }
      spendAskForCheckout(shop, ip, input.queue_token)
      await countAccessCodes(shop, params.slug, { codes, ip })
      const view = requireFound(await shop.consistentRead((rows) => findSaleView(rows, params.slug, codes)))
      const ticketIds = input.items.flatMap(({ ticket_id: id }) => id ?? [])
      const entry = await enterSale(shop, { eventId: view.eventId, queueToken: input.queue_token, ticketIds })
      if (entry.kind === 'sold_out') return redirect(`/events/${params.slug}`, 303)
      const place = entry.kind === 'waiting' ? entry.queue : null
      const fields = wantedOf(shop, input, place?.token ?? input.queue_token ?? '')
      const drawn = waitingPage({
        shopName: page.shopName,
        language: page.language,
        eventTitle: view.title,
        place,
        address: `/events/${params.slug}/line?${new URLSearchParams(fields).toString()}`,
        form: { action: '/checkouts', fields },
      })
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': drawn.contentSecurityPolicy,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        vary: 'Accept-Language',
      }
      return new RawAnswer(200, headers, drawn.html)
    }),
})

/** Faults name items as they were counted; the page counts tickets. */
const placeFaults = (
  faults: readonly PageFault[],
  sent: ReadonlyMap<number, ChosenTicket>,
  tickets: readonly { id: number }[],
): PageFault[] => {
  const chosen = [...sent].filter(([, each]) => isChosen(each)).map(([id]) => id)
  return faults.map((fault) => ({
    ...fault,
    field: fault.field.replace(
      /^items\[(\d+)\]/,
      (_all, n) => `items[${tickets.findIndex(({ id }) => id === chosen[Number(n)])}]`,
    ),
  }))
}

const isChosen = ({ quantity, placeKeys }: ChosenTicket) => quantity !== '' || placeKeys.length > 0

export const answerCheckoutVisit = (
  asked: ShopPageRequest & { params: { token: string }; query: { go?: unknown } },
): Promise<RawAnswer> =>
  withRefusalsAsPages(asked, async (page) => {
    const { shop, params, query } = asked
    const checkout = await requireCheckout(asked, params.token)
    const status = effectiveStatusOf(checkout)
    if (checkout.order || status === 'paid') return redirect(orderPath(params.token), 303)
    if (checkout.event?.isCalledOff) return cancelledEventPage(page, checkout, params.token)
    if (status === 'expired' || status === 'cancelled') return endedCheckoutPage(page, checkout, status)
    if (status === 'pending')
      return pendingPaymentPage(page, checkout, params.token, { goesOn: query.go !== undefined })
    const methods = paymentMethodsFor(shop, checkout)
    return checkoutPage(page, checkout, { token: params.token, methods, sent: null, faults: [] })
  })

/** Everything the checkout's page can do: each button saves what was typed, and then does what it says. */
const checkoutForm = (payments: Payments) =>
  endpoint({
    method: 'POST',
    path: '/checkouts/:token',
    says: 'What the page of a checkout sends.',
    access: shopVisitor(),
    answers: {},
    undocumented: true,
    handle: async () => {
      throw new NotFound()
    },
    form: (asked) =>
      withRefusalsAsPages(asked, async (page) => {
        const { shop, params, sent } = asked
        const checkout = await requireCheckout(asked, params.token)
        const form = isRecord(sent) ? sent : {}
        const typed = isRecord(form['checkout']) ? form['checkout'] : {}
        const intent = textOf(form['intent'])
        const again = async (errors: ErrorMap) => {
          const now = requireFound(await findCheckoutByToken(shop.rows, digestOf(params.token)))
          if (!isChangeable(now)) return redirect(checkoutPath(params.token), 303)
          const shown: CheckoutForm = {
            token: params.token,
            methods: paymentMethodsFor(shop, now),
            sent: typed,
            faults: pageFaultsOf(errors, page.language),
            voucherCode: textOf(form['code']),
            method: textOf(form['payment_method']) || null,
          }
          return checkoutPage(page, now, shown)
        }
        try {
          if (intent === 'cancel') await cancelCheckout(payments, shop, checkout.id)
          else if (intent === 'other') await stopPayment(payments, shop, checkout)
          else {
            await changeCheckout(shop, checkout.id, CheckoutChangeBody.read({ checkout: withoutItems(typed) }))
            const code = textOf(form['code'])
            // Whoever has typed a code wants to pay with it, also where Enter or the last button was pressed. One who was
            // told that it is no good, and pays all the same, does without.
            const isNew = code !== '' && code !== textOf(form['refused_code'])
            if (intent === 'voucher' || (intent === 'pay' && isNew)) {
              await spendVoucherCode(shop, asked.ip)
              await reserveVoucherForCheckout(shop, checkout.id, code)
            } else if (intent.startsWith('remove ')) await removeVoucherFromCheckout(shop, checkout.id, intent.slice(7))
            else if (intent === 'pay') {
              const method = textOf(form['payment_method']) || null
              const paid = await payCheckout(payments, shop, { id: checkout.id, token: params.token }, method)
              const goes = paid.payment?.redirectUrl && !paid.order ? '?go=1' : ''
              return redirect(`${checkoutPath(params.token)}${goes}`, 303)
            }
          }
          return redirect(checkoutPath(params.token), 303)
        } catch (error) {
          return again(formErrorsOf(error))
        }
      }),
  })

const withoutItems = ({ items: _items, ...typed }: Record<string, unknown>) => typed

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

const stopPayment = async (payments: Payments, shop: ShopScope, { payment }: Checkout) => {
  if (payment) await cancelPayment(payments, shop, { publicId: payment.publicId })
}

/** Of what cannot be changed any more the checkout's own page says why. */
const isChangeable = (checkout: Checkout) => effectiveStatusOf(checkout) === 'open' && !checkout.event?.isCalledOff

const itemsOf = (checkout: Checkout): Map<number, ChosenTicket> =>
  new Map(
    checkout.items.map((item) => [
      item.ticketId,
      {
        quantity: String(item.quantity),
        areaId: String(item.standingArea?.id ?? ''),
        placeKeys: item.places.map(({ key }) => key),
      },
    ]),
  )

/** Choosing again: what is held stays held until the other choice is. */
const itemsVisit = endpoint({
  method: 'GET',
  path: '/checkouts/:token/items',
  says: 'The page on which what was chosen is changed.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: (asked) =>
    withRefusalsAsPages(asked, async (page) => {
      const { shop, params } = asked
      return shop.consistentRead(async (rows) => {
        const checkout = await requireCheckout(asked, params.token, rows)
        if (!isChangeable(checkout)) return redirect(checkoutPath(params.token), 303)
        return showItems(rows, page, checkout, { chosen: itemsOf(checkout), faults: [], token: params.token })
      })
    }),
})

const showItems = async (
  rows: Rows,
  page: ShopPageContext,
  checkout: Checkout,
  form: { chosen: Map<number, ChosenTicket>; faults: PageFault[]; token: string },
) => {
  const codes = await findAccessCodes(rows, checkout.id)
  const view = requireFound(await findSaleView(rows, requireFound(checkout.event).slug, codes))
  return chooseTicketsPage(page, withOwnHold(view, checkout.items), {
    unlock: null,
    checkoutPath: checkoutPath(form.token),
    action: `${checkoutPath(form.token)}/items`,
    chosen: form.chosen,
    faults: placeFaults(form.faults, form.chosen, view.tickets),
    status: form.faults.length > 0 ? 422 : 200,
  })
}

const itemsForm = endpoint({
  method: 'POST',
  path: '/checkouts/:token/items',
  says: 'Another choice for a checkout.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: async () => {
    throw new NotFound()
  },
  form: (asked) =>
    withRefusalsAsPages(asked, async (page) => {
      const { shop, params, sent } = asked
      const checkout = await requireCheckout(asked, params.token)
      if (checkout.event?.isCalledOff) return redirect(checkoutPath(params.token), 303)
      try {
        const typed = isRecord(sent) && isRecord(sent['checkout']) ? sent['checkout'] : {}
        await changeCheckout(shop, checkout.id, CheckoutChangeBody.read({ checkout: { items: typed['items'] ?? [] } }))
        return redirect(checkoutPath(params.token), 303)
      } catch (error) {
        const faults = pageFaultsOf(formErrorsOf(error), page.language)
        const form = { chosen: readChosenTickets(sent), faults, token: params.token }
        return shop.consistentRead((rows) => showItems(rows, page, checkout, form))
      }
    }),
})

export const checkoutPageEndpoints = (payments: Payments): Endpoint[] => [
  ticketChoice,
  line,
  checkoutForm(payments),
  itemsVisit,
  itemsForm,
  orderTicketsPdfEndpoint,
  vouchersPageVisitEndpoint,
]
