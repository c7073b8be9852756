import { readOpenedSecret, type OpenedSecret } from './objects.ts'
import { openedFile } from './opened-file.ts'
import { dataOf, onceOnly, patient, send, type Transport } from './request.ts'

/** What opening a link takes. */
export interface OpenOptions {
  /** Ignored when the link asks for none. Without one that it asks for, the error's code is `unauthorized` and nothing is counted. */
  readonly password?: string | undefined
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * Opens a link, which takes no account. This counts as an open, and the last permitted one destroys the note. So it is never tried again:
 * after a `network_failure` the open may be spent.
 * @throws SottoError, with the code `not_found` when there is nothing (or nothing more) to open
 * @throws TypeError when `url` is not an http(s) URL
 */
export async function openLink(url: string | URL, options: OpenOptions = {}): Promise<OpenedSecret> {
  const { fetch = globalThis.fetch } = options
  return openWith({ ...patient, fetch }, url, options)
}

/** @param transport for the files only */
export async function openWith(
  transport: Transport,
  url: string | URL,
  { password, signal }: Omit<OpenOptions, 'fetch'>,
): Promise<OpenedSecret> {
  const { href, origin } = webUrl(url)
  const request = {
    method: 'POST',
    url: href,
    headers: new Headers({ accept: 'application/json', 'content-type': 'application/json' }),
    body: { password },
    signal,
    isRepeatable: false,
  } as const
  const { fetch } = transport
  const read = async (answer: Response) => readOpenedSecret(await dataOf(answer))
  const { files, ...secret } = await send({ ...onceOnly, fetch }, request, read)
  const opened = files.map((file, at) => openedFile(transport, file, { origin, place: at + 1 }))
  return { ...secret, files: opened }
}

/** @throws TypeError */
export function webUrl(text: string | URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TypeError('The address must be an http or https URL without a user name.')
  }
  return url
}
