import { answerRequest, type AnswerOptions } from './answer-request.ts'
import { malformed } from './errors.ts'
import { formOf, namingFiles } from './form.ts'
import { createListParser } from './list-parser.ts'
import {
  readFolder,
  readSecret,
  writeNewSecret,
  type AnswerReceipt,
  type Folder,
  type NewSecret,
  type OpenedSecret,
  type Secret,
} from './objects.ts'
import { openWith, type OpenOptions } from './open-link.ts'
import { dataOf, failureOf, patient, pause, send, type Request } from './request.ts'
import { sealSecret } from './sealed/seal-secret.ts'
import { webUrl } from './web-url.ts'

/** The service, the access token, and how patient the client is. */
export interface ClientOptions {
  /** Where the service is, such as `https://sotto.example.org`. It may have a path, below which `/api` is. */
  readonly baseUrl: string | URL
  /** An access token of an account. */
  readonly token: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How often a request that may be repeated is tried again. Default: 2. */
  readonly retries?: number | undefined
  /** An error that asks to wait longer than this is thrown immediately. Default: 60. */
  readonly maxWaitSeconds?: number | undefined
  /** Waits between two attempts, and rejects with the signal's reason when it is aborted. For tests. */
  readonly wait?: ((seconds: number, signal: AbortSignal | undefined) => Promise<void>) | undefined
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What a call of `createSecret` takes. */
export interface CreateOptions extends CallOptions {
  /**
   * Sent as `Idempotency-Key`: 1 to 255 visible ASCII characters, another random one for each secret, such as `crypto.randomUUID()`. Only
   * with one is the call tried again. For 24 hours the server answers the same key and secret with the secret that it created first; after
   * a `network_failure` the caller can call again with both. The same key with another secret is `key_reused`.
   */
  readonly idempotencyKey?: string | undefined
}

/** A list that is read while it arrives, with `for await`, or as a whole, with `await`. Each use asks the server. */
export interface List<T> extends AsyncIterable<T>, PromiseLike<readonly T[]> {}

/** Every method throws a `SottoError`, or the reason of its signal. */
export interface Client {
  /** Oldest first. */
  listFolders(options?: CallOptions): Promise<readonly Folder[]>
  /**
   * Newest link first, however many there are. A list that is cut off throws; it never ends early. Awaited, it is kept in memory and may have
   * 128 MiB as it is sent; with `for await` 1 GiB. A longer one is a `malformed_answer`.
   */
  listSecrets(options?: CallOptions): List<Secret>
  /** The secret with this id, without its note. Throws `not_found` when it is unknown, expired, a draft, or another account's. */
  getSecret(id: string, options?: CallOptions): Promise<Secret>
  /**
   * Destroys the secret with this id: its link is dead, its note erased. The secret as it was. Throws `not_found` when it is unknown,
   * expired, a draft, another account's, or destroyed already, which an earlier attempt of the same call may have done.
   */
  deleteSecret(id: string, options?: CallOptions): Promise<Secret>
  /** Creates a secret with a link, which is in the answer. Tried again only with an `idempotencyKey`. */
  createSecret(secret: NewSecret, options?: CreateOptions): Promise<Secret>
  /** Opens a link as the function `openLink` does: the access token is not sent. */
  openLink(url: string | URL, options?: Omit<OpenOptions, 'fetch'>): Promise<OpenedSecret>
  /** Answers a request as the function `answerRequest` does: the access token is not sent. */
  answerRequest(
    url: string | URL,
    note: string,
    options?: Omit<AnswerOptions, 'fetch'>,
  ): Promise<AnswerReceipt>
}

/**
 * How long lists may be, in bytes: one that is kept in memory, and one that is read while it arrives. An account of a service with the usual
 * quota has at most 45,000 secrets through the API, whose list has 20 MB.
 */
const [foldersMaxBytes, secretsMaxBytes, streamMaxBytes] = [16 * 1_048_576, 128 * 1_048_576, 1_073_741_824]

/** The requests of the API, below the base address. */
export const operations = {
  listFolders: { method: 'GET', path: '/api/folders' },
  listSecrets: { method: 'GET', path: '/api/secrets' },
  getSecret: { method: 'GET', path: '/api/secret/{id}' },
  deleteSecret: { method: 'DELETE', path: '/api/secret/{id}' },
  createSecret: { method: 'POST', path: '/api/secret' },
} as const

/**
 * Creates a client of one account. It sends nothing yet.
 * @throws TypeError when `baseUrl` is not an http(s) URL or the token cannot be sent
 */
export function createClient(options: ClientOptions): Client {
  const { fetch = globalThis.fetch } = options
  const { retries = patient.retries, maxWaitSeconds = patient.maxWaitSeconds, wait = pause } = options
  const transport = { fetch, retries, maxWaitSeconds, wait }
  const base = webUrl(options.baseUrl)
  const root = base.origin + withoutTrailingSlashes(base.pathname)
  const authorized = { accept: 'application/json', authorization: `Bearer ${options.token}` }
  checkVisible('token', options.token)

  function call(name: keyof typeof operations, { signal }: CallOptions, id = ''): Request {
    const { method, path } = operations[name]
    const url = root + path.replace('{id}', () => encodeURIComponent(id))
    return { method, url, headers: new Headers(authorized), signal, isRepeatable: method !== 'POST' }
  }

  const secrets = (given: CallOptions, maxBytes: number) =>
    entriesOf(() => send(transport, call('listSecrets', given), listBody), readSecret, {
      ...given,
      maxBytes,
    })

  async function create(
    { files = [], ...secret }: Omit<NewSecret, 'sealed'>,
    { idempotencyKey, ...given }: CreateOptions,
  ): Promise<Secret> {
    const fields = writeNewSecret(secret)
    const body = files.length === 0 ? fields : formOf('secret', fields, files)
    const request = { ...call('createSecret', given), body }
    request.headers.set('content-type', body instanceof Blob ? body.type : 'application/json')
    if (idempotencyKey !== undefined) {
      checkVisible('idempotencyKey', idempotencyKey)
      request.headers.set('idempotency-key', idempotencyKey)
    }
    const repeatable = { ...request, isRepeatable: idempotencyKey !== undefined }
    try {
      return await send(transport, repeatable, async (answer) => readSecret(await dataOf(answer)))
    } catch (error) {
      throw await namingFiles(error, files)
    }
  }

  return {
    listFolders: async (given = {}) =>
      collected(
        entriesOf(() => send(transport, call('listFolders', given), listBody), readFolder, {
          ...given,
          maxBytes: foldersMaxBytes,
        }),
      ),
    listSecrets: (given = {}) => ({
      [Symbol.asyncIterator]: () => secrets(given, streamMaxBytes),
      then: (onFulfilled, onRejected) =>
        collected(secrets(given, secretsMaxBytes)).then(onFulfilled, onRejected),
    }),
    getSecret: async (id, given = {}) =>
      send(transport, call('getSecret', given, id), async (answer) => readSecret(await dataOf(answer))),
    deleteSecret: async (id, given = {}) =>
      send(transport, call('deleteSecret', given, id), async (answer) => readSecret(await dataOf(answer))),
    async createSecret({ sealed = false, ...given }, options = {}) {
      if (!sealed) return create(given, options)
      const { secret, key } = await sealSecret(given)
      const { link, ...created } = await create(secret, options)
      return { ...created, link: { ...link, url: `${link.url}#${key}` } }
    },
    openLink: async (url, given = {}) => openWith(transport, url, given),
    answerRequest: (url, note, given = {}) => answerRequest(url, note, { ...given, fetch }),
  }
}

function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (path.endsWith('/', end)) end -= 1
  return path.slice(0, end)
}

/** A runtime's `fetch` would refuse any other header, as if the network had failed. @throws TypeError */
function checkVisible(name: string, value: string): void {
  if (!/^[!-~]*$/.test(value)) throw new TypeError(`${name} must consist of visible ASCII characters`)
}

// eslint-disable-next-line @typescript-eslint/require-await -- what `send` reads with
async function listBody(answer: Response): Promise<ReadableStream<Uint8Array>> {
  const type = answer.headers.get('content-type') ?? ''
  if (answer.body === null || !type.startsWith('application/json')) throw malformed('not JSON')
  return answer.body
}

/** The entries of a list's answer while it arrives. */
async function* entriesOf<T>(
  request: () => Promise<ReadableStream<Uint8Array>>,
  read: (entry: unknown) => T,
  { signal, maxBytes }: CallOptions & { readonly maxBytes: number },
): AsyncGenerator<T, void, undefined> {
  const body = (await request()).getReader()
  const parser = createListParser()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let length = 0
  try {
    for (let isDone = false; !isDone;) {
      const { done, value } = await body.read()
      isDone = done
      length += value?.length ?? 0
      if (length > maxBytes) throw malformed(`longer than ${maxBytes} bytes`)
      for (const entry of parser.push(decoded(decoder, value))) {
        signal?.throwIfAborted()
        yield read(entry)
      }
    }
    parser.end()
  } catch (error) {
    throw failureOf(error, signal)
  } finally {
    // Also when the caller leaves the loop. A stream that failed cannot be cancelled.
    await body.cancel().catch(() => undefined)
  }
}

/** @param bytes `undefined` at the end */
function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw malformed('not UTF-8')
  }
}

async function collected<T>(entries: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = []
  for await (const entry of entries) list.push(entry)
  return list
}
