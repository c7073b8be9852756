import { hkdfSync, type KeyObject } from 'node:crypto'
import { hashRaw, type Algorithm, type Version } from '@node-rs/argon2'
import type { Uuid } from '@sotto/core'
import { secretKeyFrom } from './ring-key.ts'

/** The price of one guess at a password (RFC 9106, section 3.1). */
export interface Argon2Params {
  /** Memory in KiB. */
  readonly memoryKiB: number
  /** Passes over the memory. */
  readonly passes: number
  /** Lanes. */
  readonly parallelism: number
}

/** More than OWASP asks for (19 MiB, 2 passes, 1 lane): about 0.1 s of a processor in 2026. */
export const defaultArgon2Params: Argon2Params = { memoryKiB: 65_536, passes: 3, parallelism: 1 }

export const saltLength = 16
const hashLength = 32
const keyLength = 32

/** The names are const enums of a declaration file, which cannot be used where types are merely stripped. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- see above */
const argon2id: Algorithm = 2
const version19: Version = 1
/* eslint-enable @typescript-eslint/no-unsafe-enum-assignment */

/** Whether a password may be hashed at this price: what Argon2 admits, and no more than a server can bear. */
export function areArgon2ParamsSound({ memoryKiB, passes, parallelism }: Argon2Params): boolean {
  return (
    isWithin(parallelism, 1, 16) && isWithin(passes, 1, 16) && isWithin(memoryKiB, 8 * parallelism, 1_048_576)
  )
}

/** Argon2id of a password: 32 bytes. */
export type HashPassword = (password: string, salt: Uint8Array, params: Argon2Params) => Promise<Uint8Array>

/** Argon2id, version 0x13, of the NFC-normalised password in UTF-8, on a thread of libuv's pool. */
export const hashPassword: HashPassword = async (password, salt, params) => {
  const bytes = Buffer.from(password.normalize('NFC'), 'utf8')
  try {
    return await hashRaw(bytes, {
      algorithm: argon2id,
      version: version19,
      memoryCost: params.memoryKiB,
      timeCost: params.passes,
      parallelism: params.parallelism,
      outputLen: hashLength,
      salt,
    })
  } finally {
    bytes.fill(0)
  }
}

/** What a password's hash yields. */
export interface PasswordKeys {
  /** Encrypts the note's key. */
  readonly innerKey: KeyObject
  /** Tells whether the password is the right one, and ties the blob under `innerKey` to this password alone. */
  readonly commitment: Uint8Array
}

/** HKDF-SHA256 of a password's hash, bound to the secret. Takes the hash over: it is zero afterwards. */
export function passwordKeysFrom(hash: Uint8Array, secretId: Uuid): PasswordKeys {
  const both = new Uint8Array(hkdfSync('sha256', hash, secretId, 'sotto/v1/password', 2 * keyLength))
  hash.fill(0)
  return { innerKey: secretKeyFrom(both.subarray(0, keyLength)), commitment: both.subarray(keyLength) }
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}
