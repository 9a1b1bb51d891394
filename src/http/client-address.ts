/**
 * Whom a budget counts by an address: an IPv4 address as it is, and of IPv6 the network of 64 bits, because whoever has
 * one address of it has all of them.
 */
export const clientAddressOf = (ip: string): string => {
  // Some proxies tell the port as well, which is another for every connection.
  const version4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(ip)
  if (version4) return version4[1]!
  if (!ip.includes(':')) return ip

  const [head = '', tail] = ip.split('%', 1)[0]!.split('::')
  const first = groupsOf(head)
  const last = groupsOf(tail ?? '')
  const between = Array.from({ length: Math.max(0, GROUPS - first.length - last.length) }, () => '0')
  const network = [...first, ...between, ...last].slice(0, GROUPS / 2)
  return `${network.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`
}

const GROUPS = 8

const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
