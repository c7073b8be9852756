import { errorOfAnswer, malformed, SottoError } from './errors.ts'

/** One call of the API or of a link. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Headers
  /** A blob is sent as it is, everything else as JSON. */
  readonly body?: object
  readonly signal?: AbortSignal | undefined
  /** Whether the server may receive the request more than once. */
  readonly isRepeatable: boolean
}

export interface Transport {
  readonly fetch: typeof globalThis.fetch
  readonly retries: number
  readonly maxWaitSeconds: number
  readonly wait: (seconds: number, signal: AbortSignal | undefined) => Promise<void>
}

/** What is usual. */
export const patient = { retries: 2, maxWaitSeconds: 60, wait: pause }

/** Never repeats a request. */
export const onceOnly = { retries: 0, maxWaitSeconds: 0, wait: pause }

/**
 * Sends a request and reads its answer with `read`. Repeats a repeatable one after a network failure, and when the answer says when to
 * come back and that is soon enough.
 */
export async function send<T>(
  transport: Transport,
  request: Request,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await read(await answerTo(request, transport.fetch))
    } catch (error) {
      const failure = failureOf(error, request.signal)
      const seconds = request.isRepeatable ? secondsBefore(attempt, failure) : Infinity
      if (attempt >= transport.retries || seconds > transport.maxWaitSeconds) throw failure
      await transport.wait(seconds, request.signal)
    }
  }
}

/** No answer but that of an open is longer, in bytes: a secret or folder has a label of 255 characters, a problem a few sentences. */
const answerMaxBytes = 65_536

/**
 * The `data` of an answer that is read as a whole.
 * @param maxBytes a longer answer is not read to its end, and is none of Sotto's
 */
export async function dataOf(answer: Response, maxBytes = answerMaxBytes): Promise<unknown> {
  const text = await textOf(answer, maxBytes)
  if (text === undefined) throw malformed(`longer than ${maxBytes} bytes`)
  try {
    const body = JSON.parse(text) as { readonly success?: unknown; readonly data?: unknown } | null
    if (body?.success === true) return body.data
  } catch {
    // This text counts as any other that is no answer.
  }
  throw malformed(`status ${answer.status}`)
}

/** The body as text; `undefined` when it is longer, of which nothing further is read. */
async function textOf({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for (let read = await reader.read(); read.value !== undefined; read = await reader.read()) {
    length += read.value.length
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined)
      return undefined
    }
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}

/**
 * What a call throws: the reason of an aborted signal, or else a `SottoError`. Whatever `fetch` and its streams throw is a failure of the
 * network.
 */
export function failureOf(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof SottoError) return error
  // Node.js reports the cause like this. A browser does not say what it was.
  const { cause } = error as { readonly cause?: { readonly name?: unknown; readonly message?: unknown } }
  if (cause?.message === 'unexpected redirect') return redirected()
  if (cause?.name === 'NotReadableError')
    return new SottoError('file_unreadable', 'A file cannot be read, or has changed.', { cause: error })
  return new SottoError('network_failure', 'There was no complete answer.', { cause: error })
}

/** An answer that is a success, before its body has arrived. */
export async function answerTo(request: Request, fetch: Transport['fetch']): Promise<Response> {
  const { method, url, headers, body, signal = null } = request
  const isBlob = body instanceof Blob
  const answer = await fetch(url, {
    method,
    headers,
    body: isBlob ? body : body === undefined ? null : JSON.stringify(body),
    signal,
    // Following would hand the token or the password to another host. A browser hides where the redirect leads.
    // Unless a redirect is an error, Node.js keeps all of a body that it sends, to be able to send it again.
    redirect: isBlob ? 'error' : 'manual',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  })
  if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)) {
    await answer.body?.cancel()
    throw redirected()
  }
  if (!answer.ok) throw errorOfAnswer(answer, (await textOf(answer, answerMaxBytes)) ?? '')
  return answer
}

function redirected(): SottoError {
  return new SottoError('redirected', 'The address redirects to another one, which is not followed.')
}

/** How long to wait before the next attempt; without end for an error that another attempt does not change. */
export function secondsBefore(attempt: number, error: unknown): number {
  if (!(error instanceof SottoError)) return Infinity
  return error.code === 'network_failure' ? 0.5 * 2 ** attempt : (error.retryAfterSeconds ?? Infinity)
}

export function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
