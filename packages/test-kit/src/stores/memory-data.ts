import type {
  StoredAccessToken,
  StoredEmailChange,
  StoredIdentity,
  StoredPasskey,
  StoredPassword,
  StoredSession,
  StoredInvitation,
} from '@sotto/identity'
import type {
  AttemptBucket,
  ContentUnderWay,
  Delivery,
  Encrypted,
  KeyRetired,
  Lease,
  LinkState,
  OwnerEvent,
  RequestDigests,
  ShownServer,
  StorageFailed,
  StorageUnavailable,
  StoredAccount,
  StoredFolder,
  StoredKey,
  StoredNote,
  StoredRequest,
  StoredSecret,
  StoredSecretFile,
  StoredTicket,
  StoredWebhook,
  Target,
  Cursor,
  Uuid,
} from '@sotto/core'
import { errAsync, ResultAsync, type Result } from 'neverthrow'
import { fakeCheckValue } from '../cipher/fake-key-ring.ts'
import type { QuotaData } from '../quota/memory-quota.ts'
import { createSeededRandom } from '../shared/seeded-random.ts'

/** What the stores of one memory storage share. Rows are replaced, never changed in place. */
export interface MemoryData {
  readonly accounts: Map<Uuid, AccountRow>
  /** The accounts whose erasure has begun. */
  readonly erasing: Map<Uuid, AccountRow>
  /** The passwords by the id of the account. */
  readonly passwords: Map<Uuid, StoredPassword>
  readonly identities: Map<Uuid, IdentityRow>
  readonly passkeys: Map<Uuid, PasskeyRow>
  /** When each can be forgotten, by the digest in hexadecimal digits. */
  readonly usedTokens: Map<string, number>
  readonly sessions: Map<Uuid, SessionRow>
  /** The invitations by the id of the account. */
  readonly invitations: Map<Uuid, InvitationRow>
  /** The changes of email addresses by the id of the account. */
  readonly emailChanges: Map<Uuid, EmailChangeRow>
  /** The attempts by the name of the bucket in hexadecimal digits. */
  readonly signInAttempts: Map<string, AttemptBucket>
  knownAddresses: readonly KnownAddress[]
  readonly folders: Map<Uuid, StoredFolder>
  readonly secrets: Map<Uuid, SecretRow>
  readonly files: Map<Uuid, StoredSecretFile>
  readonly underWay: Map<Uuid, ContentUnderWay>
  /** What files and contents under way count, by their ids. */
  readonly counted: Map<
    Uuid,
    {
      readonly accountId: Uuid
      /** What it counts in its account's sum. */
      readonly bytes: number
    }
  >
  tickets: readonly StoredTicket[]
  readonly requests: Map<Uuid, RequestRow>
  claims: readonly ClaimRow[]
  readonly accessTokens: Map<Uuid, AccessTokenRow>
  readonly outbox: Map<Uuid, OwnerEvent>
  readonly deliveries: Map<Uuid, DeliveryRow>
  /** The latest lease of each target, by {@link targetKey}. One that was released ended at `-Infinity`. */
  readonly leases: Map<string, Pick<Lease, 'id' | 'target'> & { readonly untilMicros: number }>
  readonly webhooks: Map<Uuid, StoredWebhook>
  readonly quota: QuotaData
  readonly fileContents: Map<Uuid, MemoryContent>
  /** The random id of the database. */
  readonly instanceId: Uint8Array
  /** The keys that rows may be written under. */
  readonly keys: Map<number, StoredKey>
  readonly servers: Map<Uuid, ShownServer>
  lastSweepMicros: number | undefined
}

export interface AccountRow {
  readonly account: StoredAccount
  readonly nameIndex: Uint8Array
}

export interface AccessTokenRow {
  readonly token: StoredAccessToken
  readonly digest: Uint8Array
}

export interface SessionRow {
  readonly session: StoredSession
  readonly digest: Uint8Array
  /** The password, identity or passkey that it was begun with. */
  readonly authenticatorId: Uuid
  readonly providerSession: Uint8Array | undefined
}

export interface IdentityRow {
  readonly identity: StoredIdentity
  readonly nameIndex: Uint8Array
}

export interface PasskeyRow {
  readonly passkey: StoredPasskey
  readonly digest: Uint8Array
}

export interface InvitationRow {
  readonly invitation: StoredInvitation
  readonly digest: Uint8Array
}

export interface EmailChangeRow {
  readonly change: StoredEmailChange
  readonly digest: Uint8Array
}

export interface DeliveryRow {
  readonly delivery: Delivery
  /** Whether it was leased since it was added or became a pause. */
  readonly isTouched: boolean
}

interface KnownAddress {
  readonly accountId: Uuid
  readonly address: Uint8Array
  readonly atMicros: number
}

/** A content that is whole, or that is being appended. */
export interface MemoryContent {
  /** What has been appended so far. */
  bytes: Uint8Array
  /** The time of the last byte. */
  readonly writtenAtMicros: number
}

/** An idempotency key under one digest. */
export interface ClaimRow extends RequestDigests {
  readonly accountId: Uuid
  readonly secretId: Uuid
  readonly claimedAtMicros: number
}

export interface SecretRow {
  readonly secret: StoredSecret
  /** `undefined` once the note is destroyed. */
  readonly note: StoredNote | undefined
  readonly opens: number
  readonly attempts: LinkState['attempts']
  /** The times of the latest opens, in their order. */
  readonly openedAtMicros: readonly number[]
  readonly news: number
  /** The request that it answers. */
  readonly requestId?: Uuid
  /** The ids of the forms that have claimed an open. */
  readonly forms: ReadonlySet<string>
}

export interface RequestRow {
  readonly request: StoredRequest
  readonly digest: Uint8Array
  readonly answers: number
  readonly closedAtMicros: number | undefined
  /** When the forms, by their ids, handed in an answer. */
  readonly forms: ReadonlyMap<string, number>
}

/** An open storage's access to the data. */
export interface MemoryConnection extends References {
  readonly data: MemoryData
  /** Runs a whole method synchronously, so that no other one comes between its reads and writes. */
  answer<T, E>(work: () => Result<T, E>): ResultAsync<T, E | StorageUnavailable>
  isClosed(): boolean
  close(): void
}

/** What a row may refer to. */
interface References {
  hasAccount(id: Uuid): boolean
  /** Whether there is such an account and it is not disabled. */
  isEnabled(accountId: Uuid): boolean
  /** Whether the account has the password, identity or passkey. */
  hasAuthenticator(accountId: Uuid, authenticatorId: Uuid): boolean
  hasFolder(accountId: Uuid, folderId: Uuid): boolean
  /** Whether rows may be written under the key. */
  mayWrite(encrypted: Pick<Encrypted, 'kid'>): boolean
}

interface ConnectOptions {
  readonly trustReferences: boolean
}

/** How many were made, so that no two have the same instance id. */
let made = 0

/** @param kids the keys that rows may be written under, with the check values of the fake key ring */
export function createMemoryData(kids: readonly number[]): MemoryData {
  return {
    accounts: new Map(),
    erasing: new Map(),
    passwords: new Map(),
    identities: new Map(),
    passkeys: new Map(),
    usedTokens: new Map(),
    sessions: new Map(),
    invitations: new Map(),
    emailChanges: new Map(),
    signInAttempts: new Map(),
    knownAddresses: [],
    folders: new Map(),
    secrets: new Map(),
    files: new Map(),
    underWay: new Map(),
    counted: new Map(),
    tickets: [],
    fileContents: new Map(),
    requests: new Map(),
    claims: [],
    accessTokens: new Map(),
    outbox: new Map(),
    deliveries: new Map(),
    leases: new Map(),
    webhooks: new Map(),
    quota: new Map(),
    instanceId: createSeededRandom((made += 1)).bytes(32),
    lastSweepMicros: undefined,
    keys: new Map(kids.map((kid) => [kid, fakeStoredKey(kid)])),
    servers: new Map(),
  }
}

function fakeStoredKey(kid: number): StoredKey {
  return { kid, checkValue: fakeCheckValue(kid), createdAtMicros: 0, isReadOnly: false }
}

/** @param trustReferences accepts references to accounts, folders and keys that the data lacks */
export function connectMemory(data: MemoryData, { trustReferences }: ConnectOptions): MemoryConnection {
  let closed = false
  const hasAccount = (id: Uuid): boolean => trustReferences || data.accounts.has(id)
  return {
    data,
    hasAccount,
    isEnabled: (id) => hasAccount(id) && data.accounts.get(id)?.account.disabledAtMicros === undefined,
    hasAuthenticator: (accountId, authenticatorId) =>
      trustReferences ||
      [
        data.passwords.get(accountId)?.id === authenticatorId,
        data.identities.get(authenticatorId)?.identity.accountId === accountId,
        data.passkeys.get(authenticatorId)?.passkey.accountId === accountId,
      ].includes(true),
    hasFolder: (accountId, folderId) =>
      trustReferences || data.folders.get(folderId)?.accountId === accountId,
    mayWrite: ({ kid }) => trustReferences || (data.keys.has(kid) && data.keys.get(kid)?.isReadOnly !== true),
    answer(work) {
      if (closed) return errAsync({ code: 'storage_unavailable', reason: 'closed' })
      return new ResultAsync(Promise.resolve(work()))
    },
    isClosed: () => closed,
    close() {
      closed = true
    },
  }
}

export const keyRetired: KeyRetired = { code: 'key_retired' }

/** The answer to a row whose id, lookup or digest is taken. */
export const taken: StorageFailed = { code: 'storage_failed', detail: 'a row with this id exists already' }

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** A key that is equal for equal targets. */
export function targetKey(target: Target): string {
  return JSON.stringify([target.kind, target.accountId, target.kind === 'webhook' && target.webhookId])
}

export function isSameTarget(one: Target, other: Target): boolean {
  return targetKey(one) === targetKey(other)
}

/** The rows after the cursor, in ascending order. */
export function pageOf<Row extends Cursor>(
  rows: readonly Row[],
  after: Cursor | undefined,
  limit: number,
): readonly Row[] {
  return rows
    .filter((row) => after === undefined || inOrder(after, row) < 0)
    .toSorted(inOrder)
    .slice(0, limit)
}

/** Compares by time, then id. */
export function inOrder(one: Cursor, other: Cursor): number {
  if (one.createdAtMicros !== other.createdAtMicros) return one.createdAtMicros - other.createdAtMicros
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}

/** Puts events into the outbox. */
export function putEvents({ outbox }: MemoryData, events: readonly OwnerEvent[]): void {
  for (const event of events) outbox.set(event.id, structuredClone(event))
}
