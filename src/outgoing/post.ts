import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import packageFile from '../../package.json' with { type: 'json' }
import type { Settings } from '../kernel/settings.ts'
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts'
import { ForbiddenAddress, type PrivateNetworkSetting, isCallableUrl, lookupPublicAddress } from './public-address.ts'
import { CALL_TIMEOUT_MS } from './time-limits.ts'

export interface PostContent {
  headers: Record<string, string>
  body: Buffer
  signal?: AbortSignal
}

const breakers = new Map<string, CircuitBreaker>()
const BREAKERS_MAX = 10_000

const breakerOf = (name: string): CircuitBreaker => {
  const breaker = breakers.get(name) ?? openCircuitBreaker()
  if (breakers.size >= BREAKERS_MAX) breakers.clear()
  breakers.set(name, breaker)
  return breaker
}

type Caller = PrivateNetworkSetting & Pick<Settings, 'baseUrl'>

/** So that whoever is called can tell by whom, and where to complain. */
const userAgentOf = ({ baseUrl }: Caller) => `Foyer/${packageFile.version} (+${baseUrl})`

/**
 * Posts to a URL that somebody gave us and tells the status. Follows no redirect and reads no answer. The circuit breaker
 * is of the URL alone, or of its whole origin where that is one service.
 */
export const postToPublicUrl = async (
  caller: Caller,
  url: string,
  message: PostContent,
  breakerPer: 'url' | 'origin',
): Promise<number> => {
  if (!isCallableUrl(caller, url)) throw new ForbiddenAddress('The address is not a public https address')
  const { href, origin } = new URL(url)
  return breakerOf(breakerPer === 'origin' ? origin : href)(() => post(caller, url, message))
}

const post = (caller: Caller, url: string, { headers, body, signal }: PostContent): Promise<number> =>
  new Promise((resolve, reject) => {
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS)
    const call = new URL(url).protocol === 'https:' ? overHttps : overHttp
    const request = call(url, {
      method: 'POST',
      headers: { 'user-agent': userAgentOf(caller), ...headers, 'content-length': body.length },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      agent: false,
      ...(!caller.reachesPrivateNetworks && { lookup: lookupPublicAddress }),
    })
    request.on('response', (response) => {
      // What it says is of no interest, and may be endless.
      response.destroy()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(body)
  })
