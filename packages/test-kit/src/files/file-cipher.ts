import assert from 'node:assert/strict'
import type { ByteRange, FileCipher, FilePlace } from '@sotto/core'
import { err, ok } from 'neverthrow'
import {
  caseOf,
  casesOf,
  contractOf,
  type CaseOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { bytesOf, errorOf, inPieces, joined, sameBytes } from './pieces.ts'

/** A cipher of files, for its contract. */
export interface FileCipherUnderTest extends Unit {
  readonly fileCipher: FileCipher
}

/** Makes the cipher that the contract is run on. */
export type FileCipherHarness = Harness<FileCipherUnderTest, never>

const place: FilePlace = {
  accountId: '0192f3c4-0000-7000-8000-000000000001',
  secretId: '0192f3c4-0000-7000-8000-000000000002',
  fileId: '0192f3c4-0000-7000-8000-000000000003',
}

/** Sizes around the lengths at which padding and chunks begin anew. */
const sizes = [0, 1, 4_095, 4_097, 65_535, 65_536, 65_537, 196_607, 200_001]

/** The contract of a cipher of files. */
export const fileCipherContract: readonly ContractCase<FileCipherHarness>[] = contractOf(
  casesOf({
    'file-cipher/reads-what-it-wrote': cipherCase({
      rule: 'A content is read as it was given, whatever the lengths of its pieces; what is stored has the length that storedLength tells.',
      async check({ fileCipher }) {
        for (const size of sizes)
          for (const length of [1_000, 65_536, 100_000]) {
            const { stored, read } = await written(fileCipher, size, length)
            assert.equal(stored.length, fileCipher.storedLength(size), `${size} bytes`)
            sameBytes(await joined(read()), bytesOf(size), `${size} bytes in pieces of ${length}`)
          }
      },
    }),

    'file-cipher/reads-a-range': cipherCase({
      rule: 'A range is read without the pieces that lie before and after it.',
      async check({ fileCipher }) {
        const size = 700_000
        const { read } = await written(fileCipher, size)
        for (const [start, end] of [
          [0, 1],
          [65_535, 65_537],
          [131_072, 196_608],
          [400_000, size],
          [size - 1, size],
          [5, 5],
        ] as const) {
          const asked: ByteRange[] = []
          const range = await joined(read({ range: { start, end }, asked }))
          sameBytes(range, bytesOf(size).subarray(start, end), `${start} to ${end}`)
          for (const each of asked) assert.ok(each.end - each.start < end - start + 200_000)
          if (start === end) assert.deepEqual(asked, [], 'nothing is read for nothing')
        }
      },
    }),

    'file-cipher/notices-changes': cipherCase({
      rule: 'A content that was changed or shortened, or has another size, is data_damaged; what follows it is not read.',
      async check({ fileCipher }) {
        const size = 196_608
        const { stored, read } = await written(fileCipher, size)
        const third = Math.floor(stored.length / 3)
        const [first, second, last] = [0, 1, 2].map((nth) => stored.slice(nth * third, (nth + 1) * third))
        assert.ok(first && second && last)
        for (const at of [0, third + 7, stored.length - 1]) {
          const changed = stored.slice()
          changed[at] = 255 - (changed[at] ?? 0)
          await isCorrupted(read({ stored: changed }), `byte ${at} is changed`)
        }
        await isCorrupted(read({ stored: stored.subarray(0, -1) }), 'a byte is missing')
        await isCorrupted(read({ stored: new Uint8Array() }), 'nothing is there')
        await isCorrupted(read({ stored: joinedOf(first, second) }), 'the end is missing')
        await isCorrupted(read({ stored: joinedOf(first, last) }), 'the middle is missing')
        await isCorrupted(read({ stored: joinedOf(first, last, second) }), 'parts are exchanged')
        for (const other of [size + 65_536, size - 65_536, size + 6_000])
          await isCorrupted(read({ size: other }), `the size is ${other}`)
        const longer = await written(fileCipher, size + 6_000)
        await isCorrupted(longer.read({ size: size + 12_000 }), 'the last part is shorter')
        sameBytes(await joined(read({ stored: joinedOf(stored, first) })), bytesOf(size))
      },
    }),

    'file-cipher/binds-to-the-place': cipherCase({
      rule: 'A content of another account, secret or file, or under another key, of whatever length, is data_damaged.',
      async check({ fileCipher }) {
        const { read } = await written(fileCipher, 1_000)
        for (const name of ['accountId', 'secretId', 'fileId'] as const) {
          const elsewhere = { ...place, [name]: '0192f3c4-0000-7000-8000-000000000009' }
          await isCorrupted(read({ at: elsewhere }), `another ${name}`, elsewhere)
        }
        const other = fileCipher.newFileKey()
        for (const key of [other, other.subarray(1), new Uint8Array(33), new Uint8Array()])
          await isCorrupted(read({ key }), `another key of ${key.length} bytes`)
      },
    }),

    'file-cipher/passes-errors-on': cipherCase({
      rule: 'An error of what is encrypted or read ends it, and is passed on.',
      async check({ fileCipher }) {
        const failing = async function* () {
          yield await Promise.resolve(ok(bytesOf(100_000)))
          yield err('cut off')
        }
        const key = fileCipher.newFileKey()
        assert.equal(await errorOf(fileCipher.encryptFile(place, key, failing())), 'cut off')
        const range = { start: 90_000, end: 200_000 }
        const { stored } = await written(fileCipher, 200_000)
        const cutOff = async function* () {
          yield await Promise.resolve(ok(stored.subarray(0, 10)))
          yield err('cut off')
        }
        const read = fileCipher.decryptFile(place, { key, size: 200_000 }, range, cutOff)
        assert.equal(await errorOf(read), 'cut off')
      },
    }),

    'file-cipher/copies-the-key': cipherCase({
      rule: 'The bytes of a key can be erased as soon as a method was called with them.',
      async check({ fileCipher }) {
        const key = fileCipher.newFileKey()
        const kept = Uint8Array.from(key)
        const encrypted = fileCipher.encryptFile(place, key, inPieces(bytesOf(10), 10))
        key.fill(0)
        const stored = await joined(encrypted)
        for (const isErased of [false, true]) {
          const file = { key: kept, size: 10 }
          const decrypted = fileCipher.decryptFile(place, file, { start: 0, end: 10 }, () =>
            inPieces(stored, 10_000),
          )
          if (isErased) kept.fill(0)
          assert.deepEqual(await joined(decrypted), bytesOf(10))
        }
      },
    }),

    'file-cipher/ends-what-it-reads': cipherCase({
      rule: 'When a reader stops early, what is encrypted or decrypted is ended.',
      async check({ fileCipher }) {
        const ended: string[] = []
        const noted = async function* (bytes: Uint8Array, name: string) {
          try {
            yield* inPieces(bytes, 40_000)
          } finally {
            ended.push(name)
          }
        }
        const file = { key: fileCipher.newFileKey(), size: 400_000 }
        const content = bytesOf(file.size)
        const stored = await joined(fileCipher.encryptFile(place, file.key, inPieces(content, 40_000)))
        const all = { start: 0, end: file.size }
        for (const pieces of [
          fileCipher.encryptFile(place, file.key, noted(content, 'content')),
          fileCipher.decryptFile(place, file, all, () => noted(stored, 'stored')),
        ])
          for await (const piece of pieces) {
            expectOk(piece)
            break
          }
        assert.deepEqual(ended, ['content', 'stored'])
      },
    }),

    'file-cipher/digests-a-content': cipherCase({
      rule: 'The digest of a content is its SHA-256, whatever the lengths of its pieces.',
      check({ fileCipher }) {
        // FIPS 180-4, the example of "abc".
        const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
        for (const pieces of [['abc'], ['a', '', 'bc']]) {
          const digest = fileCipher.newContentDigest()
          for (const piece of pieces) digest.add(new TextEncoder().encode(piece))
          assert.equal(Buffer.from(digest.digest()).toString('hex'), expected)
        }
      },
    }),

    'file-cipher/pads': cipherCase({
      rule: 'Stored lengths are few: at most 13 % are added to a content of more than 4,096 bytes.',
      check({ fileCipher }) {
        const lengths = new Set<number>()
        for (let size = 0; size < 2_000_000; size += 997) {
          const length = fileCipher.storedLength(size)
          assert.ok(length >= size && length <= Math.max(5_000, size * 1.13), `${length} for ${size}`)
          lengths.add(length)
        }
        assert.ok(lengths.size < 250, `${lengths.size} lengths`)
      },
    }),
  }),
)

function cipherCase(about: CaseOf<FileCipherUnderTest, never>): UnnamedCase<FileCipherHarness> {
  return caseOf(about)
}

/** What may be other than it was written. */
interface Reading {
  readonly range?: ByteRange
  readonly at?: FilePlace
  readonly key?: Uint8Array
  readonly size?: number
  readonly stored?: Uint8Array
  /** Receives the ranges that are read. */
  readonly asked?: ByteRange[]
}

/** Encrypts a content of this size. `read` decrypts it, or what is given instead. */
async function written(cipher: FileCipher, size: number, length = 50_000) {
  const written = { at: place, key: cipher.newFileKey(), size }
  const pieces = cipher.encryptFile(place, written.key, inPieces(bytesOf(size), length))
  const stored = await joined(pieces)
  const read = (reading: Reading = {}) => {
    const { at, key, stored: bytes, size: told, asked } = { ...written, stored, asked: [], ...reading }
    const range = reading.range ?? { start: 0, end: told }
    return cipher.decryptFile(at, { key, size: told }, range, ({ start, end }) => {
      asked.push({ start, end })
      return inPieces(bytes.subarray(start, end), 40_000)
    })
  }
  return { stored, read }
}

function joinedOf(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

async function isCorrupted(
  read: ReturnType<FileCipher['decryptFile']>,
  what: string,
  { fileId: id } = place,
): Promise<void> {
  assert.deepEqual(await errorOf(read), { code: 'data_damaged', what: 'file.content', id }, what)
}
