import { isIP } from 'node:net'

/** The rules for the values of settings. Each checks one text and never throws. */

/** An IP address, or a host name. */
export function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(text))
}

/** A whole number in plain digits: no sign, no space, no leading zero, no exponent. */
export function isWholeNumber(text: string, { min, max }: { min: number; max: number }): boolean {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return false
  return Number(text) >= min && Number(text) <= max
}

/**
 * A bare origin in its canonical spelling (RFC 6454, section 6.2): scheme, host, and port unless it is the scheme's default.
 * A path, a trailing slash, user information or upper case would otherwise be part of every link.
 */
export function isBareOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, protocol, hostname } = new URL(text)
  if (protocol !== 'http:' && protocol !== 'https:') return false
  return origin === text && (hostname.startsWith('[') || isHost(hostname))
}

/** The parts of a list that is separated by commas, without the spaces around them; none for an empty text. */
export function partsOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split(',').map((part) => part.trim())
}
