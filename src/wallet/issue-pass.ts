import type { AccountScope, Tx } from '../access/scopes.ts'
import { requireFound, NotFound } from '../kernel/refusals.ts'
import { findPassFacts } from './facts/records.ts'
import { insertPass, lockPass, markAdmissionHasPass, recordPassChange } from './records.ts'
import { type PassFacts, digestOfPassFacts } from './rules.ts'

/** A pass and what it shows, of the same moment. */
export interface CurrentPass {
  facts: PassFacts
  issuedAt: Date
  modifiedAt: Date
  googleIssuedAt: Date | null
  googleToldAt: Date | null
}

/** What a pass shows now. Where that is something new, it is written down as a change, whoever finds it first. */
export const refreshPass = async (tx: Tx, admissionId: number): Promise<CurrentPass | null> => {
  const pass = await lockPass(tx, admissionId)
  // Read after the lock: what was found out before it may be older than what somebody else has written down meanwhile.
  const facts = pass && (await findPassFacts(tx, { admissionId }))
  if (!pass || !facts) return null
  const digest = digestOfPassFacts(facts)
  const modifiedAt = digest.equals(pass.digest) ? pass.modifiedAt : await recordPassChange(tx, admissionId, digest)
  return {
    facts,
    issuedAt: pass.issuedAt,
    modifiedAt,
    googleIssuedAt: pass.googleIssuedAt,
    googleToldAt: pass.googleToldAt,
  }
}

/** The pass of an admission, made when it is first asked for: only for a ticket that admits somebody. */
export const issuePass = (
  scope: AccountScope,
  publicId: string,
  issue?: (tx: Tx, pass: CurrentPass) => Promise<void>,
): Promise<CurrentPass> =>
  scope.transaction(async (tx) => {
    const { admissionId } = requireFound(await findPassFacts(tx, { publicId }))
    const pass = (await refreshPass(tx, admissionId)) ?? (await makePass(tx, admissionId))
    await issue?.(tx, pass)
    return pass
  })

const makePass = async (tx: Tx, admissionId: number): Promise<CurrentPass> => {
  await markAdmissionHasPass(tx, admissionId)
  const facts = requireFound(await findPassFacts(tx, { admissionId }))
  if (facts.state !== 'valid' && facts.state !== 'used') throw new NotFound()
  await insertPass(tx, { ...facts, digest: digestOfPassFacts(facts) })
  return requireFound(await refreshPass(tx, admissionId))
}
