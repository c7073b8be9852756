import type { IncomingHttpHeaders } from 'node:http'

/**
 * What the conditions of a request for something that is there mean (RFC 9110, section 13.2.2): `failed` is a 412, `unchanged` a 304. Nothing
 * has a date here, so conditions with one are ignored.
 * @param etag a strong entity tag without a comma
 */
export function conditionOf(headers: IncomingHttpHeaders, etag: string): 'failed' | 'unchanged' | undefined {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers
  if (match !== undefined && !isNamed(match, [etag])) return 'failed'
  return noneMatch !== undefined && isNamed(noneMatch, [etag, `W/${etag}`]) ? 'unchanged' : undefined
}

/** The `Range` of a request, unless `If-Range` names something else (RFC 9110, section 13.1.5). GET alone has ranges. */
export function rangeField(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  etag: string,
): string | undefined {
  const ifRange = headers['if-range']
  return method === 'GET' && (ifRange === undefined || ifRange === etag) ? headers.range : undefined
}

function isNamed(list: string, etags: readonly string[]): boolean {
  return list.split(',').some((part) => ['*', ...etags].includes(part.trim()))
}
