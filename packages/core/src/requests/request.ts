import type { OpaqueToken } from '../shared/opaque-token.ts'
import type { Uuid } from '../shared/uuid.ts'

/** How long a request can be answered at most: 30 days, in seconds. */
export const requestLifetimeMaxSeconds = 2_592_000

/** How long a request can be answered unless its owner chooses otherwise: 7 days, in seconds. */
export const defaultRequestLifetimeSeconds = 604_800

/** How many answers a request may allow. */
export const answersAllowedMax = 100

/** The key of a request: a point of P-256 that is not compressed, 65 bytes in base64url without padding. Its first byte is 4. */
export const requestKeyShape = /^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$/

/**
 * What an owner asks somebody without an account for. Whoever has its link may hand in an answer, which becomes a draft in its folder with
 * the request's title. The token opens nothing.
 */
export interface SecretRequest {
  readonly id: Uuid
  readonly folderId: Uuid
  readonly title: string
  /** What is to be handed in; may be empty. */
  readonly text: string
  /** How many answers it takes, 1 to {@link answersAllowedMax}. */
  readonly answersAllowed: number
  /** Answers so far. */
  readonly answers: number
  readonly createdAtMicros: number
  /** The time from which nobody can answer it, and its owner does not see it any more. */
  readonly closesAtMicros: number
  /** When its owner closed it; `undefined` when that did not happen. */
  readonly closedAtMicros: number | undefined
  /** Whether the owner hears of answers, and of none. */
  readonly notify: boolean
  /** Whether an answer may have files, where the installation takes any. */
  readonly takesFiles: boolean
  /** Only of a request whose answers are encrypted for its owner alone: what they are encrypted with, see {@link requestKeyShape}. */
  readonly key?: string
  /** The link with which an answer is handed in. Confidential. */
  readonly link: { readonly token: OpaqueToken }
}

/** What is encrypted of a request. */
export type RequestContent = Pick<SecretRequest, 'title' | 'text' | 'link' | 'key'>

/**
 * What is encrypted, as one text: the token, with a key a full stop and the key, a space, the title, a line feed, the text. A title has no
 * line feed.
 */
export function requestContentText({ link, title, text, key }: RequestContent): string {
  return `${link.token}${key === undefined ? '' : `.${key}`} ${title}\n${text}`
}

/** Reads what {@link requestContentText} wrote; `undefined` when it is something else. */
export function parseRequestContent(content: string): RequestContent | undefined {
  const [, token, key, title, text] = /^([\w-]{43})(?:\.([\w-]{87}))? ([^\n]+)\n(.*)$/su.exec(content) ?? []
  if (token === undefined || title === undefined || text === undefined) return undefined
  return { link: { token }, title, text, ...(key !== undefined && { key }) }
}
