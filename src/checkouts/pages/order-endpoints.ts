import { shopVisitor } from '../../access/access.ts'
import { RawAnswer, redirect } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { spendDocument } from '../../orders/spend-document.ts'
import { checkoutPath } from '../../orders/tokens.ts'
import { findTicketMailData } from '../../tickets-by-mail/records.ts'
import { fileNameOf } from '../../tickets-by-mail/rules.ts'
import { findWalletOffer, walletLinksOf } from '../../wallet/offer.ts'
import { findBuyersOrderDetails } from '../order-facts/records.ts'
import { requireCheckout } from '../require-checkout.ts'
import { type ShopPageRequest, withRefusalsAsPages } from './on-pages.ts'
import { orderPage } from './order-page.ts'

export const answerOrderVisit = (asked: ShopPageRequest & { params: { token: string } }): Promise<RawAnswer> =>
  withRefusalsAsPages(asked, async (page) => {
    const { shop, params } = asked
    const { checkout, facts, offer } = await shop.consistentRead(async (rows) => {
      const checkout = await requireCheckout(asked, params.token, rows)
      return {
        checkout,
        facts: await findBuyersOrderDetails(rows, checkout.id),
        offer: await findWalletOffer(shop.app, rows),
      }
    })
    if (!checkout.order && checkout.purchaseCode === null) return redirect(checkoutPath(params.token), 303)
    const statuses = new Map(facts.admissions.map(({ publicId, status }) => [publicId, status]))
    const walletLinks = (publicId: string) => walletLinksOf(shop.app, offer, { accountId: shop.account.id, publicId })
    return orderPage(page, checkout, { ...facts, token: params.token, statuses, walletLinks })
  })

export const orderTicketsPdfEndpoint = endpoint({
  method: 'GET',
  path: '/orders/:token/tickets.pdf',
  says: 'The tickets of an order as PDF.',
  access: shopVisitor(),
  answers: {},
  undocumented: true,
  handle: (asked) =>
    withRefusalsAsPages(asked, async () => {
      const { shop, ip, params } = asked
      const delivery = await shop.consistentRead(async (rows) => {
        const { order } = await requireCheckout(asked, params.token, rows)
        return requireFound(order && (await findTicketMailData(rows, order.id)))
      })
      spendDocument(shop, ip, params.token)
      const { ticketsPdf } = await import('../../pdf/tickets-pdf.ts')
      const headers = {
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${fileNameOf(delivery)}"`,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
      }
      return new RawAnswer(200, headers, await ticketsPdf(delivery.tickets, delivery.language))
    }),
})
