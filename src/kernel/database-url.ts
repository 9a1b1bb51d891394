import { Misconfigured } from './misconfigured.ts'

export interface DatabaseHost {
  host: string
  port: number
}

/** A URL of a database, taken apart as far as its hosts go. */
export interface DatabaseUrl {
  hosts: DatabaseHost[]
  /** Whether the server must be looked at before it is used: there are several, or the URL says so. */
  isChosen: boolean
  /** The same for one server alone. */
  urlAt(host: DatabaseHost): string
}

const PORT = 5432
const HOSTS_MOST = 8
const ATTRIBUTE = 'target_session_attrs'
/** Both say the same to whoever writes. */
const WRITING = new Set(['read-write', 'primary'])

/** The URL as it is, when it can be used. */
export const requireDatabaseUrl = (name: string, text: string): string => {
  readDatabaseUrl(name, text)
  return text
}

/** The same for one server, whatever it is. */
export const requireSingleDatabaseUrl = (name: string, text: string): string => {
  if (readDatabaseUrl(name, text).isChosen) {
    throw new Misconfigured(`${name} must name one host, and say nothing of target_session_attrs.`)
  }
  return text
}

/** A refusal never shows the password. */
export const readDatabaseUrl = (name: string, text: string): DatabaseUrl => {
  const [, protocol, login = '', authority = '', rest = '', query = ''] =
    /^(postgres(?:ql)?:)\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(text) ?? []
  if (!protocol) throw new Misconfigured(`${name} must be a URL beginning with postgres:// or postgresql://.`)

  const parameters = new URLSearchParams(query)
  const attribute = parameters.get(ATTRIBUTE)
  if (attribute !== null && !WRITING.has(attribute)) {
    throw new Misconfigured(
      `${name} must say ${ATTRIBUTE}=read-write or nothing about it, because Foyer writes; it says "${attribute}".`,
    )
  }
  const others = query.split('&').filter((each) => each !== '' && !each.startsWith(`${ATTRIBUTE}=`))
  const urlAt = ({ host, port }: DatabaseHost) =>
    `${protocol}//${login ? `${login}@` : ''}${host.includes(':') ? `[${host}]` : host}:${port}${rest}${others.length > 0 ? `?${others.join('&')}` : ''}`

  const isChosen = authority.includes(',') || attribute !== null
  // What names one server is left to pg, sockets of this machine among it.
  if (!isChosen) {
    if (!URL.canParse(text)) throw new Misconfigured(`${name} is not a URL that can be read.`)
    return { hosts: [], isChosen, urlAt }
  }
  const hosts = authority.split(',').map((each) => readHost(name, each))
  if (hosts.length > HOSTS_MOST) throw new Misconfigured(`${name} may name ${HOSTS_MOST} hosts at most.`)
  const repeated = hosts.find((a, n) => hosts.findIndex((b) => a.host === b.host && a.port === b.port) !== n)
  if (repeated) throw new Misconfigured(`${name} names ${repeated.host}:${repeated.port} twice.`)
  if (!URL.canParse(urlAt(hosts[0]!))) throw new Misconfigured(`${name} is not a URL that can be read.`)
  return { hosts, isChosen, urlAt }
}

const readHost = (name: string, text: string): DatabaseHost => {
  const [, six, plain, digits] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  const host = six ?? plain
  const port = digits === undefined ? PORT : Number(digits)
  if (!host || port < 1 || port > 65535) {
    throw new Misconfigured(
      `${name} must name its hosts like postgres://user:password@a:5432,b:5432/foyer; "${text}" is none.`,
    )
  }
  return { host, port }
}
