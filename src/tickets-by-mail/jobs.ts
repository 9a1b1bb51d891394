import { z } from 'zod'
import { openRowsForJob } from '../access/job-scope.ts'
import { defineAppJob } from '../jobs/context.ts'
import { findVenueSender } from '../mail/records.ts'
import { renderMail } from '../mail/templates.ts'
import { findDelivery } from './records.ts'
import { fileNameOf, greetedAs, ticketMailOf, messageIdOf, REASONS, subjectOf } from './rules.ts'

export const mailTickets = defineAppJob({
  name: 'tickets-by-mail.send',
  lane: 'mail',
  payload: z.object({
    account_id: z.int(),
    order_id: z.int(),
    reason: z.enum(REASONS),
    admission_ids: z.array(z.int()).optional(),
  }),
  run: async ({ account_id, order_id, reason, admission_ids = [] }, { context: { app, mailer }, jobId }) => {
    const rows = openRowsForJob(app, account_id)
    const delivery = await findDelivery(rows, order_id)
    if (!delivery) return

    // Fonts and their machinery are worth loading only where tickets are made, not whenever Foyer starts.
    const { ticketsPdf } = await import('../pdf/tickets-pdf.ts')
    await mailer.send({
      to: { address: delivery.address, name: greetedAs(delivery) ?? '' },
      from: await findVenueSender(rows),
      subject: subjectOf(delivery, reason),
      ...renderMail(ticketMailOf(delivery, reason, admission_ids)),
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
