import type { IncomingMessage } from 'node:http'

const jsonSuffixes = new WeakSet<IncomingMessage>()

/** `.json` works on every documented path and means what `Accept: application/json` means. */
export const rewriteJsonSuffix = (request: IncomingMessage): string => {
  const url = request.url ?? '/'
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.endsWith('.json') || path === '/openapi.json' || path.length === 6) return url

  jsonSuffixes.add(request)
  return path.slice(0, -5) + (end === -1 ? '' : url.slice(end))
}

/** Weak comparison: caches on the way may have changed the mark of weakness, and joined several tags. */
export const matchesEtag = (etag: string, condition: string | string[] | undefined): boolean => {
  if (condition === undefined) return false
  const text = Array.isArray(condition) ? condition.join(',') : condition
  if (text === etag || text.trim() === '*') return true
  const tag = etag.replace(/^W\//, '')
  return text.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}

export type PreferredFormat = 'json' | 'html' | 'neither'

/** JSON unless HTML is explicitly preferred; curl's asterisk and an absent header mean JSON. */
export const preferredFormatOf = (request: IncomingMessage): PreferredFormat => {
  if (jsonSuffixes.has(request)) return 'json'
  const accept = request.headers.accept
  if (!accept || accept === '*/*' || accept === 'application/json') return 'json'

  const weights = parseQualityWeights(accept)
  const json = weights.get('application/json') ?? 0
  const html = Math.max(weights.get('text/html') ?? 0, weights.get('application/xhtml+xml') ?? 0)
  if (html > json) return 'html'
  if (json > 0 || (weights.get('application/*') ?? weights.get('*/*') ?? 0) > 0) return 'json'
  return 'neither'
}

/** Whether it is JSON or nothing: where there is only a page, everybody else is shown it. */
export const wantsOnlyJson = (request: IncomingMessage): boolean => {
  const accept = request.headers.accept
  return preferredFormatOf(request) === 'json' && (jsonSuffixes.has(request) || !(accept ?? '*/*').includes('*/*'))
}

/** What a client would like best, by the weights of its Accept, Accept-Encoding and the like. */
export const parseQualityWeights = (accept: string) => {
  const weights = new Map<string, number>()
  for (const part of accept.slice(0, 1000).split(',')) {
    const [type = '', ...parameters] = part.split(';')
    const q = parameters.map((each) => /^\s*q=([\d.]+)\s*$/i.exec(each)?.[1]).find((each) => each !== undefined)
    weights.set(type.trim().toLowerCase(), q === undefined ? 1 : Number(q) || 0)
  }
  return weights
}
