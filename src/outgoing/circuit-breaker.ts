/** The far end did not answer somebody else a moment ago, so this call was not even tried. */
export class CircuitOpen extends Error {
  override readonly name = 'FarEndAway'
}

/** A failure that took this long was no refusal: nobody was there. */
const SLOW_MS = 2_000
const REST_MS = 5_000

type Call = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Watches somebody who may be away. A thousand letters to a house that does not open would otherwise wait at its door
 * one after the other, and everybody else's behind them. So once a call has waited in vain, the next ones are turned
 * away at once, and every few seconds a single one tries whether anybody is back.
 */
export const openCircuitBreaker = ({ slowMs = SLOW_MS, restMs = REST_MS } = {}): Call => {
  let triedAgainAt: number | null = null
  let isTrying = false

  return async (work) => {
    const startedAt = performance.now()
    const isTrial = triedAgainAt !== null
    if (triedAgainAt !== null) {
      if (isTrying || startedAt < triedAgainAt) throw new CircuitOpen('There was no answer a moment ago')
      isTrying = true
    }
    try {
      const answer = await work()
      triedAgainAt = null
      return answer
    } catch (error) {
      const now = performance.now()
      triedAgainAt = now - startedAt >= slowMs ? now + restMs : null
      throw error
    } finally {
      if (isTrial) isTrying = false
    }
  }
}
