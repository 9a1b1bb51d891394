import type { AccountScope } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { timeInSeconds } from '../jobs/deliveries/deliver.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { requireFound } from '../kernel/refusals.ts'
import { findPassFacts } from './facts/records.ts'
import { refreshPass } from './issue-pass.ts'
import { deleteRegistration, deleteSurplusRegistrations, saveRegistration } from './records.ts'
import { UPDATE_JOB } from './rules.ts'

const PHONES_PER_PASS = 20

/**
 * What changes while a phone registers may have been told before it was there to be told. The pass is locked, so a
 * change that is being written down comes before, and is found here, or after, and finds the phone. One that was not
 * even committed when the pass was given out is found by looking once more, a little later.
 */
const LOOK_AGAIN_SECONDS = 30

export interface PhoneOfPass {
  publicId: string
  passTypeId: string
  device: string
}

/** Has a phone told of changes from now on. Answers whether it is new. */
export const registerPhone = (
  scope: AccountScope,
  { publicId, passTypeId, device }: PhoneOfPass,
  pushToken: string,
): Promise<boolean> =>
  scope.transaction(async (tx) => {
    const { admissionId } = requireFound(await findPassFacts(tx, { publicId }))
    const pass = requireFound(await refreshPass(tx, admissionId))
    const key = { admissionId, passTypeId, deviceDigest: digestOf(device) }
    const isNew = await saveRegistration(tx, key, pushToken)
    if (!isNew) return false
    await deleteSurplusRegistrations(tx, admissionId, PHONES_PER_PASS)
    const payload = { account_id: tx.accountId, admission_id: admissionId }
    if (pass.modifiedAt > pass.issuedAt) await enqueue(tx.db, UPDATE_JOB, payload)
    await enqueue(tx.db, UPDATE_JOB, payload, {
      runAt: timeInSeconds(LOOK_AGAIN_SECONDS),
      jobKey: `${UPDATE_JOB.name}/${admissionId}`,
    })
    return true
  })

/** Tells a phone no more. Whatever it names that is not there was never told. */
export const unregisterPhone = async (
  scope: AccountScope,
  { publicId, passTypeId, device }: PhoneOfPass,
): Promise<void> => {
  const { admissionId } = requireFound(await findPassFacts(scope.rows, { publicId }))
  await deleteRegistration(scope.rows, { admissionId, passTypeId, deviceDigest: digestOf(device) })
}
