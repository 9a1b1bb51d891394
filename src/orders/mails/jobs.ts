import { z } from 'zod'
import { batchReads } from '../../access/batches.ts'
import { openAccountForJob } from '../../access/job-scope.ts'
import type { AccountScope } from '../../access/scopes.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { languageOrFallback } from '../../languages/rules.ts'
import { once } from '../../kernel/once.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import { oneLine } from '../../mail/address.ts'
import { isNameSafeInMail } from '../../mail/plain-name.ts'
import { findVenueSender } from '../../mail/records.ts'
import { renderMail } from '../../mail/templates.ts'
import { findTicketMails } from '../../tickets-by-mail/records.ts'
import { fileNameOf, greetingNameOf, senderOf, subjectOf, renderTicketMail } from '../../tickets-by-mail/rules.ts'
import { type Receipt, findReceiptByNumber, findSalesOfOrders } from '../receipts/records.ts'
import { RECEIPT_WORDS } from '../receipts/words.ts'
import { openCheckoutToken, orderUrl } from '../tokens.ts'
import { composeOrderMail } from './compose.ts'
import { CHECKOUT_MAIL_KINDS, CHECKOUT_MAIL_JOB, ORDER_MAIL_JOB, ORDER_MAIL_KINDS } from './queue-mail.ts'
import { type CheckoutForMail, findCheckoutForMail, queuePaymentReminders } from './records.ts'
import { ORDER_MAIL_WORDS } from './words.ts'

const PDF = 'application/pdf'

// Worth loading only where tickets are mailed; asking for a module again takes as long as half a page.
const loadTicketsPdf = once(() => import('../../pdf/tickets-pdf.ts'))
const loadReceiptPdf = once(() => import('../receipts/receipt-pdf.ts'))

const attachReceiptByNumber = async (scope: AccountScope, { checkoutId }: CheckoutForMail, number: number | null) =>
  attachReceipt(number === null ? null : await findReceiptByNumber(scope.keyLookups, { checkoutId, number }))

const attachReceipt = async (receipt: Receipt | null | undefined) => {
  if (!receipt) return []
  const { receiptPdf } = await loadReceiptPdf()
  const words = RECEIPT_WORDS[languageOrFallback(receipt.language)]
  const name = (receipt.kind === 'sale' ? words.sale : words.refund).toLowerCase().replaceAll(' ', '-')
  return [{ filename: `${name}-${receipt.number}.pdf`, contentType: PDF, content: await receiptPdf(receipt) }]
}

const buttonOf = (
  scope: AccountScope,
  { tokenSealed, language }: Pick<CheckoutForMail, 'tokenSealed' | 'language'>,
) => ({
  label: ORDER_MAIL_WORDS[languageOrFallback(language)].openOrder,
  url: orderUrl(scope.app, scope.account, openCheckoutToken(scope.app, tokenSealed)),
})

/** The tickets with the receipt, and the address of the order's page. Orders that were sold elsewhere have only tickets. */
const mailOrderTickets = defineAppJob({
  ...ORDER_MAIL_JOB,
  payload: z.object({ accountId: z.int(), orderId: z.int(), kind: z.enum(ORDER_MAIL_KINDS) }),
  run: async ({ accountId, orderId, kind }, { context: { app, mailer }, jobId }) => {
    const scope = await openAccountForJob(app, accountId)
    if (!scope) return
    const [delivery, sale] = await Promise.all([ticketMails(scope, orderId), salesOfOrders(scope, orderId)])
    if (!delivery) return
    const reason = kind === 'tickets' ? 'issued' : 'delivered_again'
    const mail = renderTicketMail(delivery, reason, [])
    const { ticketsPdf } = await loadTicketsPdf()
    await mailer.send({
      to: { address: delivery.address, name: greetingNameOf(delivery) ?? '' },
      from: senderOf(delivery),
      subject: subjectOf(delivery, reason),
      ...renderMail({ ...mail, ...(sale && { button: buttonOf(scope, sale) }) }),
      attachments: [
        {
          filename: fileNameOf(delivery),
          contentType: PDF,
          content: await ticketsPdf(delivery.tickets, delivery.language),
        },
        ...(await attachReceipt(sale?.receipt)),
      ],
      messageId: `order.${delivery.orderPublicId}.${jobId}`,
    })
  },
})

/** Those that are written at the same time are read together. */
const ticketMails = batchReads(findTicketMails)
const salesOfOrders = batchReads(findSalesOfOrders)

const mailCheckout = defineAppJob({
  ...CHECKOUT_MAIL_JOB,
  payload: z.object({
    accountId: z.int(),
    checkoutId: z.int(),
    kind: z.enum(CHECKOUT_MAIL_KINDS),
    amountCents: z.int().optional(),
    receiptNumber: z.int().optional(),
  }),
  run: async ({ accountId, checkoutId, ...mail }, { context: { app, mailer }, jobId }) => {
    const scope = await openAccountForJob(app, accountId)
    const sale = scope && (await findCheckoutForMail(scope.keyLookups, { checkoutId }))
    if (!scope || !sale?.customerEmail) return
    const parts = composeOrderMail(scope.account, sale, mail)
    // An order that was paid or cancelled meanwhile needs no instructions any more.
    if (!parts) return
    const language = languageOrFallback(sale.language)
    const words = ORDER_MAIL_WORDS[language]
    const name = sale.customerName && isNameSafeInMail(sale.customerName) ? oneLine(sale.customerName) : ''
    await mailer.send({
      to: { address: sale.customerEmail, name },
      from: await findVenueSender(scope.keyLookups),
      subject: parts.subject,
      ...renderMail({
        language,
        title: parts.subject,
        paragraphs: [words.hello(name), ...parts.paragraphs],
        ...(sale.orderCode !== null && { button: buttonOf(scope, sale) }),
        footer:
          sale.orderCode === null ? scope.account.name : words.footer(scope.account.name, displayCode(sale.orderCode)),
      }),
      attachments: await attachReceiptByNumber(scope, sale, parts.receiptNumber),
      messageId: `order-${mail.kind.replaceAll('_', '-')}.${checkoutId}.${jobId}`,
    })
  },
})

const AT_ONCE = 500

const remind = defineAppJob({
  name: 'orders.remind',
  payload: z.object({}),
  every: '1 minute',
  run: async (_payload, { context: { app } }) => {
    while ((await queuePaymentReminders(app.database, AT_ONCE)) === AT_ONCE) continue
  },
})

export const orderJobs = [mailOrderTickets, mailCheckout, remind]
