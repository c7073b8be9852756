import type { SottoError, SottoErrorCode } from '@sotto/client'
import { printable } from '../shared/printable.ts'

/** What a request was for, because the same answer means something else to each. */
export type RemoteWork =
  | 'login'
  | 'share'
  | 'share_with_files'
  | 'open'
  | 'open_with_password'
  | 'download'
  | 'find'
  | 'destroy'
  | 'answer'
  | 'verify'

/** The service refused a request, or could not be asked. */
export interface RemoteFailure {
  readonly code: 'remote_failed'
  readonly work: RemoteWork
  readonly error: SottoError
  /** The files that were sent, as they were named. */
  readonly paths?: readonly string[] | undefined
}

/** What the commands that speak to a service can end with besides. */
export type RemoteError =
  | RemoteFailure
  /** There is nothing, or nothing more, to open. */
  | { readonly code: 'link_gone' }
  /** What was read instead of the key of a link is none. */
  | { readonly code: 'key_invalid' }
  /** What was to be decrypted is not a sealed text. */
  | { readonly code: 'not_sealed' }
  /** A sealed text is under another key or password, or was changed. */
  | { readonly code: 'not_unsealed' }
  /** What answered is not the page of a sealed link as this release makes it. */
  | { readonly code: 'page_differs'; readonly version: string; readonly differences: readonly string[] }
  /** The request cannot be answered, or not any more. */
  | { readonly code: 'request_gone' }
  /** What was read instead of a link is none. */
  | { readonly code: 'link_invalid' }
  /** The account has no secret with this link or id, or no more. */
  | { readonly code: 'target_gone' }
  /** What was read instead of a link or an id is neither. */
  | { readonly code: 'target_invalid' }
  /** No folder has this label or id. */
  | { readonly code: 'folder_unknown'; readonly labels: readonly string[] }
  /** Several folders fit, so one has to be named. */
  | { readonly code: 'folder_ambiguous'; readonly choices: readonly string[] }
  | { readonly code: 'note_unreadable'; readonly detail: string }
  | AttachedUnreadable
  | OutputUnusable
  | StdoutUnusable
  /** The secret is opened, and some of its files were not saved: the name of each, and why. */
  | { readonly code: 'files_not_saved'; readonly faults: readonly string[] }
  | { readonly code: 'link_not_copied'; readonly reason: 'no_program' | 'failed' }
  /** A password or token was to be typed, and there is no terminal. */
  | { readonly code: 'terminal_missing' }
  /** The person typed Ctrl-C or Ctrl-D instead of what was asked for. */
  | { readonly code: 'prompt_left' }
  | { readonly code: 'passwords_differ' }

/** Files cannot be made in the directory of `--output`. */
export interface OutputUnusable {
  readonly code: 'output_unusable'
  readonly path: string
  readonly detail: string
}

/** What `--file` names cannot be sent. */
export interface AttachedUnreadable {
  readonly code: 'attached_unreadable'
  readonly path: string
  readonly detail: string
}

/** An error for standard output on which what is printed once would be lost. */
export interface StdoutUnusable {
  readonly code: 'stdout_unusable'
  readonly detail: string
}

/** Where more is to be said of a code of the client's errors than what the service says itself. */
const texts: Readonly<Partial<Record<SottoErrorCode, (failure: RemoteFailure) => string | undefined>>> = {
  invalid_request: ({ error }) => fieldTexts(error),
  unauthorized: (failure) => unauthorizedTexts[remoteCode(failure)],
  forbidden: ({ work }) =>
    work.startsWith('share')
      ? 'the access token may not do this: sharing needs the scope write, and read to find a folder by its title'
      : work === 'destroy' || work === 'find'
        ? 'the access token may not do this: destroying needs the scope write, and read to find a secret by its link'
        : undefined,
  not_found: ({ work }) =>
    work === 'download'
      ? 'it is gone: the hour is over, or the secret was destroyed'
      : 'the service knows no such path: check the address, which ends before /api',
  request_timeout: () => 'the request took too long to arrive: try again',
  too_large: ({ work, error, paths = [] }) =>
    error.status === undefined
      ? 'a proxy in front of the service takes no request of this length'
      : paths.length > 0
        ? refused(error).replace(/(?<=: )File (\d+)(?= )/, (text, number) =>
            printable(paths[Number(number) - 1] ?? text),
          )
        : `the text is longer than the service takes${work === 'share' ? ': --file sends larger ones' : ''}`,
  url_too_long: () => 'the address is too long',
  rate_limited: ({ work, error }) =>
    `${work.startsWith('open') ? 'the link is locked, or too many requests came' : 'too many requests came'}: ${later(error)}`,
  server_error: () => 'the service failed: its log says why',
  // The error's message says whether the request may have taken effect.
  unavailable: ({ error }) => `the service cannot do it now: ${printable(error.message).replace(/\.$/, '')}`,
  network_failure: networkText,
  file_unreadable: ({ error }) => printable(error.message).replace(/^A (.*)\.$/, 'a $1'),
  key_missing: ({ work }) => `the link lacks its key; ${nothingDone(work)}`,
  key_wrong: ({ work }) => `the key of the link is wrong; ${nothingDone(work)}`,
  undecryptable: ({ work }) =>
    work === 'download'
      ? 'it cannot be decrypted'
      : 'the text cannot be decrypted with the key of the link; it is printed as it is sealed',
  redirected: () => 'the address redirects to another one, which is not followed: use that one',
  malformed_answer: ({ work }) =>
    work === 'download'
      ? 'what the service sent is something else'
      : 'what answers there is not Sotto: check the address',
}

/** The code of a failure. A link answers `unauthorized` for a password that is wrong and for one that is missing. */
export function remoteCode({ work, error: { code } }: RemoteFailure): string {
  if (code !== 'unauthorized') return code
  return work === 'open' ? 'password_missing' : work === 'open_with_password' ? 'password_wrong' : code
}

const unauthorizedTexts: Readonly<Record<string, string>> = {
  password_missing:
    'the link asks for a password: use --password-prompt or --password-stdin; nothing was counted',
  password_wrong: 'the password is wrong; after five wrong ones the link is locked for a while',
  unauthorized: 'the access token is not valid: make another one, and run sotto login',
}

/** A clause without a full stop and without anything confidential. */
export function remoteText(failure: RemoteFailure): string {
  return texts[failure.error.code]?.(failure) ?? refused(failure.error)
}

function nothingDone(work: RemoteWork): string {
  return work === 'answer' ? 'nothing was sent' : 'nothing was opened'
}

function refused({ message }: SottoError): string {
  return `the service refused: ${printable(message).replace(/\.$/, '')}`
}

function later({ retryAfterSeconds }: SottoError): string {
  return retryAfterSeconds === undefined ? 'try again later' : `try again in ${retryAfterSeconds} seconds`
}

/** Errors of a connection that was never made, so that nothing was sent. */
const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

function networkText({ work, error }: RemoteFailure): string {
  const { cause } = (error.cause ?? {}) as { readonly cause?: { readonly code?: unknown } }
  const code = typeof cause?.code === 'string' ? cause.code : undefined
  if (code !== undefined && unconnected.includes(code))
    return `no service answers there (${code}): check the address`
  const reason = code === undefined ? '' : ` (${code})`
  if (work.startsWith('share'))
    return `there was no complete answer${reason}: the secret may have been created`
  if (work === 'answer') return `there was no complete answer${reason}: the text may have been handed in`
  if (work === 'destroy') return `there was no complete answer${reason}: the secret may be destroyed`
  if (['login', 'find', 'download', 'verify'].includes(work)) return `there was no complete answer${reason}`
  return `there was no complete answer${reason}: the link may have been opened`
}

/** Fields by the names under which the command asks for them. */
const fieldNames: Readonly<Record<string, string>> = {
  label: '--label',
  note: 'the text',
  folder_id: '--folder',
  files: '--file',
  open_limit: '--open-limit',
  password: 'the password',
}

function fieldTexts({ errors = {} }: SottoError): string | undefined {
  const faults = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((message) => printable(`${fieldNames[field] ?? field} ${message}`)),
  )
  return faults.length === 0 ? undefined : faults.join('; ')
}
