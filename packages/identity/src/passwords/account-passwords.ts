import {
  normalizePassword,
  type DecryptError,
  type FieldsInvalid,
  type HasherBusy,
  type TextCipher,
  type Uuid,
} from '@sotto/core'
import { invalid, newId } from '@sotto/core/building-blocks'
import { err, ok, type Result } from 'neverthrow'
import type { DepsOf } from '../use-case.ts'
import type { StoredPassword } from './password-store.ts'
import {
  accountPasswordError,
  isSameHash,
  parsePasswordHash,
  passwordHashText,
  type PasswordHash,
} from './password-rules.ts'

// What the use-cases of account passwords have in common.

/** The queue of the password hasher in which everything about accounts waits. */
const queue = 'account'

const saltBytes = 16

/** A password as somebody typed it, hashed and ready to be stored. */
export interface HashedPassword {
  readonly id: Uuid
  readonly createdAtMicros: number
  readonly hash: PasswordHash
}

/** What {@link hashNewPassword} needs. */
export const hashPasswordNeeds = [
  'passwordHasher.hash',
  'passwordHasher.params',
  'clock.nowMicros',
  'random.bytes',
] as const

/**
 * Checks and hashes a password that an owner chooses.
 * @param email the account's, which the password must not contain
 */
export async function hashNewPassword(
  { passwordHasher, clock, random }: DepsOf<(typeof hashPasswordNeeds)[number]>,
  typed: string,
  email: string | undefined,
): Promise<Result<HashedPassword, FieldsInvalid | HasherBusy>> {
  const password = normalizePassword(typed)
  const broken = accountPasswordError(password, email)
  if (broken !== undefined) return invalid('password', broken)
  const { params } = passwordHasher
  const salt = random.bytes(saltBytes)
  const hashed = await passwordHasher.hash({ queue, password, salt, params })
  if (hashed.isErr()) return err(hashed.error)
  const createdAtMicros = clock.nowMicros()
  const id = newId(random, createdAtMicros)
  return ok({ id, createdAtMicros, hash: { params, salt, hash: hashed.value } })
}

/** Encrypts a hashed password for its account, under the active key. */
export function encryptPassword(
  { textCipher }: DepsOf<'textCipher.encryptText'>,
  accountId: Uuid,
  { id, createdAtMicros, hash }: HashedPassword,
): StoredPassword {
  const place = { column: 'account.password', accountId, rowId: id } as const
  return { id, accountId, createdAtMicros, hash: textCipher.encryptText(place, passwordHashText(hash)) }
}

/** What {@link isPassword} needs. */
export const isPasswordNeeds = [
  'passwordHasher.hash',
  'passwordHasher.params',
  'textCipher.decryptText',
] as const

/**
 * Whether `typed` is the stored password. Costs the same hash when there is no stored password, so that its absence takes as long as a
 * wrong password.
 */
export async function isPassword(
  { passwordHasher, textCipher }: DepsOf<(typeof isPasswordNeeds)[number]>,
  stored: StoredPassword | undefined,
  typed: string,
): Promise<Result<boolean, DecryptError | HasherBusy>> {
  const decrypted = stored === undefined ? ok(undefined) : decryptPassword(textCipher, stored)
  if (decrypted.isErr()) return err(decrypted.error)
  const { params, salt } = decrypted.value ?? {
    params: passwordHasher.params,
    salt: new Uint8Array(saltBytes),
  }
  const password = normalizePassword(typed)
  const hashed = await passwordHasher.hash({ queue, password, salt, params })
  return hashed.map((hash) => decrypted.value !== undefined && isSameHash(hash, decrypted.value.hash))
}

function decryptPassword(
  textCipher: Pick<TextCipher, 'decryptText'>,
  { id, accountId, hash }: StoredPassword,
): Result<PasswordHash, DecryptError> {
  const place = { column: 'account.password', accountId, rowId: id } as const
  return textCipher.decryptText(place, hash).andThen((text): Result<PasswordHash, DecryptError> => {
    const parsed = parsePasswordHash(text)
    return parsed === undefined ? err({ code: 'data_damaged', what: 'account.password', id }) : ok(parsed)
  })
}
