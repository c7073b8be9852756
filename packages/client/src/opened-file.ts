import { malformed, SottoError } from './errors.ts'
import { answerTo, failureOf, secondsBefore, type Transport } from './request.ts'

/** A file of a secret that was opened. */
export interface OpenedFile {
  /**
   * Can name a file in a directory: no separator, no character that controls a terminal or the direction of text, neither `.` nor `..`, at
   * most 255 bytes of UTF-8. It can begin with a dot. A service of Sotto sends no other name; one that does gets `file-1`, by the place in
   * the list.
   */
  readonly name: string
  /** The file's size, in bytes. */
  readonly size: number
  /** The media type that the sender gave, which says nothing certain about the content. */
  readonly type: string
  /** Where the bytes are for an hour after the open. Whoever has it has them. */
  readonly url: string
  /**
   * The file's bytes, asked for while they are read. No further open is counted, so it can be called again within the hour. A download that
   * is interrupted goes on from where it stopped. The stream fails with what a call throws: with a `SottoError` also when there are more or
   * less bytes than `size`, or with the reason of its signal.
   */
  stream(options?: { readonly signal?: AbortSignal | undefined }): ReadableStream<Uint8Array<ArrayBuffer>>
}

/** A file as a link answers it. */
export type SentFile = Pick<OpenedFile, 'name' | 'size' | 'type' | 'url'>

/** The largest file that a server can be set to take, which is how much of one is read at most. */
const fileMaxBytes = 1_099_511_627_776

/** How often the download of one file goes on after an interruption, however much arrives in between. */
const continuationsMax = 20

/**
 * @param file what the link answered
 * @param origin of the link: no other is asked for the file
 * @param place in the list, from 1
 */
export function openedFile(
  transport: Transport,
  file: SentFile,
  { origin, place }: { readonly origin: string; readonly place: number },
): OpenedFile {
  return {
    ...file,
    name: shownName(file.name, place),
    stream({ signal } = {}) {
      const stop = new AbortController()
      const signals = signal === undefined ? [stop.signal] : [stop.signal, signal]
      const bytes = bytesOf(transport, file, { origin, signal: AbortSignal.any(signals) })
      return new ReadableStream(
        {
          async pull(controller) {
            const { done, value } = await bytes.next()
            if (done === true) controller.close()
            else controller.enqueue(value)
          },
          cancel: () => stop.abort(),
        },
        { highWaterMark: 0 },
      )
    },
  }
}

/** The name of a file, or one by its place in the list, from 1, where it may not be saved under its own. */
export function shownName(name: string, place: number): string {
  return isFileName(name) ? name : `file-${place}`
}

/** Whether a file may be saved under this name. The rule of Sotto's core for new files is stricter about what nobody sees inside a name. */
export function isFileName(name: string): boolean {
  if (/^\.{0,2}$|[/\\\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}\p{Bidi_Control}]/u.test(name)) return false
  if (!/[^\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)) return false
  return new TextEncoder().encode(name).length <= 255
}

async function* bytesOf(
  transport: Transport,
  { url, size }: SentFile,
  { origin, signal }: { readonly origin: string; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (!Number.isSafeInteger(size) || size < 0 || size > fileMaxBytes) throw malformed('no size of a file')
  if (!URL.canParse(url) || new URL(url).origin !== origin) throw malformed('a file at another address')
  const download: Download = { url, size, at: 0, etag: undefined }
  for (let attempt = 0, continuations = 0; ; attempt += 1, continuations += 1) {
    try {
      for await (const piece of restOf(transport, download, signal)) {
        download.at += piece.length
        if (download.at > size) throw malformed('a file is longer than it should be')
        attempt = 0
        yield piece
      }
      if (download.at === size) return
      throw new SottoError('network_failure', 'A file was cut off.')
    } catch (error) {
      const failure = failureOf(error, signal)
      const isCut = failure instanceof SottoError && failure.code === 'network_failure'
      if (isCut && download.at === size) return // all of it had arrived
      const seconds = secondsBefore(attempt, failure)
      const isLast = attempt >= transport.retries || continuations >= continuationsMax
      if (isLast || seconds > transport.maxWaitSeconds) throw failure
      await transport.wait(seconds, signal)
    }
  }
}

interface Download {
  readonly url: string
  readonly size: number
  /** How many bytes have arrived. */
  at: number
  /** The entity tag of the first answer, if it is a strong one. */
  etag: string | undefined
}

/** What has not arrived yet, in one answer. */
async function* restOf(
  { fetch }: Transport,
  download: Download,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { url, size, at, etag } = download
  const headers = new Headers({ accept: 'application/octet-stream, application/json;q=0.9' })
  if (at > 0) headers.set('range', `bytes=${at}-`)
  if (at > 0 && etag !== undefined) headers.set('if-range', etag)
  const answer = await answerTo({ method: 'GET', url, headers, signal, isRepeatable: true }, fetch)
  const range = answer.status === 206 ? answer.headers.get('content-range') : null
  const isRest = at === 0 ? answer.status === 200 : range === `bytes ${at}-${size - 1}/${size}`
  const body = answer.body?.getReader()
  try {
    if (!isRest) throw malformed('not the rest of a file')
    if (at === 0) download.etag = /^".*"$/.exec(answer.headers.get('etag') ?? '')?.[0]
    for (let read = await body?.read(); read?.done === false; read = await body?.read()) yield read.value
  } finally {
    // Also when the reader has left. A stream that failed cannot be cancelled.
    await body?.cancel().catch(() => undefined)
  }
}
