import { readOpenedSecret, type OpenedSecret } from './objects.ts'
import { dataOf, onceOnly, send } from './request.ts'

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
  const { password, signal, fetch = globalThis.fetch } = options
  const request = {
    method: 'POST',
    url: webUrl(url).href,
    headers: new Headers({ accept: 'application/json', 'content-type': 'application/json' }),
    body: { password },
    signal,
    isRepeatable: false,
  } as const
  return send({ ...onceOnly, fetch }, request, async (answer) => readOpenedSecret(await dataOf(answer)))
}

/** @throws TypeError */
export function webUrl(text: string | URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new TypeError('The address must be an http or https URL without a user name.')
  }
  return url
}
