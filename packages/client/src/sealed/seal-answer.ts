import { keyText, listOf, readKey, sealAnswer as seal } from '@sotto/sealed'
import { SottoError } from '../errors.ts'
import { readRequestKey } from '../objects.ts'
import { dataOf, patient, send, type Transport } from '../request.ts'
import { sealFiles, unsealable } from './seal-files.ts'

/** An answer as it is sent. */
interface Answer {
  readonly note: string
  readonly files: readonly File[]
}

/**
 * Encrypts an answer where its request asks for that, which it is asked for first; else it stays as it is.
 * @param link the link of a request; what its fragment has authenticates the answer, and is not sent
 * @throws SottoError `key_missing` when the fragment lacks it, `key_wrong` when it has one, and the request is none whose answers are encrypted
 */
export async function sealAnswer(
  { fetch }: Pick<Transport, 'fetch'>,
  link: URL,
  answer: Answer,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const auth = readKey(link.hash.slice(1))
  const { origin, pathname, search } = link
  const url = `${origin}${pathname}${search}`
  const headers = new Headers({ accept: 'application/json' })
  const asked = { method: 'GET', url, headers, signal, isRepeatable: true } as const
  const key = await send({ ...patient, fetch }, asked, async (read) => readRequestKey(await dataOf(read)))
  if (key === undefined) {
    if (auth === undefined) return answer
    // Somebody made the link for encrypted answers: whoever says otherwise now would read this one.
    throw new SottoError('key_wrong', 'The request does not ask for encrypted answers. Nothing was sent.')
  }
  if (auth === undefined) throw new SottoError('key_missing', 'The link lacks its key. Nothing was sent.')
  const content = { text: answer.note, files: listOf(answer.files) }
  const note = await seal({ key, auth: keyText(auth) }, content)
  if (note === undefined) throw unsealable(content)
  return { note, files: await sealFiles(content.files, answer.files) }
}
