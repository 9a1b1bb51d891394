import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { UndeliverableAddress } from '../mail/address.ts'
import { renderMail } from '../mail/templates.ts'
import { type MailableLink, findMailableLink, deleteOldLinks, deleteOldSessions } from './records.ts'
import { LINK_MINUTES, MAILS_PER_HOUR, SEALED_LINK } from './rules.ts'

export const mailSignInLink = defineAppJob({
  name: 'sign-in.mail-link',
  lane: 'mail',
  payload: z.object({ linkId: z.int() }),
  run: async ({ linkId }, { context: { app, mailer }, log }) => {
    const link = await findMailableLink(app.database, linkId)
    if (!link) return
    if (link.earlier >= MAILS_PER_HOUR && app.settings.rateLimits) {
      log.warn({ link: linkId }, 'a sign-in link was not mailed: too many within the hour')
      return
    }

    const token = app.secrets.open(SEALED_LINK, link.sealedToken)
    try {
      await mailer.send({
        to: { address: link.email, name: link.name },
        ...mailOf(link, app.settings.baseUrl, token),
        messageId: `sign-in-${linkId}`,
      })
    } catch (error) {
      if (!(error instanceof UndeliverableAddress)) throw error
      log.warn({ link: linkId }, 'a sign-in link could not be delivered')
    }
  },
})

const FOOTER = 'Sent by Foyer because somebody asked for it with your address. If that was not you, ignore this mail.'

const mailOf = ({ purpose, name }: MailableLink, baseUrl: string, token: string) =>
  purpose === 'sign_in'
    ? {
        subject: 'Your link to sign in',
        ...renderMail({
          title: 'Sign in to Foyer',
          paragraphs: [`Hello ${name},`, `this link signs you in. It works once, within ${LINK_MINUTES} minutes.`],
          button: { label: 'Sign in', url: `${baseUrl}/sign_in/links/${token}` },
          footer: FOOTER,
        }),
      }
    : {
        subject: 'Choose a new password',
        ...renderMail({
          title: 'Choose a new password',
          paragraphs: [
            `Hello ${name},`,
            `with this link you choose a new password for Foyer. It works once, within ${LINK_MINUTES} minutes.`,
          ],
          button: { label: 'Choose a password', url: `${baseUrl}/password/${token}` },
          footer: FOOTER,
        }),
      }

export const sweepSignInLinks = defineAppJob({
  name: 'sign-in.sweep',
  payload: z.object({}),
  every: '1 hour',
  run: async (_payload, { context }) => deleteOldLinks(context.app.database),
})

const AT_ONCE = 1_000

export const sweepSessions = defineAppJob({
  name: 'sign-in.sweep-sessions',
  payload: z.object({}),
  every: '1 day',
  run: async (_payload, { context: { app }, signal }) => {
    let count = AT_ONCE
    while (count === AT_ONCE && !signal.aborted) count = await deleteOldSessions(app.database, AT_ONCE)
  },
})
