import { isIP, isIPv4, isIPv6 } from 'node:net'

/** What the text of a setting may be. Each rule judges one text and never throws. */

/** An address to listen on, or a name that resolves to one. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(text))
}

/** A whole number in plain digits: no sign, no space, no leading zero, no exponent. */
export function isWholeNumber(text: string, { min, max }: { min: number; max: number }): boolean {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return false
  return Number(text) >= min && Number(text) <= max
}

/**
 * A bare origin in its one canonical spelling (RFC 6454, section 6.2): scheme, host, port unless it is the scheme's own.
 * A path, a final slash, user info or upper case would each end up in every link.
 */
export function isBareOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return origin === text && (hostname.startsWith('[') || isHost(hostname))
}

/**
 * An address, or a range no wider than the widest private network (10.0.0.0/8, fc00::/7). Wider ones would let strangers
 * choose the address they are counted under. IPv4 in the guise of IPv6 is refused for the same reason: it hides its width.
 */
export function isProxyRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  if (rest.length > 0 || address.includes('%') || /^::ffff:/i.test(address)) return false
  if (isIPv4(address)) return prefix === undefined || isWholeNumber(prefix, { min: 8, max: 32 })
  if (!isIPv6(address) || isMappedIPv4(address)) return false
  return prefix === undefined || isWholeNumber(prefix, { min: 7, max: 128 })
}

function isMappedIPv4(address: string): boolean {
  return new URL(`http://[${address}]`).hostname.startsWith('[::ffff:')
}

/** The parts of a list that is separated by commas, spaces around them left out; none for an empty text. */
export function partsOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim())
}
