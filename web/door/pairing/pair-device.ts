import { requestAsDevice } from '../base/ask.ts'
import { type Device, writeSetting } from '../base/database.ts'
import { pairedDevice, isTokenUnknown } from '../base/state.ts'

/** The secret in what was scanned, opened or typed; null where there is none. */
export const pairingSecretIn = (text: string): string | null => {
  const [, behindHash] = /#pair=([\w~.%-]+)/.exec(text) ?? []
  if (behindHash) return decodeURIComponent(behindHash)
  const typed = text.trim()
  return /^[\w-]{20,}$/.test(typed) ? typed : null
}

export type PairingOutcome = 'paired' | 'used_up' | 'no_answer'

/** Turns the secret of a pairing into a device of its own. */
export const pairDevice = async (secret: string): Promise<PairingOutcome> => {
  const answer = await requestAsDevice('/scanner/pairings', { method: 'POST', body: { pairing_secret: secret } }).catch(
    () => null,
  )
  if (!answer || answer.status === 429) return 'no_answer'
  if (answer.status !== 201) return 'used_up'
  const { token, scanner_device: paired, account } = answer.body
  const known: Device = { token, id: paired.id, name: paired.name, accountName: account.name }
  await writeSetting('device', known)
  isTokenUnknown.value = false
  pairedDevice.value = known
  return 'paired'
}
