import { z } from 'zod'
import { openRowsForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { once } from '../kernel/once.ts'
import { renderMail } from '../mail/templates.ts'
import { findWalletOffer, orderWalletUrl } from '../wallet/offer.ts'
import { WALLET_WORDS } from '../wallet/words.ts'
import { findTicketMailData } from './records.ts'
import {
  fileNameOf,
  greetingNameOf,
  renderTicketMail,
  messageIdOf,
  senderOf,
  TICKET_MAIL_REASONS,
  subjectOf,
} from './rules.ts'

/** Fonts and their machinery are worth loading only where tickets are made, not whenever Foyer starts. */
const loadTicketsPdf = once(() => import('../pdf/tickets-pdf.ts'))

export const mailTickets = defineAppJob({
  name: 'tickets-by-mail.send',
  lane: 'mail',
  payload: z.object({
    account_id: z.int(),
    order_id: z.int(),
    reason: z.enum(TICKET_MAIL_REASONS),
    admission_ids: z.array(z.int()).optional(),
  }),
  run: async ({ account_id, order_id, reason, admission_ids = [] }, { context: { app, mailer }, jobId }) => {
    const rows = openRowsForJob(app, account_id)
    const delivery = await findTicketMailData(rows, order_id)
    if (!delivery) return

    const order = { accountId: account_id, publicId: delivery.orderPublicId }
    const walletUrl = orderWalletUrl(app, await findWalletOffer(app, rows), order)
    const button = walletUrl && { label: WALLET_WORDS[delivery.language].addToWallet, url: walletUrl }
    const { ticketsPdf } = await loadTicketsPdf()
    await mailer.send({
      to: { address: delivery.address, name: greetingNameOf(delivery) ?? '' },
      from: senderOf(delivery),
      subject: subjectOf(delivery, reason),
      ...renderMail({ ...renderTicketMail(delivery, reason, admission_ids), ...(button && { button }) }),
      attachments: [
        {
          filename: fileNameOf(delivery),
          contentType: 'application/pdf',
          content: await ticketsPdf(delivery.tickets, delivery.language),
        },
      ],
      messageId: messageIdOf(delivery, jobId),
    })
  },
})
