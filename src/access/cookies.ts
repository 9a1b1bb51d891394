import type { Settings } from '../kernel/settings.ts'
import { SESSION_DAYS } from './sessions.ts'

type Site = Pick<Settings, 'baseUrl'>

const isSecure = ({ baseUrl }: Site) => baseUrl.startsWith('https:')

/** On https the prefix makes browsers refuse the cookie from any other host, a sibling's included. */
const nameOf = (site: Site, name: string) => (isSecure(site) ? `__Host-${name}` : name)

export const SESSION_COOKIE = 'foyer_session'

export const readCookie = (site: Site, name: string, header: string | undefined): string | null => {
  const full = nameOf(site, name)
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === full) return pair.slice(equals + 1).trim() || null
  }
  return null
}

/** Out of reach for scripts, and not sent along when other sites post something here. */
export const serializeCookie = (site: Site, name: string, value: string, maxAgeSeconds: number): string =>
  [
    `${nameOf(site, name)}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(site) ? ['Secure'] : []),
  ].join('; ')

export const serializeClearedCookie = (site: Site, name: string): string => serializeCookie(site, name, '', 0)

export const serializeSessionCookie = (site: Site, token: string): string =>
  serializeCookie(site, SESSION_COOKIE, token, SESSION_DAYS * 24 * 60 * 60)
