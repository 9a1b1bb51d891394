import { signal } from '@preact/signals'

/** The pairing that came with the address, or that the camera saw. */
export const pendingPairingCode = signal<string | null>(null)

/** Taken out of the address at once: it is a secret, and stays in no history. */
export const readPairingFromAddress = (): void => {
  if (!location.hash.startsWith('#pair=')) return
  pendingPairingCode.value = location.hash
  history.replaceState(null, '', location.pathname)
}
