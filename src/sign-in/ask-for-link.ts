import { passwordVersionOf } from '../access/passwords.ts'
import type { VisitorScope } from '../access/scopes.ts'
import { digestOf, newSecret } from '../access/tokens.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Language } from '../languages/rules.ts'
import { mailSignInLink } from './jobs.ts'
import { readKnownBrowser } from './known-browser.ts'
import { type LinkPurpose, findPersonByEmail, insertLink } from './records.ts'
import { SIGN_IN_LINK_MINUTES, SIGN_IN_LINK_SEAL_PURPOSE } from './rules.ts'

const ASKED_PER_MINUTE = 10
const ASKED_FROM_AN_ADDRESS = 120

/**
 * The same for everyone, known or not: a look, a row and a job. Whether a mail goes out, and whether the browser is one in
 * which the person has signed in before, shows in the mailbox alone.
 */
export const requestSignInLink = async (
  visitor: VisitorScope,
  { ip, headers }: { ip: string; headers: RequestHeaders },
  input: { email: string; purpose: LinkPurpose; returnTo: string; language: Language },
): Promise<void> => {
  const { budgets } = visitor.app
  await budgets
    .shared('links asked for with a mail address from an address', ASKED_PER_MINUTE)
    .spend(`${ip} ${input.email}`)
  await budgets.shared('links asked for from an address', ASKED_FROM_AN_ADDRESS).spend(ip)
  const person = await findPersonByEmail(visitor.rows, input.email)
  const owner = { personId: person?.id ?? 0, passwordVersion: passwordVersionOf(person?.passwordDigest ?? null) }
  const token = newSecret()
  const link = {
    ...input,
    browser: readKnownBrowser(visitor, owner, headers),
    digest: digestOf(token),
    sealedToken: visitor.app.secrets.seal(SIGN_IN_LINK_SEAL_PURPOSE, token),
    minutes: SIGN_IN_LINK_MINUTES,
  }
  await visitor.transaction(async (tx) => {
    const linkId = await insertLink(tx, link)
    await enqueue(tx.db, mailSignInLink, { linkId })
  })
}
