import { z } from 'zod'
import { openRowsForJob } from '../../access/job-scope.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { findVenueSender } from '../../mail/records.ts'
import { renderMail } from '../../mail/templates.ts'
import { UndeliverableAddress } from '../../mail/address.ts'
import { ROLE_NAMES, ROLE_SENTENCES } from '../../access/callers.ts'
import { INVITATION_DAYS, type OpenInvitation, findOpenInvitation } from './records.ts'
import { SEALED_LINK, invitationUrl, obstacleOf } from './rules.ts'

export const mailInvitation = defineAppJob({
  name: 'team.mail-invitation',
  lane: 'mail',
  payload: z.object({ accountId: z.int(), invitationId: z.int() }),
  run: async ({ accountId, invitationId }, { context: { app, mailer }, log, jobId }) => {
    const rows = openRowsForJob(app, accountId)
    const invitation = await findOpenInvitation(rows, invitationId)
    if (!invitation || obstacleOf(invitation)) return

    const url = invitationUrl(app.settings.baseUrl, app.secrets.open(SEALED_LINK, invitation.sealedToken))
    try {
      await mailer.send({
        to: { address: invitation.email, name: invitation.personName ?? '' },
        from: await findVenueSender(rows),
        subject: `Invitation to ${invitation.accountName}`,
        ...renderMail(letterOf(invitation, url)),
        messageId: `invitation-${accountId}-${invitationId}-${jobId}`,
      })
    } catch (error) {
      if (!(error instanceof UndeliverableAddress)) throw error
      log.warn({ account: accountId, invitation: invitationId }, 'an invitation could not be delivered')
    }
  },
})

const letterOf = (invitation: OpenInvitation, url: string) => {
  const { accountName, inviterName, role, events, programs } = invitation
  const who = inviterName ? `${inviterName} invites you` : 'You are invited'
  const lines = [
    events.length > 0 && `Your events: ${events.map(({ title }) => title).join(', ')}.`,
    programs.length > 0 &&
      `Your programmes: ${programs.map(({ name, code }) => (code ? `${name} (code ${code})` : name)).join(', ')}.`,
  ].filter((line) => line !== false)
  return {
    title: `Join ${accountName}`,
    preheader: `${who} to work with ${accountName}.`,
    paragraphs: [
      `${who} to work with ${accountName} as ${ROLE_NAMES[role]}.`,
      ROLE_SENTENCES[role],
      ...lines,
      `The link works for ${INVITATION_DAYS} days, for you alone. If you did not expect this, you need not do anything.`,
    ],
    button: { label: 'Accept the invitation', url },
    footer: `Sent by Foyer on behalf of ${accountName}.`,
  }
}
