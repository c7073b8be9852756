import { bareLink } from './bare-link.ts'
import { readAnswerReceipt, type AnswerReceipt } from './objects.ts'
import type { OpenOptions } from './open-link.ts'
import { dataOf, onceOnly, send } from './request.ts'

/** What answering a request takes. */
export type AnswerOptions = Omit<OpenOptions, 'password'>

/**
 * Hands in a text to whoever asked for it with this link, which takes no account. It is never tried again: after a `network_failure` the text
 * may have been handed in.
 * @param note at least one byte of UTF-8 and at most as many as the server allows, usually 65,536
 * @throws SottoError, with the code `not_found` when the request is closed, over or answered, and `rate_limited` after too many answers from
 * this address
 * @throws TypeError when `url` is not an http(s) URL
 */
export async function answerRequest(
  url: string | URL,
  note: string,
  { signal, fetch = globalThis.fetch }: AnswerOptions = {},
): Promise<AnswerReceipt> {
  const request = {
    method: 'POST',
    url: bareLink(url).href,
    headers: new Headers({ accept: 'application/json', 'content-type': 'application/json' }),
    body: { note },
    signal,
    isRepeatable: false,
  } as const
  return send({ ...onceOnly, fetch }, request, async (answer) => readAnswerReceipt(await dataOf(answer)))
}
