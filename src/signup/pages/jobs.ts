import { z } from 'zod'
import { openRowsForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findVenueSender } from '../../mail/records.ts'
import { renderMail } from '../../mail/templates.ts'
import { pageUrl } from '../tokens.ts'
import { findOwnPageMail } from './records.ts'
import { whenAndWhere } from './when-and-where.ts'

const REASONS = ['received', 'repeated'] as const

const OPENINGS = {
  received: (event: string) =>
    `Your request for the guest list of ${event} has arrived. As soon as it is confirmed, your tickets come to this address.`,
  repeated: (event: string) =>
    `Somebody has just signed up for ${event} with this address, which is signed up already. Nothing has changed.`,
}

/**
 * The way back to a guest's own page. Nothing in it was written by whoever filled in the form: that may have been a
 * stranger with somebody else's address.
 */
export const mailOwnPage = defineAppJob({
  name: 'signup.mail-own-page',
  lane: 'mail',
  payload: z.object({ account_id: z.int(), request_id: z.int(), reason: z.enum(REASONS) }),
  run: async ({ account_id, request_id, reason }, { context: { app, mailer }, jobId }) => {
    const rows = openRowsForJob(app, account_id)
    const mail = await findOwnPageMail(rows, request_id)
    if (!mail) return

    const { event, organizer } = mail
    const title = `Your signup for ${event.title}`
    await mailer.send({
      to: { address: mail.email },
      from: await findVenueSender(rows),
      subject: title,
      ...renderMail({
        title,
        preheader: `${organizer}: see where your signup stands`,
        paragraphs: [
          OPENINGS[reason](event.title),
          whenAndWhere(event).join('\n'),
          'On your own page you see where your signup stands, have your tickets sent again and add companions. Keep the link to yourself.',
        ],
        button: { label: 'Open your page', url: pageUrl(app, mail, mail.sealedPageToken) },
        footer: `${organizer} · You get this mail because this address was entered on a guest list. If that was not you, there is nothing to do.`,
      }),
      messageId: `signup.${mail.publicId}.${jobId}`,
    })
  },
})
