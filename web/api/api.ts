import { openApiClient } from './client.ts'
import { connectionState } from './line.ts'
import { SessionGate } from './session-gate.ts'

/** The gate and the client of this page. */
export const sessionGate = new SessionGate()

export const api = openApiClient(location.origin, {
  fetch: (request) => fetch(request),
  gate: sessionGate,
  onLine: connectionState.set,
})
