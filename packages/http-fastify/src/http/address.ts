import { isIPv4, isIPv6 } from 'node:net'

/**
 * The name of the quota bucket of an address.
 * - An IPv4 address has a bucket of its own, also when it is written as an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
 * - IPv6 addresses share one bucket for each /64: that is the least that a site gets (RFC 6177), so one caller has 2^64 addresses.
 * - A port and a zone, which some proxies add, are ignored. Anything else, an absent address included, is `unknown`.
 */
export function addressBucket(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const bare = withoutPort(address).replace(/%.*$/, '')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return 'unknown'
  const groups = ipv6Groups(bare)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return mapped
    ? ipv4Of(groups)
    : `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')}::/64`
}

function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return ipv6 ?? ipv4 ?? address
}

/** The eight groups of 16 bits of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const front = groupsOf(head)
  if (tail === undefined) return front
  const back = groupsOf(tail)
  return [...front, ...new Array<number>(8 - front.length - back.length).fill(0), ...back]
}

function groupsOf(text: string): number[] {
  if (text === '') return []
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? ipv4Groups(group) : [Number.parseInt(group, 16)]))
}

function ipv4Groups(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

function ipv4Of(groups: readonly number[]): string {
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
