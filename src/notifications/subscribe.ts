import { createECDH } from 'node:crypto'
import type { CallerScope } from '../access/scopes.ts'
import { isCallableUrl } from '../outgoing/public-address.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { refuseUnless } from '../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { deleteSurplusSubscriptions, upsertSubscription } from './records.ts'

const POINT_LENGTH = 65
const AUTH_LENGTH = 16

/** Nobody reads in more browsers than this; the oldest give way. */
const BROWSERS_PER_MEMBER = 50

/** Remembers a browser of the acting person for as long as the credential they act by opens anything. */
export const subscribeBrowserToPush = async (
  account: CallerScope,
  input: { endpoint: string; keys: Record<string, unknown> | null },
): Promise<string> => {
  refuseUnless(isCallableUrl(account.app.settings, input.endpoint), { endpoint: [INVALID_MESSAGE] })
  const { p256dh, auth } = input.keys ?? {}
  refuseUnless(isPoint(p256dh) && isSecret(auth), { keys: [INVALID_MESSAGE] })

  const subscription = {
    publicId: newPublicId(),
    membershipId: account.actor.membershipId,
    credentialId: account.credential.id,
    endpoint: input.endpoint,
    p256dh,
    auth,
  }
  const { membershipId } = subscription
  return account.transaction(async (tx) => {
    const publicId = await upsertSubscription(tx, subscription)
    await deleteSurplusSubscriptions(tx, { membershipId, publicId, most: BROWSERS_PER_MEMBER })
    return publicId
  })
}

const bytesOf = (value: unknown) =>
  typeof value === 'string' && /^[\w+/-]+=*$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0)

/** A point off the curve would make every later push fail. */
const isPoint = (value: unknown): value is string => {
  const point = bytesOf(value)
  if (point.length !== POINT_LENGTH || point[0] !== 4) return false
  const probe = createECDH('prime256v1')
  probe.generateKeys()
  try {
    probe.computeSecret(point)
    return true
  } catch {
    return false
  }
}

const isSecret = (value: unknown): value is string => bytesOf(value).length === AUTH_LENGTH
