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
import { type ContractCase, type Harness, type Unit, type UnnamedCase, caseOf } from '../contract/contract.ts'
import { createSamples, noonMicros, type Samples } from '../shared/samples.ts'
import { expectOk } from '../contract/expect.ts'

/**
 * What ciphers can do beyond the minimum:
 * - `beside`: several processes share the key ring.
 * - `spoil`: the key ring can be made unusable, like a key file with wrong permissions.
 */
export type CipherCapability = 'beside' | 'spoil'

/** Ciphers, digests and key ring of a new installation, whose ring has one key. */
export interface CipherUnderTest extends Unit {
  readonly textCipher: TextCipher
  readonly secretCipher: SecretCipher
  readonly digests: Digests
  readonly keyRing: KeyRingAdmin

  /**
   * Opens, for `beside`, the same installation in another process. It is disposed of before this one, and its disposal leaves the ring
   * alone.
   */
  beside?(): Promise<CipherUnderTest>

  /** Makes, for `spoil`, the ring impossible to read or change from then on. */
  spoil?(): Promise<void>
}

/** Makes the ciphers that the contract is run on. */
export type CipherHarness = Harness<CipherUnderTest, CipherCapability>

/** One case of the contract of the ciphers. */
export type CipherCase = ContractCase<CipherHarness>

/** A key that no ring has. */
export const unknownKid = 4_000_000

/** A case on one installation, with samples. */
export function cipherCase({
  check,
  ...about
}: Omit<CipherCase, 'id' | 'run'> & {
  check(cipher: CipherUnderTest, make: Samples): Promise<void> | void
}): UnnamedCase<CipherHarness> {
  return caseOf({ ...about, check: (cipher: CipherUnderTest) => check(cipher, createSamples(1)) })
}

/** A case on one installation in two processes. */
export function besideCipherCase({
  check,
  ...about
}: Pick<CipherCase, 'rule'> & {
  check(cipher: CipherUnderTest, beside: CipherUnderTest, make: Samples): Promise<void> | void
}): UnnamedCase<CipherHarness> {
  return cipherCase({
    ...about,
    needs: ['beside'],
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
  const kid = expectOk(await keyRing.addKey(), 'adding a key')
  expectOk(await keyRing.activate(kid), 'activating a key')
  return kid
}

export interface PlainOptions {
  readonly note?: string
  readonly password?: string
  /** The token of the link; the secret is a draft without one. */
  readonly linkToken?: LinkToken | undefined
}

/** A secret in plaintext. */
export function plainSecret(
  make: Samples,
  { note = 'a note', password, linkToken }: PlainOptions = {},
): PlainSecret {
  const folder = make.folder(make.uuid())
  const columns = { openLimit: 3, hasPassword: password !== undefined, createdAtMicros: noonMicros - 7 }
  const {
    kid: _kid,
    headCiphertext: _head,
    ...row
  } = linkToken === undefined ? make.draft(folder, columns) : make.secret(folder, noonMicros, columns)
  return { row, head: { label: 'a label', linkToken }, note, password }
}

/** A secret as it is stored, and its plaintext. */
export interface EncryptedSample {
  readonly plain: PlainSecret
  readonly secret: StoredSecret
  readonly note: StoredNote
}

/** Encrypts a secret as a use-case does. */
export async function encrypted(
  { secretCipher }: Pick<CipherUnderTest, 'secretCipher'>,
  plain: PlainSecret,
): Promise<EncryptedSample> {
  const { kid, headCiphertext, note, wrappedKey } = expectOk(
    await secretCipher.encryptSecret(plain),
    'encrypting a secret',
  )
  return { plain, secret: { ...plain.row, kid, headCiphertext }, note: { note, wrappedKey } }
}

/** Holds when the result is an Err `data_damaged` that names the row. */
export function isCorrupted(
  result: Result<unknown, DecryptError | { code: string }>,
  id: string,
  when: string,
): void {
  assert.ok(result.isErr(), `should be corrupted: ${when}`)
  assert.equal(result.error.code, 'data_damaged', when)
  assert.ok('id' in result.error && result.error.id === id, `the error does not name row ${id}: ${when}`)
}

/** Copies of the bytes with one bit flipped, for up to `count` positions spread over them, both ends included. */
export function* oneByteChanged<Bytes extends Uint8Array>(
  bytes: Bytes,
  count = bytes.length,
): Generator<Bytes> {
  const positions = Math.min(count, bytes.length)
  for (let step = 0; step < positions; step += 1) {
    const flipped = positions === 1 ? 0 : Math.round((step * (bytes.length - 1)) / (positions - 1))
    yield Uint8Array.from(bytes, (byte, at) => (at === flipped ? byte ^ (1 << (step % 8)) : byte)) as Bytes
  }
}

/** Copies of the bytes: shortened, emptied and lengthened. */
export function otherLengths<Bytes extends Uint8Array>(bytes: Bytes): readonly Bytes[] {
  const { length } = bytes
  const cuts = [0, 1, length >> 1, length - 1].map((to) => bytes.slice(0, to) as Bytes)
  return [...cuts, bytes.slice(1) as Bytes, Uint8Array.from([...bytes, 0]) as Bytes]
}
