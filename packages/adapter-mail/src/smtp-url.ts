import { isIP } from 'node:net'

/** Where mails are handed over, and how. */
export interface SmtpServer {
  /** A host name in ASCII, or an IP address without brackets. */
  readonly host: string
  readonly port: number
  /** - `immediate`: from the first byte. - `starttls`: required before anything else is sent. - `never`: no TLS at all. */
  readonly tls: 'immediate' | 'starttls' | 'never'
  readonly credentials: { readonly user: string; readonly pass: string } | undefined
}

/** What is wrong with the address of a mail server, without a word of it; `undefined` when nothing is. */
export function smtpUrlError(text: string): string | undefined {
  const read = readSmtpUrl(text)
  return typeof read === 'string' ? read : undefined
}

/**
 * Reads `smtp://` or `smtps://`, with user name and password percent-encoded (RFC 3986, section 2.1). The port is 587 (RFC 6409) or 465
 * (RFC 8314) by default. `smtps://` has TLS from the first byte. `smtp://` requires STARTTLS, except on this machine, where it has no TLS;
 * `?tls=always` and `?tls=never` choose otherwise. A password is never sent to another machine without TLS.
 *
 * @returns what is wrong when it is not such an address
 */
export function readSmtpUrl(text: string): SmtpServer | string {
  const [, scheme = '', rest = ''] = /^(smtps?):\/\/(.*)$/is.exec(text) ?? []
  if (scheme === '') return 'must begin with smtp:// or smtps://'
  if (/[\s\p{Cc}\\]/u.test(rest)) return 'must not contain spaces, backslashes or control characters'
  if (rest.includes('#')) return 'must not contain # (in a password write %23)'
  if (/\/[^?]/.test(rest)) return 'must not have a path (in a password write / as %2F)'
  const choice = /^[^?]*(?:\?tls=(always|never))?$/.exec(rest)
  if (choice === null)
    return 'must not have a query but ?tls=always or ?tls=never (in a password write ? as %3F)'
  // Only a scheme that URL knows gets its host normalised. The default port of this one, 21, is no mail server's.
  const url = URL.parse(`ftp://${rest}`)
  if (url === null) return 'is not a URL with a host and a port from 1 to 65535'
  return serverAt(url, scheme.toLowerCase() === 'smtps', choice[1])
}

function serverAt(url: URL, immediate: boolean, choice: string | undefined): SmtpServer | string {
  if (immediate && choice !== undefined) return 'must not have ?tls= with smtps://, which always has TLS'
  const port = url.port === '' ? (immediate ? 465 : 587) : Number(url.port)
  if (port === 0) return 'must not have port 0'
  const named = url.hostname.replace(/^\[|\]$/g, '')
  // No name server is asked for localhost: its answer could be another machine.
  const host = named === 'localhost' ? '127.0.0.1' : named
  const encrypted = choice === undefined ? !isLoopback(host) : choice === 'always'
  const tls = immediate ? 'immediate' : encrypted ? 'starttls' : 'never'
  const credentials = credentialsIn(url)
  if (typeof credentials === 'string') return credentials
  if (credentials !== undefined && tls === 'never' && !isLoopback(host)) {
    return 'must not have ?tls=never with a password: it would cross the network in the clear'
  }
  return { host, port, tls, credentials }
}

function isLoopback(host: string): boolean {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function credentialsIn({ username, password }: URL): SmtpServer['credentials'] | string {
  if (username === '' && password === '') return undefined
  if (username === '' || password === '') return 'must have a password with the user name, or neither'
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
    const broken = /\p{Cc}/u.test(user + pass)
    return broken ? 'must not have control characters in user name or password' : { user, pass }
  } catch {
    return 'must have % in user name or password only before two hexadecimal digits of UTF-8 (write % as %25)'
  }
}
