import { hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'
import { err, ok, type Result } from 'neverthrow'
import type { DataCorrupted, HasherBusy, PasswordHasher, PasswordWrong, Uuid } from '@sotto/core'
import { decryptBlob, encryptBlob } from '../shared/aead.ts'
import { noteData, type PlainColumns } from '../shared/associated-data.ts'
import { saltLength } from '../passwords/password-hasher.ts'
import type { RandomBytes } from '../shared/random.ts'
import { secretKeyFrom } from '../keys/ring-key.ts'
import type { WrappedContent } from './wrapped-key.ts'

export interface PasswordOptions {
  readonly passwordHasher: PasswordHasher
  readonly randomBytes: RandomBytes
}

type Fixed = Pick<PlainColumns, 'id' | 'accountId'>

const keyLength = 32

/** The note's key, locked by the password: what a wrapped key contains besides the note's digest. */
export type LockedNoteKey = Omit<WrappedContent, 'noteDigest'>

/** Locks the note's key by the password. */
export async function lockNoteKey(
  { passwordHasher, randomBytes }: PasswordOptions,
  { id, accountId }: Fixed,
  noteKey: Uint8Array,
  password: string,
): Promise<Result<LockedNoteKey, HasherBusy>> {
  const salt = randomBytes(saltLength)
  const { params } = passwordHasher
  const hashed = await passwordHasher.hash({ queue: 'create', owner: accountId, password, salt, params })
  if (hashed.isErr()) return err(hashed.error)
  const { innerKey, commitment } = passwordKeysFrom(hashed.value, id)
  const associatedData = noteData('secret.wrap.password', id, accountId)
  const inner = encryptBlob({ key: innerKey, associatedData, plaintext: noteKey, randomBytes })
  return ok({ salt, params, commitment, inner })
}

/**
 * The note's key.
 * @errors `password_wrong` when the password does not give the commitment; `data_damaged` when it does and the note's key still cannot
 * be read
 */
export async function unlockNoteKey(
  { passwordHasher }: PasswordOptions,
  { id, accountId }: Fixed,
  locked: LockedNoteKey,
  password: string,
): Promise<Result<Buffer, PasswordWrong | DataCorrupted | HasherBusy>> {
  const { salt, params } = locked
  const hashed = await passwordHasher.hash({ queue: 'open', owner: accountId, password, salt, params })
  if (hashed.isErr()) return err(hashed.error)
  const { innerKey, commitment } = passwordKeysFrom(hashed.value, id)
  if (!timingSafeEqual(commitment, locked.commitment)) return err({ code: 'password_wrong' })
  const associatedData = noteData('secret.wrap.password', id, accountId)
  const noteKey = decryptBlob({ key: innerKey, associatedData, blob: locked.inner })
  return noteKey === undefined ? err({ code: 'data_damaged', what: 'secret.wrap', id }) : ok(noteKey)
}

/** The keys that a password's hash gives. */
interface PasswordKeys {
  /** Encrypts the note's key. */
  readonly innerKey: KeyObject
  /** Shows whether the password is right, and ties the blob under `innerKey` to this password only. */
  readonly commitment: Uint8Array
}

/** HKDF-SHA256 of a password's hash, bound to the secret. Takes the hash over: it is zero afterwards. */
function passwordKeysFrom(hash: Uint8Array, secretId: Uuid): PasswordKeys {
  const both = new Uint8Array(hkdfSync('sha256', hash, secretId, 'sotto/v1/password', 2 * keyLength))
  hash.fill(0)
  return { innerKey: secretKeyFrom(both.subarray(0, keyLength)), commitment: both.subarray(keyLength) }
}
