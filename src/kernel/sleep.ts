import { setTimeout as pause } from 'node:timers/promises'

/** False when it was cut short. Unless it is held, a process that has nothing else to do ends meanwhile. */
export const sleepUnlessAborted = (signal: AbortSignal, ms: number, { isHeld = true } = {}): Promise<boolean> =>
  pause(ms, true, { signal, ref: isHeld }).catch((error: unknown) => {
    if (signal.aborted) return false
    throw error
  })
