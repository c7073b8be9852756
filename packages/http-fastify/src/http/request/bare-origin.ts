/**
 * Whether `text` is a bare http(s) origin in its canonical spelling (RFC 6454, section 6.2): scheme, host, and port unless it is the
 * scheme's default. A path, a trailing slash, user information or upper case would otherwise be part of every link.
 */
export function isBareOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text) return false
  return url.hostname.startsWith('[') || isHostName(url.hostname)
}

/** Whether `text` is the name of a host or an IPv4 address: letters, digits, dots, hyphens and underscores, 253 characters at most. */
export function isHostName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(text)
}

/**
 * Reads a bare origin.
 * @throws TypeError when `isBareOrigin` refuses it
 */
export function bareOrigin(text: string): URL {
  if (isBareOrigin(text)) return new URL(text)
  throw new TypeError('baseUrl and linkBaseUrl must be bare origins such as https://api.example.org')
}
