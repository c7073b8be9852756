import {
  type Encrypted,
  type KeyRetired,
  type LinkState,
  type StorageFailed,
  type StorageUnavailable,
  type StoredAccessToken,
  type StoredAccount,
  type StoredFolder,
  type StoredKey,
  type StoredNote,
  type StoredSecret,
  type TimePosition,
  type Uuid,
} from '@sotto/core'
import { errAsync, ResultAsync, type Result } from 'neverthrow'
import { fakeCheckValue } from './fake-key-ring.ts'

/** What the stores of one memory storage share. Rows are replaced, never changed in place. */
export interface MemoryData {
  readonly accounts: Map<Uuid, AccountRow>
  readonly folders: Map<Uuid, StoredFolder>
  readonly secrets: Map<Uuid, SecretRow>
  readonly accessTokens: Map<Uuid, AccessTokenRow>
  /** The keys that rows may be written under. */
  readonly keys: Map<number, StoredKey>
}

export interface AccountRow {
  readonly account: StoredAccount
  readonly emailIndex: Uint8Array
}

export interface AccessTokenRow {
  readonly token: StoredAccessToken
  readonly hash: Uint8Array
}

export interface SecretRow {
  readonly secret: StoredSecret
  /** `undefined` once it is destroyed. */
  readonly note: StoredNote | undefined
  readonly opens: number
  readonly attempts: LinkState['attempts']
  /** The ids of the forms that have claimed an open. */
  readonly forms: ReadonlySet<string>
}

/** One opened view of the data, until it is closed. */
export interface MemoryConnection {
  readonly data: MemoryData
  /** Runs a whole method at once: nothing comes between its reading and its writing. */
  answer<T, E>(work: () => Result<T, E>): ResultAsync<T, E | StorageUnavailable>
  isClosed(): boolean
  close(): void
}

/** @param kids the keys that rows may be written under, with the check values of the fake key ring */
export function createMemoryData(kids: readonly number[]): MemoryData {
  return {
    accounts: new Map(),
    folders: new Map(),
    secrets: new Map(),
    accessTokens: new Map(),
    keys: new Map(kids.map((kid) => [kid, { kid, checkValue: fakeCheckValue(kid), createdAtMicros: 0 }])),
  }
}

export function connectMemory(data: MemoryData): MemoryConnection {
  let closed = false
  return {
    data,
    answer: (work) =>
      closed
        ? errAsync({ code: 'storage_unavailable', reason: 'closed' })
        : new ResultAsync(Promise.resolve(work())),
    isClosed: () => closed,
    close() {
      closed = true
    },
  }
}

export const keyRetired: KeyRetired = { code: 'key_retired' }

/** The answer to a row whose id, lookup or hash is taken. */
export const taken: StorageFailed = { code: 'storage_failed', detail: 'a row with this id exists already' }

export function mayWrite({ keys }: MemoryData, { kid }: Pick<Encrypted, 'kid'>): boolean {
  return keys.has(kid)
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The slice behind `after` of rows in the order of their positions, ascending. */
export function sliceOf<Row extends TimePosition>(
  rows: readonly Row[],
  after: TimePosition | undefined,
  limit: number,
): readonly Row[] {
  return rows
    .filter((row) => after === undefined || inOrder(after, row) < 0)
    .toSorted(inOrder)
    .slice(0, limit)
}

/** Compares by time, then id. */
export function inOrder(one: TimePosition, other: TimePosition): number {
  if (one.createdAtMicros !== other.createdAtMicros) return one.createdAtMicros - other.createdAtMicros
  if (one.id === other.id) return 0
  return one.id < other.id ? -1 : 1
}
