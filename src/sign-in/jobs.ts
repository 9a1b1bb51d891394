import { z } from 'zod'
import { defineAppJob } from '../jobs/context.ts'
import { FALLBACK_LANGUAGE } from '../languages/rules.ts'
import { UndeliverableAddress } from '../mail/address.ts'
import { renderMail } from '../mail/templates.ts'
import { type MailableLink, claimMail, findMailableLink, deleteOldLinks, deleteOldSessions } from './records.ts'
import { SIGN_IN_LINK_MINUTES, SIGN_IN_MAILS_PER_HOUR, SIGN_IN_LINK_SEAL_PURPOSE } from './rules.ts'
import { SIGN_IN_MAIL_WORDS } from './words.ts'

export const mailSignInLink = defineAppJob({
  name: 'sign-in.mail-link',
  lane: 'mail',
  payload: z.object({ linkId: z.int() }),
  run: async ({ linkId }, { context: { app, mailer }, log }) => {
    const link = await findMailableLink(app.database, linkId)
    if (!link) return
    const most = app.settings.rateLimits ? SIGN_IN_MAILS_PER_HOUR : null
    if (!(await claimMail(app.database, { id: linkId, email: link.email }, most))) {
      log.warn({ link: linkId }, 'a sign-in link was not mailed: too many within the hour')
      return
    }

    const token = app.secrets.open(SIGN_IN_LINK_SEAL_PURPOSE, link.sealedToken)
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

const mailOf = ({ purpose, name, language: asked }: MailableLink, baseUrl: string, token: string) => {
  const language = asked ?? FALLBACK_LANGUAGE
  const words = SIGN_IN_MAIL_WORDS[language]
  return purpose === 'sign_in'
    ? {
        subject: words.linkSubject,
        ...renderMail({
          language,
          title: words.linkTitle,
          paragraphs: [words.hello(name), words.linkWorks(SIGN_IN_LINK_MINUTES)],
          button: { label: words.signIn, url: `${baseUrl}/sign_in/links/${token}` },
          footer: words.footer,
        }),
      }
    : {
        subject: words.passwordTitle,
        ...renderMail({
          language,
          title: words.passwordTitle,
          paragraphs: [words.hello(name), words.passwordWorks(SIGN_IN_LINK_MINUTES)],
          button: { label: words.choosePassword, url: `${baseUrl}/password/${token}` },
          footer: words.footer,
        }),
      }
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
