import type { App } from './app.ts'

/** What a browser says about where a request comes from. */
export interface RequestOrigin {
  method: string
  host: string
  /** The address it came from, for the budgets of those who show no credential. */
  ip: string
  origin: string | undefined
  /** Sec-Fetch-Site. */
  fetchSite: string | undefined
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The defence against forged requests: a browser attaches its cookies to what other sites make it send, but it also
 * says truthfully who made it do so. Every browser of the last years sends Sec-Fetch-Site or, with whatever is no
 * plain GET, Origin; a request with neither comes from no browser, and nobody else's cookies are at stake.
 */
export const isCrossSiteForgery = (
  app: Pick<App, 'settings'>,
  { method, host, origin, fetchSite }: Omit<RequestOrigin, 'ip'>,
): boolean => {
  if (SAFE_METHODS.has(method)) return false
  if (fetchSite !== undefined) return fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (origin === undefined) return false
  return origin !== app.settings.baseUrl && hostOf(origin) !== host.toLowerCase()
}

/**
 * Whether a page of another site sent it. The name the request was sent to proves nothing here: a page whose own name
 * was made to lead to this machine sends both, alike.
 */
export const isForeignOrigin = ({ settings }: Pick<App, 'settings'>, { origin }: Pick<RequestOrigin, 'origin'>) =>
  origin !== undefined && origin !== settings.baseUrl

const hostOf = (origin: string) => (URL.canParse(origin) ? new URL(origin).host : null)
