import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, type LookupFunction, isIP, isIPv6 } from 'node:net'
import type { Settings } from '../kernel/settings.ts'

/** Addresses of machines that only we can reach: whoever gives us an address must not get at them through us. */
const reserved = new BlockList()
const RESERVED_4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 ' +
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3'
/** Of the only IPv6 addresses that are anybody's; the rest is local, reserved, or wraps an IPv4 address. */
const RESERVED_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
const anybodys = new BlockList()
anybodys.addSubnet('2000::', 3, 'ipv6')
for (const [subnets, family] of [
  [RESERVED_4, 'ipv4'],
  [RESERVED_6, 'ipv6'],
] as const) {
  for (const subnet of subnets.split(' ')) {
    const [net, prefix] = subnet.split('/')
    reserved.addSubnet(net!, Number(prefix), family)
  }
}

export const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? anybodys.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
    : isIP(address) === 4 && !reserved.check(address, 'ipv4')

export type PrivateNetworkSetting = Pick<Settings, 'reachesPrivateNetworks'>

/** Whether a URL that somebody gave us is one we would ever call; its name is looked up again at every call. */
export const isCallableUrl = (reach: PrivateNetworkSetting, text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return false
  if (reach.reachesPrivateNetworks) return protocol === 'https:' || protocol === 'http:'
  if (protocol !== 'https:') return false

  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host)) return isPublicAddress(host)
  // A dot at the end says that nothing follows: it is the same name.
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(name)
}

/** The address is none we would call, which trying again will not change. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** The address that was looked at is the one that is called: a name cannot change its mind in between. */
export const lookupPublicAddress: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '')
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      return done(new ForbiddenAddress('The name leads into a private network'), '')
    }
    if (options.all) return done(null, addresses)
    done(null, addresses[0]!.address, addresses[0]!.family)
  })
}
