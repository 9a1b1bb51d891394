import type { VisitorScope } from '../access/scopes.ts'
import { digestOf, newSecret } from '../access/tokens.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { mailSignInLink } from './jobs.ts'
import { type LinkPurpose, insertLink } from './records.ts'
import { LINK_MINUTES, SEALED_LINK } from './rules.ts'

const ASKED_PER_MINUTE = 10
const ASKED_FROM_AN_ADDRESS = 120

/** The same for everyone, known or not: a row and a job. Whether a mail goes out shows in the mailbox alone. */
export const askForLink = async (
  visitor: VisitorScope,
  ip: string,
  wish: { email: string; purpose: LinkPurpose; returnTo: string },
): Promise<void> => {
  const { budgets } = visitor.app
  await budgets
    .shared('links asked for with a mail address from an address', ASKED_PER_MINUTE)
    .spend(`${ip} ${wish.email}`)
  await budgets.shared('links asked for from an address', ASKED_FROM_AN_ADDRESS).spend(ip)
  const token = newSecret()
  const link = {
    ...wish,
    digest: digestOf(token),
    sealedToken: visitor.app.secrets.seal(SEALED_LINK, token),
    minutes: LINK_MINUTES,
  }
  await visitor.transaction(async (tx) => {
    const linkId = await insertLink(tx, link)
    await enqueue(tx.db, mailSignInLink, { linkId })
  })
}
