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

/** Whether a media type is JSON in UTF-8. */
export function isJsonType(type: string): boolean {
  return parametersOf(type, 'application/json', ['charset']) !== undefined
}

/** How the headers of a request declare its body as uncompressed `multipart/form-data`: with this boundary, or with none that is valid. */
export function multipartOf(
  request: Pick<IncomingMessage, 'rawHeaders'>,
): { readonly boundary: string | undefined } | undefined {
  const [type = '', ...others] = headerValues(request, 'content-type')
  if (others.length > 0 || !/^multipart\/form-data(?=$|[ \t;])/i.test(type)) return undefined
  if (headerValues(request, 'content-encoding').length > 0) return undefined
  const boundary = parametersOf(type, 'multipart/form-data', ['boundary', 'charset'])?.get('boundary')
  return { boundary: boundary !== undefined && boundaryShape.test(boundary) ? boundary : undefined }
}

/** The grammar of RFC 2046, section 5.1.1. */
const boundaryShape = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/**
 * The parameters of a media type (RFC 9110, section 8.3.1), by lower-case name; `undefined` for another type, for parameters that are not
 * `known`, for one that is there twice, and for another charset than UTF-8.
 */
function parametersOf(
  type: string,
  essence: string,
  known: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const rest = type.slice(essence.length)
  if (type.slice(0, essence.length).toLowerCase() !== essence || !/^(?:$|[ \t;])/.test(rest)) return undefined
  const parameters = new Map<string, string>()
  parameter.lastIndex = 0
  while (parameter.lastIndex < rest.length) {
    const found = parameter.exec(rest)
    if (found === null) return undefined
    const [, given, value = ''] = found
    if (given === undefined) continue
    const name = given.toLowerCase()
    if (!known.includes(name) || parameters.has(name)) return undefined
    parameters.set(name, unquoted(value))
  }
  return (parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8' ? parameters : undefined
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
