import { useSyncExternalStore } from 'react'

const MINUTE_MS = 60_000

let now = new Date()

/** The same moment for a whole minute, so that all of a view speaks of one. */
const readNow = () => {
  if (Date.now() - now.getTime() >= MINUTE_MS) now = new Date()
  return now
}

const listen = (listener: () => void) => {
  const timer = setInterval(listener, MINUTE_MS)
  return () => clearInterval(timer)
}

/** What time it is, to the minute: a view that is left open moves on to tonight by itself. */
export const useNow = (): Date => useSyncExternalStore(listen, readNow)
