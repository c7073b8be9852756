import { webUrl } from './web-url.ts'

/** What a text puts around a link: RFC 3986, appendix C, quotation marks and brackets. */
const leading = /^[<("'[\s]+/

/** A token, and what mail programs and chats take into a link behind it. A server of Sotto reads its paths in the same way. */
const link = /^(.*\/)([\w-]{43})[.,)>\u2026"'/\]]*$/

/**
 * The link in a text that a person has copied together with what is around it: `<…>`, brackets, quotation marks, punctuation, a slash. All
 * that read a link take this one. Whether the link exists is not asked. A URL that is not a link of Sotto's stays as it is.
 * @throws TypeError when it is not an http(s) URL
 */
export function bareLink(text: string | URL): URL {
  const url = webUrl(typeof text === 'string' ? text.replace(leading, '').trimEnd() : text)
  const [, before, token] = link.exec(decoded(url.pathname)) ?? []
  if (before === undefined || token === undefined) return url
  const bare = new URL(url)
  bare.pathname = before + token
  return bare
}

/** The decoded path, or the path as it is when it cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
