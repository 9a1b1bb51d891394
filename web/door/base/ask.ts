import { updateClockOffset } from './clock.ts'
import { pairedDevice, isOnline, isRevoked, isTokenUnknown } from './state.ts'

/** No answer came, or none that the server would give. */
export class NoServerAnswer extends Error {}

export interface ServerAnswer {
  status: number
  headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface DeviceRequestOptions {
  method?: 'GET' | 'POST'
  body?: unknown
  headers?: Record<string, string>
  timeoutMs?: number
  /** Where a page is going away: the request outlives it. */
  keepalive?: boolean
}

const TIMEOUT_MS = 20_000

/** Asks the server as this device. An answer is an answer, whatever its status; a broken line throws NoAnswer. */
export const requestAsDevice = async (path: string, asked: DeviceRequestOptions = {}): Promise<ServerAnswer> => {
  const { method = 'GET', body, headers = {}, timeoutMs = TIMEOUT_MS, keepalive = false } = asked
  const token = pairedDevice.value?.token
  let answer: ServerAnswer
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      keepalive,
      headers: {
        accept: 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = response.status === 304 || response.status === 204 ? 'null' : await response.text()
    answer = { status: response.status, headers: response.headers, body: JSON.parse(text) }
  } catch (error) {
    isOnline.value = false
    throw new NoServerAnswer('No answer', { cause: error })
  }
  // A proxy in between, a captive portal, a server in trouble: as good as none.
  if (answer.status >= 500 || answer.status === 408) {
    isOnline.value = false
    throw new NoServerAnswer(`Answered ${answer.status}`)
  }
  updateClockOffset(answer.headers.get('date'))
  isOnline.value = true
  noteCredential(answer, token)
  // Nothing is kept of what was told to a phone that has been wiped since.
  if (token !== undefined && (isRevoked.value || token !== pairedDevice.value?.token)) {
    throw new NoServerAnswer('Told to another device')
  }
  return answer
}

/** The app wipes itself on `revoked: true` and on nothing else. */
const noteCredential = ({ status, body }: ServerAnswer, token: string | undefined) => {
  if (token === undefined || token !== pairedDevice.value?.token) return
  if (status === 401 && body?.revoked === true) isRevoked.value = true
  else isTokenUnknown.value = status === 401
}
