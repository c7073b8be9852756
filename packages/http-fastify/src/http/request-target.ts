/** Headers above this size, URL included, are answered with 431. */
export const headersMaxBytes = 16 * 1024

/** URLs above this length (bytes; a URL in a request is ASCII) are answered with 414. */
export const urlMaxBytes = 2_048

const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * The path and query that a request is routed by. Every request gets a path that the router can decode, so that hooks run and it is
 * answered like any other:
 * - the origin is removed from the absolute form (RFC 9112, section 3.2.2);
 * - any other form (`*`, an authority) becomes an unknown path;
 * - percent signs that do not begin valid UTF-8 are taken literally.
 */
export function routableUrl(url: string): string {
  const target = absoluteForm.exec(url)?.[2] ?? url
  return readablePath(target.startsWith('/') ? target : `/${target}`)
}

/** The authority of a request in absolute form; `undefined` for any other form. It takes precedence over the Host header. */
export function authorityOf(url: string): string | undefined {
  return url.startsWith('/') ? undefined : absoluteForm.exec(url)?.[1]
}

/** The path of a routable URL, without its query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

function readablePath(url: string): string {
  if (!url.includes('%')) return url
  const path = pathOf(url)
  return path.replace(/(?:%[0-9a-f]{2})+|%/gi, escapeUnreadable) + url.slice(path.length)
}

function escapeUnreadable(escapes: string): string {
  try {
    decodeURIComponent(escapes)
    return escapes
  } catch {
    return escapes.replaceAll('%', '%25')
  }
}
