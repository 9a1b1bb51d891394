import { z } from 'zod'
import { openRowsForJob } from '../../access/job-scope.ts'
import { ROLE_WORDS } from '../../access/words.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findVenueSender } from '../../mail/records.ts'
import { type RenderedMail, renderMail } from '../../mail/templates.ts'
import { UndeliverableAddress } from '../../mail/address.ts'
import { INVITATION_DAYS, type OpenInvitation, findOpenInvitation } from './records.ts'
import { INVITATION_LINK_SEAL_PURPOSE, invitationUrl, reasonNotAcceptable } from './rules.ts'
import { INVITATION_MAIL_WORDS, INVITATION_WORDS } from './words.ts'

export const mailInvitation = defineAppJob({
  name: 'team.mail-invitation',
  lane: 'mail',
  payload: z.object({ accountId: z.int(), invitationId: z.int() }),
  run: async ({ accountId, invitationId }, { context: { app, mailer }, log, jobId }) => {
    const rows = openRowsForJob(app, accountId)
    const invitation = await findOpenInvitation(rows, invitationId)
    if (!invitation || reasonNotAcceptable(invitation)) return

    const url = invitationUrl(
      app.settings.baseUrl,
      app.secrets.open(INVITATION_LINK_SEAL_PURPOSE, invitation.sealedToken),
    )
    try {
      await mailer.send({
        to: { address: invitation.email, name: invitation.personName ?? '' },
        from: await findVenueSender(rows),
        subject: INVITATION_MAIL_WORDS[invitation.language].subject(invitation.accountName),
        ...renderMail(letterOf(invitation, url)),
        messageId: `invitation-${accountId}-${invitationId}-${jobId}`,
      })
    } catch (error) {
      if (!(error instanceof UndeliverableAddress)) throw error
      log.warn({ account: accountId, invitation: invitationId }, 'an invitation could not be delivered')
    }
  },
})

const letterOf = (invitation: OpenInvitation, url: string): RenderedMail => {
  const { accountName, inviterName, role, activeRole, events, programs, language } = invitation
  const words = INVITATION_MAIL_WORDS[language]
  const { names, sentences } = ROLE_WORDS[language]
  const opening = inviterName ? words.invites(inviterName, accountName) : words.invited(accountName)
  const lines = [
    activeRole !== null && activeRole !== role && INVITATION_WORDS[language].staysAs(names[activeRole]),
    events.length > 0 && words.yourEvents(events.map(({ title }) => title).join(', ')),
    programs.length > 0 &&
      words.yourProgrammes(programs.map(({ name, code }) => (code ? words.withCode(name, code) : name)).join(', ')),
  ].filter((line) => line !== false)
  return {
    language,
    title: words.title(accountName),
    preheader: `${opening}.`,
    paragraphs: [words.asRole(opening, names[role]), sentences[role], ...lines, words.linkWorks(INVITATION_DAYS)],
    button: { label: words.accept, url },
    footer: words.footer(accountName),
  }
}
