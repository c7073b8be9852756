import {
  expiryOf,
  linkTokenFrom,
  type Ciphertext,
  type Encrypted,
  type LinkToken,
  type StoredAccessToken,
  type StoredAccount,
  type StoredFolder,
  type StoredLink,
  type StoredNote,
  type StoredSecret,
  type StoredShareableSecret,
  type Uuid,
} from '@sotto/core'
import { createSeededRandom } from './fakes/seeded-random.ts'

/** A moment in October 2025 whose microseconds no rounding to milliseconds survives. */
export const noonMicros = 1_760_000_000_123_457

/** Makes legal rows with made-up ciphertexts, no two of them alike in an id, a lookup, a hash or a byte string. */
export interface Samples {
  bytes(length: number): Uint8Array
  /** Bytes that no cipher can read, for stores that must not care. */
  ciphertext(length?: number): Ciphertext
  encrypted(): Encrypted
  /** Each is greater than the one before. */
  uuid(): Uuid
  emailIndex(): Uint8Array
  tokenHash(): Uint8Array
  formId(): string
  linkToken(): LinkToken
  account(columns?: Partial<StoredAccount>): StoredAccount
  folder(accountId: Uuid, columns?: Partial<StoredFolder>): StoredFolder
  draft(folder: StoredFolder, columns?: Partial<StoredSecret>): StoredSecret
  /** A link that was made at `createdAtMicros`, and expires when it has to. */
  link(createdAtMicros?: number): StoredLink
  /** A secret whose link was made at `sharedAtMicros`. */
  secret(
    folder: StoredFolder,
    sharedAtMicros?: number,
    columns?: Partial<StoredSecret>,
  ): StoredShareableSecret
  note(length?: number): StoredNote
  accessToken(accountId: Uuid, columns?: Partial<StoredAccessToken>): StoredAccessToken
}

/** @param kid the key that the rows say they are written under */
export function createSamples(kid: number): Samples {
  const random = createSeededRandom(kid)
  let made = 0
  const bytes = (length: number): Uint8Array => random.bytes(length)
  const ciphertext = (length = 48): Ciphertext => bytes(length) as Ciphertext
  const encrypted = (): Encrypted => ({ kid, ciphertext: ciphertext() })
  const uuid = (): Uuid => `019a0000-0000-7000-8000-${(made += 1).toString(16).padStart(12, '0')}`
  const link = (createdAtMicros = noonMicros): StoredLink => ({
    lookup: bytes(32),
    createdAtMicros,
    expiresAtMicros: expiryOf(createdAtMicros),
  })
  const draft: Samples['draft'] = (folder, columns) => ({
    id: uuid(),
    accountId: folder.accountId,
    folderId: folder.id,
    createdAtMicros: noonMicros,
    openLimit: 0,
    notify: false,
    hasPassword: false,
    link: undefined,
    kid,
    head: ciphertext(),
    ...columns,
  })
  return {
    bytes,
    ciphertext,
    encrypted,
    uuid,
    emailIndex: () => bytes(32),
    tokenHash: () => bytes(32),
    formId: () => Buffer.from(bytes(16)).toString('hex'),
    linkToken: () => linkTokenFrom(bytes(32)),
    account: (columns) => ({
      id: uuid(),
      email: encrypted(),
      createdAtMicros: noonMicros,
      disabledAtMicros: undefined,
      ...columns,
    }),
    folder: (accountId, columns) => ({
      id: uuid(),
      accountId,
      label: encrypted(),
      createdAtMicros: noonMicros,
      ...columns,
    }),
    draft,
    link,
    secret: (folder, sharedAtMicros = noonMicros, columns = {}) => ({
      ...draft(folder, columns),
      link: columns.link ?? link(sharedAtMicros),
    }),
    note: (length = 96) => ({ note: ciphertext(length), wrap: ciphertext() }),
    accessToken: (accountId, columns) => ({
      id: uuid(),
      accountId,
      name: encrypted(),
      scopes: ['read', 'write'],
      createdAtMicros: noonMicros,
      expiresAtMicros: undefined,
      revokedAtMicros: undefined,
      lastUsedAtMicros: undefined,
      ...columns,
    }),
  }
}
