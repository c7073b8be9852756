import type { WireAnswerReceipt, WireFolder, WireNewSecret, WireOpenedSecret, WireSecret } from '@sotto/wire'
import { malformed } from './errors.ts'
import type { OpenedFile, SentFile } from './opened-file.ts'

// Every time is ISO 8601, UTC, with six digits: `2026-11-20T09:30:00.000000Z`. A `Date` would lose three of them.

/** A folder of the account. `createdAt` is ISO 8601 in UTC, with six digits after the second. */
export interface Folder {
  readonly id: string
  readonly label: string
  readonly createdAt: string
  readonly draftsCount: number
  readonly secretsCount: number
}

/** A shareable secret, without its note and password. */
export interface Secret {
  readonly id: string
  readonly label: string
  readonly expiresAt: string
  readonly folderId: string
  readonly createdAt: string
  /** `url` is what the recipient gets. Of a sealed secret it has its key in the answer of `createSecret` only: nobody else has it. */
  readonly link: { readonly url: string; readonly createdAt: string }
  /** Only of a sealed secret: what it contains is encrypted, and the service cannot read it. */
  readonly sealed?: true
}

/** What a secret is created from. */
export interface NewSecret {
  /** 1 to 255 characters, nothing invisible. */
  readonly label: string
  /**
   * The confidential text, at least one byte of UTF-8 and at most as many as the server allows, usually 65,536. It may be empty or missing
   * where there is a file, and only there.
   */
  readonly note?: string | undefined
  readonly folderId: string
  /** How often the link can be opened; 0, the default, means without limit. */
  readonly openLimit?: number | undefined
  /** Default: false. */
  readonly notify?: boolean | undefined
  /** 1 to 1,024 bytes of UTF-8. Without one, anybody who has the link can open it. */
  readonly password?: string | undefined
  /**
   * At most 10, usually of 26,214,400 bytes each. They are read while they are sent, and again when they have to be sent again. In Node.js
   * `new File([await openAsBlob(path)], name)` is a file that is not read before.
   */
  readonly files?: readonly File[] | undefined
  /**
   * Encrypts text, files and their names before they are sent, under a key that only the link in the answer has. Sealed files are kept in
   * memory until they are sent. Each call seals anew, so the same `idempotencyKey` can be used for one call only. Default: false.
   */
  readonly sealed?: boolean | undefined
}

/** What a recipient gets. `expiresAt` is ISO 8601 in UTC, with six digits after the second. */
export interface OpenedSecret {
  readonly label: string
  /** Exactly as it was stored; empty where its files say it all. */
  readonly note: string
  /** `null` means without limit. */
  readonly opensLeft: number | null
  readonly expiresAt: string
  readonly files: readonly OpenedFile[]
  /** Only of a secret that was sealed, and is decrypted here. */
  readonly sealed?: true
}

/** The receipt of an answer to a request. `receivedAt` is ISO 8601 in UTC, with six digits after the second. */
export interface AnswerReceipt {
  readonly receivedAt: string
}

type WireOpenedText = Omit<WireOpenedSecret, 'files' | 'sealed'>
type WirePlainSecret = Omit<WireSecret, 'sealed'>
type WireOpenedFile = NonNullable<WireOpenedSecret['files']>[number]

type Kind = 'string' | 'number' | 'number or null'
interface Shape {
  readonly [name: string]: Kind | Shape
}
/** A shape that names each field of a type, and no other. */
type ShapeOf<T> = { readonly [Name in keyof T]-?: T[Name] extends object ? ShapeOf<T[Name]> : Kind }

const folder = {
  id: 'string',
  label: 'string',
  created_at: 'string',
  drafts_count: 'number',
  secrets_count: 'number',
} as const satisfies ShapeOf<WireFolder>

const secret = {
  id: 'string',
  label: 'string',
  expires_at: 'string',
  folder_id: 'string',
  created_at: 'string',
  link: { url: 'string', created_at: 'string' },
} as const satisfies ShapeOf<WirePlainSecret>

const openedSecret = {
  label: 'string',
  note: 'string',
  opens_left: 'number or null',
  expires_at: 'string',
} as const satisfies ShapeOf<WireOpenedText>

const openedFile = {
  name: 'string',
  size: 'number',
  type: 'string',
  url: 'string',
} as const satisfies ShapeOf<WireOpenedFile>

const answerReceipt = { received_at: 'string' } as const satisfies ShapeOf<WireAnswerReceipt>

/** The fields that the client reads in an answer. It ignores all others. */
export const shapes = { folder, secret, openedSecret, openedFile, answerReceipt }

export function readFolder(value: unknown): Folder {
  const { id, label, created_at, drafts_count, secrets_count } = read<WireFolder>(value, folder)
  return { id, label, createdAt: created_at, draftsCount: drafts_count, secretsCount: secrets_count }
}

export function readSecret(value: unknown): Secret {
  const { id, label, expires_at, folder_id, created_at, link } = read<WirePlainSecret>(value, secret)
  return {
    id,
    label,
    expiresAt: expires_at,
    folderId: folder_id,
    createdAt: created_at,
    link: { url: link.url, createdAt: link.created_at },
    ...sealedMark(value),
  }
}

export function readOpenedSecret(
  value: unknown,
): Omit<OpenedSecret, 'files'> & { readonly files: readonly SentFile[] } {
  const { label, note, opens_left, expires_at } = read<WireOpenedText>(value, openedSecret)
  // Versions of Sotto without files leave them out.
  const { files = [] } = value as { readonly files?: unknown }
  if (!Array.isArray(files)) throw malformed('a field is missing or of another type')
  return {
    ...{ label, note, opensLeft: opens_left, expiresAt: expires_at, files: files.map(readFile) },
    ...sealedMark(value),
  }
}

/** Whether a link is of a sealed secret, from the answer before it is opened. */
export function readIsSealed(value: unknown): boolean {
  return sealedMark(value).sealed === true
}

/** What answers to a request are encrypted with; `undefined` where they are not. */
export function readRequestKey(value: unknown): string | undefined {
  const { key } = (value ?? {}) as { readonly key?: unknown }
  if (key !== undefined && typeof key !== 'string') throw malformed('a field is missing or of another type')
  return key
}

/** Versions of Sotto without sealed secrets have no such field. */
function sealedMark(value: unknown): { readonly sealed?: true } {
  return (value as { readonly sealed?: unknown } | null)?.sealed === true ? { sealed: true } : {}
}

function readFile(value: unknown): SentFile {
  const { name, size, type, url } = read<WireOpenedFile>(value, openedFile)
  return { name, size, type, url }
}

export function readAnswerReceipt(value: unknown): AnswerReceipt {
  return { receivedAt: read<WireAnswerReceipt>(value, answerReceipt).received_at }
}

/** Fields that are `undefined` stay away: `JSON.stringify` leaves them out. */
export function writeNewSecret(secret: Omit<NewSecret, 'files' | 'sealed'>) {
  const { label, note, folderId, openLimit, notify, password } = secret
  const body = { label, note, folder_id: folderId, open_limit: openLimit, notify, password }
  return body satisfies { [Name in keyof WireNewSecret]: WireNewSecret[Name] | undefined }
}

function read<T>(value: unknown, shape: Shape & ShapeOf<T>): T {
  if (!fits(value, shape)) throw malformed('a field is missing or of another type')
  return value as T
}

function fits(value: unknown, shape: Kind | Shape): boolean {
  if (typeof shape === 'string') return shape.split(' or ').includes(value === null ? 'null' : typeof value)
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Readonly<Record<string, unknown>>
  return Object.entries(shape).every(([name, inner]) => fits(fields[name], inner))
}
