import { markup, type Html } from './html.ts'

/** One address that needs no quoting (RFC 5321, section 4.1.2, dot-atom), without what a mailto URL reads in its own way. */
const email = /^[a-z0-9._+-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i

/** A link to an email address or to an http(s) URL; `undefined` for anything else. */
export function contactLink(text: string): Html | undefined {
  if (email.test(text)) return markup`<a href="mailto:${text}">${text}</a>`
  if (text.length > 500 || !/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { username, password, host, pathname, href } = new URL(text)
  if (username !== '' || password !== '') return undefined
  return markup`<a href="${href}">${pathname === '/' ? host : host + pathname}</a>`
}
