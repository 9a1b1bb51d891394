/** Somebody else waited in vain for this server a moment ago, so this call was not even tried. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen'
}

/** A failure that took this long was no refusal: nobody was there. */
const SLOW_MS = 2_000
const REST_MS = 5_000

export interface CircuitBreakerOptions {
  slowMs?: number
  /** How long nobody tries after a call that waited in vain. */
  restMs?: number
  /** Whether a slow failure was the server's: a long upload may fail for its sender's sake. */
  isOutage?: (error: unknown) => boolean
}

export type CircuitBreaker = <T>(call: () => Promise<T>) => Promise<T>

/**
 * Stops asking a server that does not answer. A thousand calls would otherwise wait for it one after the other, and
 * everybody else's behind them. So once a call has waited in vain, the next ones are turned away at once, and every few
 * seconds a single one tries whether it is back.
 */
export const openCircuitBreaker = ({
  slowMs = SLOW_MS,
  restMs = REST_MS,
  isOutage = () => true,
}: CircuitBreakerOptions = {}): CircuitBreaker => {
  let triedAgainAt: number | null = null
  let isTrying = false

  return async (call) => {
    const startedAt = performance.now()
    const isTrial = triedAgainAt !== null
    if (triedAgainAt !== null) {
      if (isTrying || startedAt < triedAgainAt) throw new CircuitOpen('There was no answer a moment ago')
      isTrying = true
    }
    try {
      const answer = await call()
      triedAgainAt = null
      return answer
    } catch (error) {
      const now = performance.now()
      triedAgainAt = now - startedAt >= slowMs && isOutage(error) ? now + restMs : null
      throw error
    } finally {
      if (isTrial) isTrying = false
    }
  }
}
