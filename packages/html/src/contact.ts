import { emailError } from '@sotto/core'
import { markup, type Html } from './html.ts'

/** Text without the characters that a mailto URL reads in its own way. */
const mailtoText = /^[a-z0-9._+@-]+$/i

/** A link to an email address or to an http(s) URL; `undefined` for anything else. */
export function contactLink(text: string): Html | undefined {
  if (mailtoText.test(text) && emailError(text) === undefined)
    return markup`<a href="mailto:${text}">${text}</a>`
  if (text.length > 500 || !/^https?:\/\/[!-~]+$/i.test(text) || !URL.canParse(text)) return undefined
  const { username, password, host, pathname, href } = new URL(text)
  if (username !== '' || password !== '') return undefined
  return markup`<a href="${href}">${pathname === '/' ? host : host + pathname}</a>`
}
