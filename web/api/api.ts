import { openApiClient } from './client.ts'
import { line } from './line.ts'
import { SessionGate } from './session-gate.ts'

/** The gate and the client of this page. */
export const gate = new SessionGate()

export const api = openApiClient(location.origin, { fetch: (request) => fetch(request), gate, onLine: line.set })
