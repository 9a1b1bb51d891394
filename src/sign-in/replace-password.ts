import { recordAudit } from '../access/audit.ts'
import type { PeopleTx, VisitorScope } from '../access/scopes.ts'
import { endSessionsOfPerson } from '../access/sessions.ts'
import { deletePasskeys } from './passkeys/records.ts'
import {
  type UnusedLink,
  endLinksOfEmail,
  endPersonalTokens,
  lockMembershipsOfPerson,
  lockPerson,
  recordPassword,
  consumeLink,
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
    const taken = await consumeLink(tx, link, 'password')
    if (!taken) return false
    await recordPassword(tx, taken.personId, passwordDigest)
    await endLinksOfEmail(tx, taken.email)
    await endCredentials(tx, taken, endsKeys)
    if (endsKeys) await deletePasskeys(tx, personId)
    // The password is another only once nobody is left signed in with the old one, on whichever server.
    for (const there of await visitor.everywhere(personId)) {
      if (!there.isSameAs(visitor)) await there.transaction((other) => endCredentials(other, taken, endsKeys))
    }
    return true
  })

const endCredentials = async (tx: PeopleTx, person: UnusedLink, endsKeys: boolean) => {
  await lockMembershipsOfPerson(tx, person.personId)
  await endSessionsOfPerson(tx, person.personId)
  if (endsKeys) await endTokens(tx, person)
}

const endTokens = async (tx: PeopleTx, { personId, name }: UnusedLink) => {
  for (const { accountId, membershipId, tokenIds } of await endPersonalTokens(tx, personId)) {
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
