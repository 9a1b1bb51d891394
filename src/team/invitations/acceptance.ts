import { z } from 'zod'
import { type GivenInvitation, type SecretHolderScope, invitationHolder } from '../../access/access.ts'
import { sessionCookie } from '../../access/cookies.ts'
import type { RawAnswer } from '../../http/answers.ts'
import { type BodyShape, isRecord } from '../../http/body.ts'
import { type Asked, endpoint } from '../../http/endpoint.ts'
import { Invalid, NotFound, Refusal, found } from '../../kernel/refusals.ts'
import { prefersJson, seeOther } from '../../pages/console-page.ts'
import { Gone, acceptInvitation } from './accept-invitation.ts'
import { acceptancePage, closedPage } from './pages.ts'
import { findOpenInvitation } from './records.ts'
import { obstacleOf } from './rules.ts'

const UNKNOWN = 'Nobody is invited by this link. Perhaps a part of it got lost; try to open it from the mail again.'

/** A known person sends nothing but the press of a button. */
const acceptanceBody: BodyShape<Record<string, unknown>> = {
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
    if (!scope) return refused(new NotFound(), headers)
    const invitation = found(await findOpenInvitation(scope.rows, scope.id))
    const obstacle = obstacleOf(invitation)
    return obstacle ? refused(new Gone(obstacle), headers) : acceptancePage(invitation)
  },
})

type Request = GivenInvitation & Asked<'/invitations/:token', unknown, Record<string, unknown>>

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
    if (!scope) return refused(new NotFound(), headers)
    try {
      const { sessionToken } = await acceptInvitation(scope, body, String(headers['user-agent'] ?? ''))
      return sessionToken === null
        ? seeOther('/sign_in?joined=1')
        : seeOther('/console', [sessionCookie(scope.app.settings, sessionToken)])
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || prefersJson(headers)) throw refusal
      if (refusal instanceof Invalid) return formAgain(scope, body, refusal)
      return refused(refusal, headers)
    }
  },
})

const refused = (refusal: Refusal, headers: Request['headers']): RawAnswer => {
  if (prefersJson(headers)) throw refusal
  return closedPage(refusal instanceof NotFound ? UNKNOWN : refusal.message, refusal.status)
}

const formAgain = async (scope: SecretHolderScope, sent: Record<string, unknown>, { errors, status }: Invalid) => {
  const name = typeof sent['name'] === 'string' ? sent['name'] : ''
  return acceptancePage(found(await findOpenInvitation(scope.rows, scope.id)), { name, errors }, status)
}

export const acceptanceEndpoints = [invitationPage, invitationAcceptance]
