import type { IncomingMessage } from 'node:http'
import { headerValues } from './header-values.ts'

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
