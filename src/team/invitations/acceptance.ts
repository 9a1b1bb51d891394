import { z } from 'zod'
import { type InvitationGrant, type SecretHolderScope, invitationHolder } from '../../access/access.ts'
import { serializeSessionCookie } from '../../access/cookies.ts'
import type { RawAnswer } from '../../http/answers.ts'
import { type BodyReader, isRecord } from '../../http/body.ts'
import { type HandlerInput, endpoint } from '../../http/endpoint.ts'
import { languageOfRequest } from '../../http/request-language.ts'
import { Invalid, NotFound, Refusal, requireFound } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'
import { translate } from '../../languages/translate.ts'
import { prefersJson, seeOther } from '../../pages/console-page.ts'
import { InvitationGone, acceptInvitation } from './accept-invitation.ts'
import { acceptancePage, invitationClosedPage } from './pages.ts'
import { readOpenInvitation } from './records.ts'
import { reasonNotAcceptable } from './rules.ts'
import { INVITATION_WORDS, OBSTACLE_WORDS } from './words.ts'

/** A known person sends nothing but the press of a button. */
const acceptanceBody: BodyReader<Record<string, unknown>> = {
  schema: z.object({ invitation: z.object({ name: z.string(), password: z.string() }).optional() }),
  read: (json) => {
    const inside = isRecord(json) ? json['invitation'] : undefined
    return isRecord(inside) ? inside : {}
  },
}

const invitationPage = endpoint({
  method: 'GET',
  path: '/invitations/:token',
  says: 'The page on which an invitation is accepted.',
  access: invitationHolder(),
  answers: {},
  undocumented: true,
  handle: async ({ invitation: scope, headers }) => {
    if (!scope) return refused(new NotFound(), languageOfRequest(null, headers), headers)
    const invitation = requireFound(await readOpenInvitation(scope, scope.id))
    const obstacle = reasonNotAcceptable(invitation)
    const language = languageOfRequest(scope.account, headers)
    return obstacle ? refused(new InvitationGone(obstacle), language, headers) : acceptancePage(invitation, language)
  },
})

type Request = InvitationGrant & HandlerInput<'/invitations/:token', unknown, Record<string, unknown>>

const invitationAcceptance = endpoint({
  method: 'POST',
  path: '/invitations/:token',
  says: 'Accepts an invitation: someone new brings a name and a password.',
  access: invitationHolder(),
  body: acceptanceBody,
  answers: {},
  undocumented: true,
  handle: async (request: Request) => {
    const { invitation: scope, headers, body } = request
    if (!scope) return refused(new NotFound(), languageOfRequest(null, headers), headers)
    try {
      const { sessionToken } = await acceptInvitation(scope, body, String(headers['user-agent'] ?? ''))
      return sessionToken === null
        ? seeOther('/sign_in?joined=1')
        : seeOther('/console', [serializeSessionCookie(scope.app.settings, sessionToken)])
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || prefersJson(headers)) throw refusal
      if (refusal instanceof Invalid) return formAgain(scope, body, refusal, languageOfRequest(scope.account, headers))
      return refused(refusal, languageOfRequest(scope.account, headers), headers)
    }
  },
})

const refused = (refusal: Refusal, language: Language, headers: Request['headers']): RawAnswer => {
  if (prefersJson(headers)) throw refusal
  const reason =
    refusal instanceof NotFound
      ? INVITATION_WORDS[language].unknown
      : translate(OBSTACLE_WORDS, refusal.message, language)
  return invitationClosedPage(reason, refusal.status, language)
}

const formAgain = async (
  scope: SecretHolderScope,
  sent: Record<string, unknown>,
  { errors, status }: Invalid,
  language: Language,
) => {
  const name = typeof sent['name'] === 'string' ? sent['name'] : ''
  return acceptancePage(requireFound(await readOpenInvitation(scope, scope.id)), language, { name, errors }, status)
}

export const acceptanceEndpoints = [invitationPage, invitationAcceptance]
