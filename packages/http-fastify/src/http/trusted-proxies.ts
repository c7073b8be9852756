import { isIPv4, isIPv6 } from 'node:net'

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

/** However the address is written, a URL spells it in one way. */
function isMappedIPv4(address: string): boolean {
  return new URL(`http://[${address}]`).hostname.startsWith('[::ffff:')
}
