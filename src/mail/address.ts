import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { DOMAIN_PATTERN, LOCAL_PART_PATTERN, LOCAL_PART_MAX } from '../kernel/emails.ts'
import { Misconfigured } from '../kernel/settings.ts'

export interface Mailbox {
  name?: string
  address: string
}

/** No retry helps: the address cannot be one, or its server says that nobody lives there. Never names the address. */
export class UndeliverableAddress extends Error {
  override readonly name = 'UndeliverableAddress'
  readonly permanent = true
}

const DOMAIN_MAX = 253
const IS_LOCAL_PART = new RegExp(`^${LOCAL_PART_PATTERN}$`, 'i')
const IS_DOMAIN = new RegExp(`^${DOMAIN_PATTERN}$`, 'i')
/** domainToASCII reads a host as URLs do, so these would cut it short or change it. */
const NEVER_IN_A_DOMAIN = /[\p{Cc}\p{Z}/\\?#%@:[\]<>()",;]/u

/** One plain address with its domain in ASCII. Lists, names, quoted parts and address literals are refused. */
export const parseAddress = (text: string): string => {
  const at = text.lastIndexOf('@')
  const localPart = text.slice(0, Math.max(at, 0))
  const domain = readDomain(text.slice(at + 1))
  if (localPart.length > LOCAL_PART_MAX || !IS_LOCAL_PART.test(localPart) || domain === null) {
    throw new UndeliverableAddress('The address is not one plain email address')
  }
  return `${localPart}@${domain}`
}

const readDomain = (text: string): string | null => {
  if (text.length > DOMAIN_MAX || NEVER_IN_A_DOMAIN.test(text)) return null
  // A lone number of a host is read as an IP address, so only names that need it are translated.
  const domain = isAscii(text) ? text : domainToASCII(text)
  const isNumeric = /(?:^|\.)\d+$/.test(domain)
  return domain.length <= DOMAIN_MAX && IS_DOMAIN.test(domain) && !isNumeric ? domain : null
}

const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

/** On one line, whatever was typed: line breaks and other control characters become a space. */
export const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

export const normalizeMailbox = ({ name, address }: Mailbox): Required<Mailbox> => ({
  name: oneLine(name ?? ''),
  address: parseAddress(address),
})

/** Foyer's own address: "Foyer <no-reply@foyer.example>" or the address alone. */
export const parseSender = (text: string): Required<Mailbox> => {
  const match = /^(?:"([^"<>]*)"|([^"<>]*))\s*<([^<>]+)>$/.exec(text.trim())
  const name = oneLine(match?.[1] ?? match?.[2] ?? '')
  const address = match?.[3] ?? text.trim()
  try {
    return { name, address: readLiteral(address) ?? parseAddress(address) }
  } catch {
    throw new Misconfigured(`MAIL_FROM must be an email address, like Foyer <no-reply@foyer.example>; it is "${text}".`)
  }
}

/** An installation that is reached by an IP address sends from it; in mail that is written in brackets. */
const readLiteral = (address: string): string | null => {
  const match = /^([^@]+)@\[?([0-9a-f.:]+)\]?$/i.exec(address)
  const [, localPart = '', host = ''] = match ?? []
  if (!IS_LOCAL_PART.test(localPart)) return null
  if (isIPv4(host)) return `${localPart}@[${host}]`
  if (isIPv6(host)) return `${localPart}@[IPv6:${host}]`
  return null
}
