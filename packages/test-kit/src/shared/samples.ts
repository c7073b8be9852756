import {
  invitationLifetimeMicros,
  type StoredAccessToken,
  type StoredEmailChange,
  type StoredIdentity,
  type StoredPasskey,
  type StoredPassword,
  type StoredSession,
  type StoredInvitation,
} from '@sotto/identity'
import {
  defaultMailChoice,
  linkTokenFrom,
  secretLifetimeMicros,
  ticketMicros,
  type Ciphertext,
  type Encrypted,
  type LinkToken,
  type NewDelivery,
  type NewTicket,
  type SecretEvent,
  type StoredAccount,
  type StoredDisplayName,
  type StoredFolder,
  type StoredLink,
  type StoredNote,
  type StoredRequest,
  type StoredSecret,
  type StoredSecretFile,
  type StoredShareableSecret,
  type StoredWebhook,
  type Uuid,
} from '@sotto/core'
import { createSeededRandom } from './seeded-random.ts'

/** A time in October 2025 that changes when it is rounded to milliseconds. */
export const noonMicros = 1_760_000_000_123_457

/** A delivery of an event about a secret. */
export type SecretDelivery = NewDelivery & { readonly event: SecretEvent }

/** Makes valid rows with made-up ciphertexts. No two have the same id, lookup, digest or bytes. */
export interface Samples {
  /** Made-up bytes. */
  bytes(length: number): Uint8Array
  /** Bytes that no cipher can decrypt; a store must not care. */
  ciphertext(length?: number): Ciphertext
  /** A ciphertext under the key of these samples. */
  encrypted(): Encrypted
  /** Each is greater than the one before. */
  uuid(): Uuid
  /** 32 bytes, as the index of an account's name has. */
  nameIndex(): Uint8Array
  /** 32 bytes, as the digest of a token has. */
  tokenDigest(): Uint8Array
  /** An id as the form of a link's page has. */
  formId(): string
  /** A well-formed token of a link. */
  linkToken(): LinkToken
  /** An account that is not disabled. */
  account(columns?: Partial<StoredAccount>): StoredAccount
  /** A display name. */
  displayName(): StoredDisplayName
  /** A folder of the account. */
  folder(accountId: Uuid, columns?: Partial<StoredFolder>): StoredFolder
  /** A secret without a link, an open limit or a password. */
  draft(folder: StoredFolder, columns?: Partial<StoredSecret>): StoredSecret
  /** A link that was made at `createdAtMicros` and expires after `lifetimeMicros`, the lifetime of the core by default. */
  link(createdAtMicros?: number, lifetimeMicros?: number): StoredLink
  /** A shareable secret whose link was made at `sharedAtMicros`. */
  secret(
    folder: StoredFolder,
    sharedAtMicros?: number,
    columns?: Partial<StoredSecret>,
  ): StoredShareableSecret
  /** A note that no cipher can decrypt. */
  note(length?: number): StoredNote
  /** A request for one answer whose link works for a week from {@link noonMicros}. */
  request(folder: StoredFolder, columns?: Partial<StoredRequest>): StoredRequest
  /** The first file of a secret or draft, which is not shown before the link is opened. */
  file(secret: StoredSecret, columns?: Partial<StoredSecretFile>): StoredSecretFile
  /** A ticket that ends an hour after {@link noonMicros}. */
  ticket(columns?: Partial<NewTicket>): NewTicket
  /** A token for everything that does not expire. */
  accessToken(accountId: Uuid, columns?: Partial<StoredAccessToken>): StoredAccessToken
  /** A password's hash that no hasher can verify. */
  password(accountId: Uuid, columns?: Partial<StoredPassword>): StoredPassword
  /** An identity that was connected, and never used. */
  identity(accountId: Uuid, columns?: Partial<StoredIdentity>): StoredIdentity
  /** A passkey that was never used. */
  passkey(accountId: Uuid, columns?: Partial<StoredPasskey>): StoredPasskey
  /** A session that began, and was last used, at {@link noonMicros}. */
  session(accountId: Uuid, columns?: Partial<StoredSession>): StoredSession
  /** An invitation of the usual lifetime. */
  invitation(accountId: Uuid, columns?: Partial<StoredInvitation>): StoredInvitation
  /** A change of the email address of the usual lifetime. */
  emailChange(accountId: Uuid, columns?: Partial<StoredEmailChange>): StoredEmailChange
  /** A webhook that is not disabled. */
  webhook(accountId: Uuid, columns?: Partial<StoredWebhook>): StoredWebhook
  /** An open of a secret of its own. */
  event(accountId: Uuid, columns?: Partial<SecretEvent>): SecretEvent
  /** A mail about the event that is due when it happens and joins nothing. */
  delivery(event: SecretEvent, columns?: Partial<SecretDelivery>): SecretDelivery
}

/**
 * Makes rows for tests. The same numbers give the same rows.
 * @param kid the number of the key that the rows are under
 * @param before how many ids others have made
 */
export function createSamples(kid: number, before = 0): Samples {
  const random = createSeededRandom(kid)
  let made = before
  const bytes = (length: number): Uint8Array => random.bytes(length)
  const ciphertext = (length = 48): Ciphertext => bytes(length) as Ciphertext
  const encrypted = (): Encrypted => ({ kid, ciphertext: ciphertext() })
  const uuid = (): Uuid => `019a0000-0000-7000-8000-${(made += 1).toString(16).padStart(12, '0')}`
  const link = (createdAtMicros = noonMicros, lifetimeMicros = secretLifetimeMicros): StoredLink => ({
    lookup: bytes(32),
    createdAtMicros,
    expiresAtMicros: createdAtMicros + lifetimeMicros,
  })
  const draft: Samples['draft'] = (folder, columns) => ({
    id: uuid(),
    accountId: folder.accountId,
    folderId: folder.id,
    createdAtMicros: noonMicros,
    openLimit: undefined,
    notify: false,
    hasPassword: false,
    link: undefined,
    kid,
    headCiphertext: ciphertext(),
    ...columns,
  })
  return {
    bytes,
    ciphertext,
    encrypted,
    uuid,
    nameIndex: () => bytes(32),
    tokenDigest: () => bytes(32),
    formId: () => Buffer.from(bytes(16)).toString('hex'),
    linkToken: () => linkTokenFrom(bytes(32)),
    account: (columns) => ({
      id: uuid(),
      name: encrypted(),
      createdAtMicros: noonMicros,
      disabledAtMicros: undefined,
      language: undefined,
      mails: defaultMailChoice,
      notifies: false,
      displayName: undefined,
      isHeld: false,
      ...columns,
    }),
    displayName: () => ({ id: uuid(), name: encrypted() }),
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
    note: (length = 96) => ({ note: ciphertext(length), wrappedKey: ciphertext() }),
    request: (folder, columns) => ({
      id: uuid(),
      accountId: folder.accountId,
      folderId: folder.id,
      createdAtMicros: noonMicros,
      closesAtMicros: noonMicros + 604_800_000_000,
      answersAllowed: 1,
      notify: false,
      takesFiles: false,
      content: encrypted(),
      ...columns,
    }),
    file: ({ id: secretId, accountId }, columns) => ({
      id: uuid(),
      accountId,
      secretId,
      number: 1,
      isShown: false,
      about: encrypted(),
      ...columns,
    }),
    ticket: (columns) => ({
      digest: bytes(32),
      expiresAtMicros: noonMicros + ticketMicros,
      sealed: ciphertext(),
      othersMax: 1_000,
      ...columns,
    }),
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
    password: (accountId, columns) => ({
      id: uuid(),
      accountId,
      createdAtMicros: noonMicros,
      hash: encrypted(),
      ...columns,
    }),
    identity: (accountId, columns) => ({
      id: uuid(),
      accountId,
      origin: 'connected',
      createdAtMicros: noonMicros,
      lastUsedAtMicros: undefined,
      refusedAtMicros: undefined,
      name: encrypted(),
      ...columns,
    }),
    passkey: (accountId, columns) => ({
      id: uuid(),
      accountId,
      name: encrypted(),
      rpId: 'sotto.example',
      credentialId: bytes(32),
      publicKey: bytes(91),
      algorithm: -7,
      counter: 0,
      createdAtMicros: noonMicros,
      lastUsedAtMicros: undefined,
      ...columns,
    }),
    session: (accountId, columns) => ({
      id: uuid(),
      accountId,
      createdAtMicros: noonMicros,
      reauthenticatedAtMicros: noonMicros,
      lastUsedAtMicros: noonMicros,
      name: undefined,
      ...columns,
    }),
    invitation: (accountId, columns) => ({
      accountId,
      kind: 'invite',
      createdAtMicros: noonMicros,
      expiresAtMicros: noonMicros + invitationLifetimeMicros.invite,
      isAsked: false,
      ...columns,
    }),
    emailChange: (accountId, columns) => ({
      accountId,
      email: ciphertext(),
      createdAtMicros: noonMicros,
      expiresAtMicros: noonMicros + 86_400_000_000,
      ...columns,
    }),
    webhook: (accountId, columns) => ({
      id: uuid(),
      accountId,
      createdAtMicros: noonMicros,
      endpoint: encrypted(),
      failingSinceMicros: undefined,
      disabled: undefined,
      ...columns,
    }),
    event: (accountId, columns) => ({
      id: uuid(),
      type: 'secret.opened',
      accountId,
      secretId: uuid(),
      folderId: uuid(),
      createdAtMicros: noonMicros,
      opens: 1,
      opensLeft: undefined,
      expiresAtMicros: noonMicros + secretLifetimeMicros,
      ...columns,
    }),
    delivery: (event, columns) => ({
      id: uuid(),
      target: { kind: 'mail', accountId: event.accountId },
      event,
      dueAtMicros: event.createdAtMicros,
      joins: false,
      ...columns,
    }),
  }
}
