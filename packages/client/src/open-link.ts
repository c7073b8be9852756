import { lockOf, proofOf, readKey, type Bytes } from '@sotto/sealed'
import { bareLink } from './bare-link.ts'
import { SottoError } from './errors.ts'
import { readIsSealed, readOpenedSecret, type OpenedSecret } from './objects.ts'
import { openedFile } from './opened-file.ts'
import { openSealed, undecryptable } from './sealed/open-sealed.ts'
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
 * The longest answer of an open, in bytes: a note of 1 MiB, the most that a server can be set to, each byte of which is at most six in JSON,
 * and the names and addresses of ten files.
 */
const openedMaxBytes = 7 * 1_048_576

/**
 * Opens a link, which takes no account. This counts as an open, and the last permitted one destroys the note. So it is never tried again:
 * after a `network_failure` the open may be spent. A sealed secret is decrypted with the key in the fragment of its link, which is not sent.
 * @throws SottoError, with the code `not_found` when there is nothing (or nothing more) to open
 * @param url the link; what a text puts around it, such as `<…>` or a full stop, is left aside
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
  const link = bareLink(url)
  const key = readKey(link.hash.slice(1))
  link.hash = ''
  const lock =
    key !== undefined && (await isSealed(transport, link, signal)) ? await lockOf(key, password) : undefined
  const proof = key !== undefined && lock !== undefined ? await proofOf(key) : undefined
  const request = {
    method: 'POST',
    url: link.href,
    headers: new Headers({ accept: 'application/json', 'content-type': 'application/json' }),
    body: { password: lock === undefined ? password : lock.password, proof },
    signal,
    isRepeatable: false,
  } as const
  const { fetch } = transport
  const read = async (answer: Response) => readOpenedSecret(await dataOf(answer, openedMaxBytes))
  const { files, ...secret } = await send({ ...onceOnly, fetch }, request, read).catch((error: unknown) => {
    throw namingKey(error, key)
  })
  const { origin } = link
  const opened = files.map((file, at) => openedFile(transport, file, { origin, place: at + 1 }))
  if (secret.sealed !== true) return { ...secret, files: opened }
  if (lock === undefined) throw undecryptable('The text', secret.note)
  return { ...secret, ...(await openSealed(lock, secret.note, opened)) }
}

/** Whether the link is of a sealed secret: its password is another one then. Asking spends nothing. */
function isSealed(
  transport: Transport,
  { href: url }: URL,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const headers = new Headers({ accept: 'application/json' })
  return send(transport, { method: 'GET', url, headers, signal, isRepeatable: true }, async (answer) =>
    readIsSealed(await dataOf(answer)),
  )
}

/** A link refuses with this status only what lacks its key. */
function namingKey(error: unknown, key: Bytes | undefined): unknown {
  if (!(error instanceof SottoError) || error.status !== 403) return error
  return key === undefined
    ? new SottoError('key_missing', 'The link lacks its key. Nothing was opened.', { status: 403 })
    : new SottoError('key_wrong', 'The key of the link is wrong. Nothing was opened.', { status: 403 })
}
