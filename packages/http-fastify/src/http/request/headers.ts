import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/**
 * Every value of a header, in the order of its lines. In `headers` Node keeps only the first of two Host, Authorization or Content-Type
 * lines, while a proxy in front of the server may have used the other one.
 */
export function headerValues(
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  lowerCaseName: string,
): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) {
      values.push(rawHeaders[at + 1] ?? '')
    }
  }
  return values
}

const token = "[!#$%&'*+.^_`|~0-9a-z-]+"
const quoted = '"(?:[\\t !#-\\[\\]-~\\x80-\\xff]|\\\\[\\t -~\\x80-\\xff])*"'
const parameter = new RegExp(`[ \\t]*;[ \\t]*(?:(${token})=(${token}|${quoted}))?`, 'iy')

/**
 * Whether the headers declare the body as uncompressed JSON in UTF-8: one Content-Type `application/json`, with no parameter other than
 * `charset=utf-8`, and no Content-Encoding.
 */
export function isPlainJson(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const [type, ...others] = headerValues(request, 'content-type')
  if (type === undefined || others.length > 0) return false
  return headerValues(request, 'content-encoding').length === 0 && isJsonType(type)
}

/** Reads the grammar of RFC 9110, section 8.3.1. */
function isJsonType(type: string): boolean {
  const essence = /^application\/json(?=$|[ \t;])/i.exec(type)?.[0]
  if (essence === undefined) return false
  let charsets = 0
  parameter.lastIndex = essence.length
  while (parameter.lastIndex < type.length) {
    const found = parameter.exec(type)
    if (found === null) return false
    const [, name, value = ''] = found
    if (name === undefined) continue
    charsets += 1
    if (name.toLowerCase() !== 'charset' || unquoted(value).toLowerCase() !== 'utf-8') return false
  }
  return charsets <= 1
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
}

const formType = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i

/** Whether the headers declare the body as an uncompressed form in UTF-8, as a browser sends it unless a page asks for another type. */
export function isPlainForm(request: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  const [type, ...others] = headerValues(request, 'content-type')
  if (type === undefined || others.length > 0) return false
  return headerValues(request, 'content-encoding').length === 0 && formType.test(type)
}

/** Whether a body follows the head of a request. */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  return coding !== undefined || (length !== undefined && length !== '0')
}

/**
 * Whether a POST comes from a page of another origin, or from one that hides its origin, so that it must change nothing. Modern
 * browsers give the relation in `Sec-Fetch-Site` (W3C Fetch Metadata); older ones, and all of them on plain http, give the `Origin`
 * (RFC 6454). A client that sends neither is not a browser, so nobody can make it send the request unknowingly.
 *
 * @param ownOrigin the configured origin of the page, never one from the request
 */
export function isCrossSite(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin'
  return headers.origin !== undefined && headers.origin !== ownOrigin
}
