const CHANNEL = 'foyer.signed-in'

/** Tells the other pages of this browser that somebody has signed in. */
export const announceSignIn = () => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

export const listenForSignIns = (onSignIn: () => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.addEventListener('message', onSignIn)
  return () => channel.close()
}
