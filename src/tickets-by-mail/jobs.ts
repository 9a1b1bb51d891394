import { z } from 'zod'
import { accountRows } from '../access/house-work.ts'
import { houseJob } from '../jobs/context.ts'
import { letter } from '../mail/templates.ts'
import { findDelivery } from './records.ts'
import { fileNameOf, letterOf, messageIdOf, REASONS, subjectOf } from './rules.ts'

export const mailTickets = houseJob({
  name: 'tickets-by-mail.send',
  payload: z.object({
    account_id: z.int(),
    order_id: z.int(),
    reason: z.enum(REASONS),
    admission_ids: z.array(z.int()).optional(),
  }),
  run: async ({ account_id, order_id, reason, admission_ids = [] }, { context: { house, mailer }, jobId }) => {
    const delivery = await findDelivery(accountRows(house, account_id), order_id)
    if (!delivery) return

    // Fonts and their machinery are worth loading only where tickets are made, not whenever Foyer starts.
    const { ticketsPdf } = await import('../pdf/tickets-pdf.ts')
    await mailer.send({
      to: { address: delivery.address, ...(delivery.recipientName && { name: delivery.recipientName }) },
      subject: subjectOf(delivery, reason),
      ...letter(letterOf(delivery, reason, admission_ids)),
      attachments: [
        {
          filename: fileNameOf(delivery),
          contentType: 'application/pdf',
          content: await ticketsPdf(delivery.tickets),
        },
      ],
      messageId: messageIdOf(delivery, jobId),
    })
  },
})
