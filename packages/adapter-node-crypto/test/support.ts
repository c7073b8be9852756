import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  linkTokenRandomBytes,
  type Digests,
  type KeyRingAdmin,
  type LinkToken,
  type PasswordHashParams,
  type PlainSecret,
  type SecretCipher,
  type StoredNote,
  type StoredSecret,
  type TextCipher,
} from '@sotto/core'
import {
  createManualClock,
  createSamples,
  expectOk,
  noonMicros,
  type ManualClock,
  type Samples,
} from '@sotto/test-kit'
import { createDigests } from '../src/cipher/digests.ts'
import { createKeyFile } from '../src/keys/key-file-changes.ts'
import type { KeyFileError } from '../src/keys/key-file.ts'
import { createKeyRing, type NodeKeyRing } from '../src/keys/key-ring.ts'
import {
  createHasherWith,
  createPasswordHasher,
  type HashPassword,
  type PasswordHasherOptions,
} from '../src/passwords/password-hasher.ts'
import type { RandomBytes } from '../src/shared/random.ts'
import { createSecretCipher } from '../src/secrets/secret-cipher.ts'
import { createTextCipher } from '../src/cipher/text-cipher.ts'

/** A hash that costs next to nothing. */
export const cheap: PasswordHashParams = { memoryKiB: 8, passes: 1, parallelism: 1 }

export const instanceId = createHash('sha256').update('instance').digest().subarray(0, 16)

/** A ring with its own key file, and the ports that use the ring. */
export interface World {
  readonly path: string
  readonly clock: ManualClock
  readonly ring: NodeKeyRing
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly digests: Digests
  readonly make: Samples
  /** What the ring could not read. */
  readonly readErrors: KeyFileError[]
}

export interface WorldOptions {
  readonly hashing?: PasswordHasherOptions
  /** Instead of Argon2id. */
  readonly hash?: HashPassword
  readonly random?: RandomBytes
}

export function makeWorld(directory: string, options: WorldOptions = {}): World {
  const { hash, random = randomBytes } = options
  const path = join(directory, 'keys', 'sotto-keys.json')
  const clock = createManualClock(noonMicros)
  expectOk(createKeyFile({ path, clock }))
  const readErrors: KeyFileError[] = []
  const ring = expectOk(
    createKeyRing({ keyFile: path, instanceId, clock, onReadError: (error) => readErrors.push(error) }),
  )
  const hashing = { params: cheap, ...options.hashing }
  const passwordHasher = hash === undefined ? createPasswordHasher(hashing) : createHasherWith(hash, hashing)
  const secretCipher = createSecretCipher({ ring, passwordHasher, randomBytes: random })
  const textCipher = createTextCipher({ ring, randomBytes: random })
  const make = createSamples(ring.activeKid())
  return { path, clock, ring, textCipher, secretCipher, digests: createDigests({ ring }), make, readErrors }
}

export function makeLinkToken({ digests, make }: Pick<World, 'digests' | 'make'>): LinkToken {
  return digests.makeLinkToken(make.bytes(linkTokenRandomBytes), noonMicros)
}

export interface PlainOptions {
  readonly label?: string
  readonly note?: string
  readonly password?: string | undefined
  /** A draft by default. */
  readonly shared?: boolean
  readonly openLimit?: number | undefined
}

/** A new secret in plaintext. */
export function plainSecret(world: Pick<World, 'make' | 'digests'>, options: PlainOptions = {}): PlainSecret {
  const { label = 'Label', note = 'the note', password, shared = false, openLimit } = options
  const { make, digests } = world
  const linkToken = shared ? makeLinkToken(world) : undefined
  const {
    kid: _kid,
    headCiphertext: _head,
    ...row
  } = make.draft(make.folder(make.uuid()), {
    openLimit,
    hasPassword: password !== undefined,
    link: linkToken === undefined ? undefined : { ...make.link(), lookup: digests.linkLookup(linkToken) },
  })
  return { row, head: { label, linkToken }, note, password }
}

/** What a store would hold of a new secret. */
export async function stored(
  cipher: SecretCipher,
  plain: PlainSecret,
): Promise<{ secret: StoredSecret; note: StoredNote }> {
  const { kid, headCiphertext, wrappedKey, note } = expectOk(await cipher.encryptSecret(plain))
  return { secret: { ...plain.row, kid, headCiphertext }, note: { note, wrappedKey } }
}

/** Adds a key to the ring and makes it the active one. */
export async function rotate(ring: KeyRingAdmin): Promise<number> {
  const kid = expectOk(await ring.addKey())
  expectOk(await ring.activate(kid))
  return kid
}

/** Each copy of `bytes` in which one byte is changed. */
export function* withOneByteChanged<Bytes extends Uint8Array>(bytes: Bytes): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    yield changed as unknown as Bytes
  }
}
