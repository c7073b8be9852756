import { bareLink } from './bare-link.ts'
import { formOf, namingFiles } from './form.ts'
import { readAnswerReceipt, type AnswerReceipt } from './objects.ts'
import type { OpenOptions } from './open-link.ts'
import { dataOf, onceOnly, send } from './request.ts'
import { sealAnswer } from './sealed/seal-answer.ts'

/** What answering a request takes. */
export interface AnswerOptions extends Omit<OpenOptions, 'password'> {
  /** The files that go with the text, where the request takes some: `File` of the platform, up to 10. */
  readonly files?: readonly File[] | undefined
}

/**
 * Hands in a text to whoever asked for it with this link, which takes no account. It is never tried again: after a `network_failure` the text
 * may have been handed in. The request is looked at first: where it asks for encrypted answers, text, files and their names are encrypted
 * with its key and what the fragment of its link has, which is not sent.
 * @param note at most as many bytes of UTF-8 as the server allows, usually 65,536; empty only where there is a file
 * @throws SottoError, with the code `not_found` when the request is closed, over or answered, `rate_limited` after too many answers from
 * this address, `unsupported_media_type` for files where the request takes none, and `too_large` or `no_room` where there is no room for them;
 * `key_missing` when the link lacks its fragment, and `key_wrong` when it has one that the request has no use for: then nothing was sent
 * @throws TypeError when `url` is not an http(s) URL
 */
export async function answerRequest(
  url: string | URL,
  note: string,
  { files = [], signal, fetch = globalThis.fetch }: AnswerOptions = {},
): Promise<AnswerReceipt> {
  const link = bareLink(url)
  const answer = await sealAnswer({ fetch }, link, { note, files }, signal)
  link.hash = ''
  const fields = { note: answer.note }
  const body = answer.files.length === 0 ? fields : formOf('answer', fields, answer.files)
  const type = body instanceof Blob ? body.type : 'application/json'
  const request = {
    method: 'POST',
    url: link.href,
    headers: new Headers({ accept: 'application/json', 'content-type': type }),
    body,
    signal,
    isRepeatable: false,
  } as const
  try {
    return await send({ ...onceOnly, fetch }, request, async (received) =>
      readAnswerReceipt(await dataOf(received)),
    )
  } catch (error) {
    throw await namingFiles(error, files)
  }
}
