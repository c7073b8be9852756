import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { KeyRing, PlainSecret, SecretCipher, StoredNote, StoredSecret, TextCipher } from '@sotto/core'
import { createManualClock, createSamples, noonMicros, type ManualClock, type Samples } from '@sotto/test-kit'
import type { Result } from 'neverthrow'
import { createDigests } from '../src/digests.ts'
import { HashQueue, type HashQueueOptions } from '../src/hash-queue.ts'
import { createKeyFile } from '../src/key-file-changes.ts'
import type { KeyFileError } from '../src/key-file.ts'
import { createKeyRing, type NodeKeyRing } from '../src/key-ring.ts'
import { hashPassword, type Argon2Params, type HashPassword } from '../src/password.ts'
import type { RandomBytes } from '../src/random.ts'
import { createSecretCipher } from '../src/secret-cipher.ts'
import { createTextCipher } from '../src/text-cipher.ts'

/** A hash that costs next to nothing. */
export const cheap: Argon2Params = { memoryKiB: 8, passes: 1, parallelism: 1 }

export const instanceId = createHash('sha256').update('instance').digest().subarray(0, 16)

/** A ring with its key file and everything that hangs on it, in a directory of its own. */
export interface World {
  readonly path: string
  readonly clock: ManualClock
  readonly ring: NodeKeyRing
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly digests: ReturnType<typeof createDigests>
  readonly make: Samples
  /** What the ring could not read. */
  readonly readErrors: KeyFileError[]
}

export function makeWorld(
  directory: string,
  options: {
    readonly params?: Argon2Params
    readonly hashing?: HashQueueOptions
    readonly hash?: HashPassword
    readonly random?: RandomBytes
  } = {},
): World {
  const path = join(directory, 'keys', 'sotto-keys.json')
  const clock = createManualClock(noonMicros)
  value(createKeyFile({ path, clock }))
  const readErrors: KeyFileError[] = []
  const ring = value(
    createKeyRing({ keyFile: path, instanceId, clock, onReadError: (error) => readErrors.push(error) }),
  )
  const random = options.random ?? randomBytes
  const secretCipher = createSecretCipher({
    ring,
    queue: new HashQueue(options.hashing),
    hashPassword: options.hash ?? hashPassword,
    params: options.params ?? cheap,
    randomBytes: random,
  })
  const textCipher = createTextCipher({ ring, randomBytes: random })
  const make = createSamples(ring.activeKid())
  return { path, clock, ring, textCipher, secretCipher, digests: createDigests({ ring }), make, readErrors }
}

/** A new secret in plain. A draft unless `shared`. */
export function plainSecret(
  { make, digests }: Pick<World, 'make' | 'digests'>,
  given: { label?: string; note?: string; password?: string; shared?: boolean; openLimit?: number } = {},
): PlainSecret {
  const { label = 'Label', note = 'the note', password, shared = false, openLimit = 0 } = given
  const linkToken = shared ? make.linkToken() : undefined
  const {
    kid: _kid,
    head: _head,
    ...row
  } = make.draft(make.folder(make.uuid()), {
    openLimit,
    hasPassword: password !== undefined,
    link: linkToken === undefined ? undefined : { ...make.link(), lookup: digests.linkLookup(linkToken) },
  })
  return { row, head: { label, linkToken }, note, password }
}

/** What a store would keep of a new secret. */
export async function stored(
  cipher: SecretCipher,
  plain: PlainSecret,
): Promise<{ secret: StoredSecret; note: StoredNote }> {
  const { kid, head, wrap, note } = value(await cipher.encryptSecret(plain))
  return { secret: { ...plain.row, kid, head }, note: { note, wrap } }
}

/** Adds a key to the ring and makes it the active one. */
export async function rotate(ring: NodeKeyRing & KeyRing): Promise<number> {
  const kid = value(await ring.addKey())
  value(await ring.activate(kid))
  return kid
}

export function value<T>(result: Result<T, unknown>): T {
  if (result.isOk()) return result.value
  throw new Error(`not Ok but ${JSON.stringify(result.error)}`)
}

export function failure<E>(result: Result<unknown, E>): E {
  if (result.isErr()) return result.error
  throw new Error('Ok where an Err was due')
}

/** Each copy of `bytes` in which one byte is another. */
export function* withOneByteChanged<Bytes extends Uint8Array>(bytes: Bytes): Generator<Bytes> {
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    yield changed as unknown as Bytes
  }
}
