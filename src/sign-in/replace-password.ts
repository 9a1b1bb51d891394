import { recordAudit } from '../access/audit.ts'
import type { PeopleTx, VisitorScope } from '../access/scopes.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { deletePasskeys } from './passkeys/records.ts'
import {
  type OpenLink,
  endLinks,
  endOwnTokens,
  lockMembershipsOf,
  lockPerson,
  recordPassword,
  takeLink,
} from './records.ts'

export interface NewPassword {
  /** The digest of the mailed link. */
  link: Buffer
  personId: number
  passwordDigest: string
  /** Whether personal tokens and passkeys end with the sessions. */
  endsKeys: boolean
}

/** False when the link is over. Whoever was signed in, or makes another key meanwhile, is left with nothing. */
export const replacePassword = (
  visitor: VisitorScope,
  { link, personId, passwordDigest, endsKeys }: NewPassword,
): Promise<boolean> =>
  visitor.transaction(async (tx) => {
    await lockPerson(tx, personId)
    const taken = await takeLink(tx, link, 'password')
    if (!taken) return false
    await recordPassword(tx, taken.personId, passwordDigest)
    await endLinks(tx, taken.email)
    await lockMembershipsOf(tx, taken.personId)
    await endSessionsOf(tx, taken.personId)
    if (endsKeys) await endKeys(tx, taken)
    return true
  })

const endKeys = async (tx: PeopleTx, { personId, name }: OpenLink) => {
  await deletePasskeys(tx, personId)
  for (const { accountId, membershipId, tokenIds } of await endOwnTokens(tx, personId)) {
    await recordAudit(
      { accountId, db: tx.db },
      {
        action: 'end tokens with a new password',
        subject: { credential_ids: tokenIds },
        by: { actor: { membershipId, name } },
      },
    )
  }
}
