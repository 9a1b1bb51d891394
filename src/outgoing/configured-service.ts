import { CircuitOpen, type CircuitBreakerOptions, openCircuitBreaker } from './circuit-breaker.ts'
import { CallStalled, type IdleTimeout, createIdleTimeout } from './time-limits.ts'

/** The service could not be reached, stood still, or did so a moment ago. */
export class ServiceUnavailable extends Error {
  override readonly name = 'ServiceUnavailable'
}

export type CallService = (send: (signal: AbortSignal) => Promise<Response>, idle?: IdleTimeout) => Promise<Response>

/** Somebody waits for the answer to the request that needs it, so it is tried again soon. */
const REST_MS = 1_000

/**
 * Calls of a service that the operator configured, such as a store that speaks S3. Its address is the operator's word and
 * often lies in a private network, so it is not held to public addresses as one is that somebody else gave us. A call
 * ends with the head of its answer; whoever reads the body after it goes on with the same idle timeout.
 */
export const openConfiguredService = (options: Pick<CircuitBreakerOptions, 'slowMs' | 'restMs'> = {}): CallService => {
  const breaker = openCircuitBreaker({ restMs: REST_MS, ...options, isOutage: isSilence })
  return async (send, idle = createIdleTimeout()) => {
    try {
      return await breaker(() => fetchHead(send, idle))
    } catch (error) {
      if (!isUnavailable(error)) throw error
      throw new ServiceUnavailable('The service is not available', { cause: error })
    }
  }
}

const fetchHead = async (send: Parameters<CallService>[0], idle: IdleTimeout): Promise<Response> => {
  idle.start()
  try {
    return await Promise.race([send(idle.signal), idle.expired])
  } catch (error) {
    throw idle.signal.aborted ? new CallStalled('There was no progress', { cause: error }) : error
  } finally {
    idle.stop()
  }
}

/** What fetch throws when there is nobody to talk to. */
const isFetchFailure = (error: unknown) => error instanceof TypeError && error.message === 'fetch failed'

const isSilence = (error: unknown) =>
  error instanceof CallStalled ||
  (isFetchFailure(error) && ((error as Error).cause as { code?: string })?.code === 'UND_ERR_CONNECT_TIMEOUT')

const isUnavailable = (error: unknown) =>
  error instanceof CallStalled || error instanceof CircuitOpen || isFetchFailure(error)
