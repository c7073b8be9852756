import assert from 'node:assert/strict'
import type {
  DecryptError,
  Digests,
  KeyRingAdmin,
  LinkToken,
  PlainSecret,
  SecretCipher,
  StoredNote,
  StoredSecret,
  TextCipher,
} from '@sotto/core'
import type { Result } from 'neverthrow'
import type { ContractCase, Harness, Unit } from '../contract.ts'
import { caseOf } from '../contract.ts'
import { createSamples, noonMicros, type Samples } from '../samples.ts'
import { okOf } from './expect.ts'

/**
 * - `beside`: several processes share the ring of keys.
 * - `spoil`: the ring can be made unusable, as a key file with wrong permissions is.
 */
export type CipherCapability = 'beside' | 'spoil'

/** Ciphers, digests and ring of one installation of its own, with one key that is active. */
export interface CipherUnderTest extends Unit {
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly digests: Digests
  readonly keyRing: KeyRingAdmin

  /** For `beside`: the same installation in another process. It is disposed of before this one, and leaves the ring alone. */
  beside?(): Promise<CipherUnderTest>

  /** For `spoil`: from now on the ring can be neither read nor changed; what is known of it stays known. */
  spoil?(): Promise<void>
}

export type CipherHarness = Harness<CipherUnderTest, CipherCapability>
export type CipherCase = ContractCase<CipherHarness>

/** A key that no ring has. */
export const unknownKid = 4_000_000

export function cipherCase({
  check,
  ...named
}: Omit<CipherCase, 'run'> & {
  check(cipher: CipherUnderTest, make: Samples): Promise<void> | void
}): CipherCase {
  return caseOf({ ...named, check: (cipher: CipherUnderTest) => check(cipher, createSamples(1)) })
}

/** A case on one installation in two processes. */
export function besideCipherCase({
  check,
  ...named
}: Pick<CipherCase, 'id' | 'rule'> & {
  check(cipher: CipherUnderTest, beside: CipherUnderTest, make: Samples): Promise<void> | void
}): CipherCase {
  return cipherCase({
    ...named,
    needs: 'beside',
    async check(cipher, make) {
      assert.ok(cipher.beside, 'the harness supports beside, but its ciphers have no such method')
      const beside = await cipher.beside()
      try {
        await check(cipher, beside, make)
      } finally {
        await beside.dispose()
      }
    },
  })
}

/** Adds a key and makes it the active one. */
export async function rotate({ keyRing }: CipherUnderTest): Promise<number> {
  const kid = await okOf(keyRing.addKey(), 'adding a key')
  await okOf(keyRing.activate(kid), 'activating a key')
  return kid
}

export interface PlainOptions {
  readonly note?: string
  readonly password?: string
  /** Without it the secret is a draft. */
  readonly linkToken?: LinkToken | undefined
}

/** A secret in plain. */
export function plainSecret(
  make: Samples,
  { note = 'a note', password, linkToken }: PlainOptions = {},
): PlainSecret {
  const folder = make.folder(make.uuid())
  const columns = { openLimit: 3, hasPassword: password !== undefined, createdAtMicros: noonMicros - 7 }
  const {
    kid: _kid,
    head: _head,
    ...row
  } = linkToken === undefined ? make.draft(folder, columns) : make.secret(folder, noonMicros, columns)
  return { row, head: { label: 'a label', linkToken }, note, password }
}

/** A secret as the store has it. */
export interface KeptSecret {
  readonly plain: PlainSecret
  readonly secret: StoredSecret
  readonly note: StoredNote
}

/** Encrypts a secret as a use-case does. */
export async function keep({ secretCipher }: CipherUnderTest, plain: PlainSecret): Promise<KeptSecret> {
  const { kid, head, note, wrap } = await okOf(secretCipher.encryptSecret(plain), 'encrypting a secret')
  return { plain, secret: { ...plain.row, kid, head }, note: { note, wrap } }
}

/** Holds when the answer is Err `data_damaged` that names the row. */
export function isDamaged(
  answer: Result<unknown, DecryptError | { code: string }>,
  id: string,
  when: string,
): void {
  assert.ok(answer.isErr(), `should be damaged: ${when}`)
  assert.equal(answer.error.code, 'data_damaged', when)
  assert.ok('id' in answer.error && answer.error.id === id, `the error names row ${id}: ${when}`)
}

/** The same bytes with one bit turned in one of them, for up to `count` places spread over them, the ends included. */
export function* oneByteChanged<Bytes extends Uint8Array>(
  bytes: Bytes,
  count = bytes.length,
): Generator<Bytes> {
  const places = Math.min(count, bytes.length)
  for (let step = 0; step < places; step += 1) {
    const at = places === 1 ? 0 : Math.round((step * (bytes.length - 1)) / (places - 1))
    yield Uint8Array.from(bytes, (byte, place) => (place === at ? byte ^ (1 << (step % 8)) : byte)) as Bytes
  }
}

/** The same bytes cut, emptied and lengthened. */
export function otherLengths<Bytes extends Uint8Array>(bytes: Bytes): readonly Bytes[] {
  const { length } = bytes
  const cuts = [0, 1, length >> 1, length - 1].map((to) => bytes.slice(0, to) as Bytes)
  return [...cuts, bytes.slice(1) as Bytes, Uint8Array.from([...bytes, 0]) as Bytes]
}
