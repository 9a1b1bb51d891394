import { ApiRefusal, isPermissionMissing, retryAfterOf } from './refusals.ts'
import type { SessionGate } from './session-gate.ts'

export interface SendOptions {
  fetch: (request: Request) => Promise<Response>
  gate: Pick<SessionGate, 'wait'>
  /** Told whether the last request reached the server. */
  onLine?: (isThere: boolean) => void
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** A few seconds in all: long enough for a lift, short enough for a person. */
const PAUSES_MS = [400, 1_200, 3_000]
/** Whoever is to wait longer is told so instead. */
const RETRY_AFTER_MAX_SECONDS = 5

/**
 * Sends a request as often as is safe. What reads, and what creates under an Idempotency-Key, may be repeated when the
 * line broke; anything may be repeated that the server says it has not begun.
 */
export const sendWithRetries = async (
  { fetch, gate, onLine, wait = pause }: SendOptions,
  request: Request,
): Promise<Response> => {
  const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key')
  for (let attempt = 0; ; attempt++) {
    const pauseMs = PAUSES_MS[attempt]
    const answer = await fetch(request.clone()).catch((error: unknown) => {
      if (request.signal.aborted) throw error
      return null
    })
    onLine?.(answer !== null)

    if (answer === null) {
      if (!isRepeatable || pauseMs === undefined) throw new ApiRefusal('offline')
      await wait(pauseMs, request.signal)
    } else if (answer.status === 401 && !isPermissionMissing(answer)) {
      await gate.wait()
    } else {
      const seconds = retryAfterOf(answer)
      const isPostponed = answer.status === 429 || (answer.status === 503 && isRepeatable)
      if (!isPostponed || pauseMs === undefined || (seconds ?? 0) > RETRY_AFTER_MAX_SECONDS) return answer
      await wait(seconds === null ? pauseMs : seconds * 1000, request.signal)
    }
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    signal.addEventListener('abort', giveUp, { once: true })
  })
