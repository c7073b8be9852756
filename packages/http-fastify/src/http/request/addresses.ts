import { isIPv4, isIPv6 } from 'node:net'

/**
 * The name of the quota bucket of an address.
 * - An IPv4 address has a bucket of its own, also when it is written as an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2).
 * - IPv6 addresses share one bucket for each /64: that is the least that a site gets (RFC 6177), so one caller has 2^64 addresses.
 * - A port and a zone, which some proxies add, are ignored. Anything else, an absent address included, is `unknown`.
 */
export function addressBucket(address: string | undefined): string {
  const bare = bareAddress(address)
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : 'unknown'
  const groups = ipv6Groups(bare)
  return (
    mappedIPv4(groups) ??
    `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(':')}::/64`
  )
}

/**
 * The client's address as audit lines have it, in one spelling (RFC 5952): without a port, brackets and a zone, an IPv4-mapped one as IPv4, and
 * `unknown` for anything that is no address. A proxy may have written all of those, and its client some.
 * @param isLogged whether audit lines carry addresses at all; without it `undefined`
 */
export function auditAddress(
  { ip }: { readonly ip: string | undefined },
  isLogged: boolean | undefined,
): string | undefined {
  if (isLogged !== true) return undefined
  const bare = bareAddress(ip)
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : 'unknown'
  return mappedIPv4(ipv6Groups(bare)) ?? spelledByUrl(bare).slice(1, -1)
}

/** An address without a port, brackets and a zone. */
function bareAddress(address = ''): string {
  return withoutPort(address).replace(/%.*$/s, '')
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

/** The IPv4 address that an IPv4-mapped IPv6 address stands for; `undefined` for any other one. */
function mappedIPv4(groups: readonly number[]): string | undefined {
  if (groups[5] !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/**
 * Whether `text` may name a trusted proxy: an address, or a range no wider than the widest private network (10.0.0.0/8, fc00::/7). A
 * wider range would let strangers choose the address that they are counted under. IPv4-mapped IPv6 is refused for the same reason: it
 * hides its width.
 */
export function isTrustedProxy(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || address.includes('%') || /^::ffff:/i.test(address)) return false
  if (isIPv4(address)) return prefix === undefined || isPrefixLength(prefix, 8, 32)
  if (!isIPv6(address) || isMappedIPv4(address)) return false
  return prefix === undefined || isPrefixLength(prefix, 7, 128)
}

/**
 * A list of trusted proxies as Fastify takes it; `false` when it is empty.
 * @throws TypeError when one of them is not {@link isTrustedProxy}
 */
export function trustedProxies(proxies: readonly string[]): string[] | false {
  if (!proxies.every(isTrustedProxy)) {
    throw new TypeError('trustProxy takes addresses, and ranges no wider than 10.0.0.0/8 or fc00::/7')
  }
  return proxies.length === 0 ? false : [...proxies]
}

/** Plain digits without a leading zero, so that nothing else can read them as another number. */
function isPrefixLength(text: string, min: number, max: number): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) >= min && Number(text) <= max
}

function isMappedIPv4(address: string): boolean {
  return spelledByUrl(address).startsWith('[::ffff:')
}

/** An IPv6 address in brackets. However it is written, a URL spells it in one way. */
function spelledByUrl(address: string): string {
  return new URL(`http://[${address}]`).hostname
}
