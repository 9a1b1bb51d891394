import { z } from 'zod'
import { openRowsForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findVenueSender } from '../../mail/records.ts'
import { renderMail } from '../../mail/templates.ts'
import { guestPageUrl } from '../tokens.ts'
import { findGuestPageLinkMail } from './records.ts'
import { whenAndWhere } from './when-and-where.ts'
import { OWN_PAGE_MAIL_WORDS } from './words.ts'

const REASONS = ['received', 'repeated'] as const

/**
 * The way back to a guest's own page. Nothing in it was written by whoever filled in the form: that may have been a
 * stranger with somebody else's address.
 */
export const mailGuestPageLink = defineAppJob({
  name: 'signup.mail-own-page',
  lane: 'mail',
  payload: z.object({ account_id: z.int(), request_id: z.int(), reason: z.enum(REASONS) }),
  run: async ({ account_id, request_id, reason }, { context: { app, mailer }, jobId }) => {
    const rows = openRowsForJob(app, account_id)
    const mail = await findGuestPageLinkMail(rows, request_id)
    if (!mail) return

    const { event, organizer, language } = mail
    const words = OWN_PAGE_MAIL_WORDS[language]
    const title = words.title(event.title)
    await mailer.send({
      to: { address: mail.email },
      from: await findVenueSender(rows),
      subject: title,
      ...renderMail({
        language,
        title,
        preheader: words.preheader(organizer),
        paragraphs: [
          words.openings[reason](event.title),
          whenAndWhere(event, language).join('\n'),
          words.whatThePageIsFor,
        ],
        button: { label: words.openYourPage, url: guestPageUrl(app, mail, mail.sealedPageToken) },
        footer: words.footer(organizer),
      }),
      messageId: `signup.${mail.publicId}.${jobId}`,
    })
  },
})
