import { spendUnknownSecret } from '../access/access.ts'
import type { VisitorScope } from '../access/scopes.ts'
import type { RawAnswer } from '../http/answers.ts'
import type { Language } from '../languages/rules.ts'
import { deadLinkPage } from './pages.ts'

/** The answer to a link that opens nothing, of which an address gets only so many. */
export const answerDeadLink = async (visitor: VisitorScope, ip: string, language: Language): Promise<RawAnswer> => {
  await spendUnknownSecret(visitor.app, 'sign-in links', ip)
  return deadLinkPage(language)
}
