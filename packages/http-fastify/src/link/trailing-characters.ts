import { isLinkToken, type LinkToken } from '@sotto/core'

const tokenLength = 43

/** What mail programs and chats take into a link, as in `bareLink` of the client. None of these characters can be in a token. */
const trailing = /^[.,)>\u2026"'/\]]+$/

/**
 * The token of a path that goes on after it with punctuation from the text around the link, and nothing else; `undefined` for any other path.
 * @param path decoded, without the slash at its beginning
 */
export function tokenBeforePunctuation(path: string): LinkToken | undefined {
  const token = path.slice(0, tokenLength)
  return isLinkToken(token) && trailing.test(path.slice(tokenLength)) ? token : undefined
}
