import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ok } from 'neverthrow'
import t from 'tap'
import type { FilePlace, Pieces } from '@sotto/core'
import { expectOk } from '@sotto/test-kit'
import { fileData } from '../../src/shared/associated-data.ts'
import { createFileCipher } from '../../src/files/file-cipher.ts'
import { paddedFileLength } from '../../src/files/file-padding.ts'
import { randomBytes } from '../../src/shared/random.ts'

const file = new URL('../../../test-kit/vectors/encryption-v1.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors
const cipher = createFileCipher({ randomBytes })

t.test('the sizes to which contents are padded', (t) => {
  t.ok(vectors.padded_sizes.length > 30)
  for (const { size, padded_size } of vectors.padded_sizes)
    t.equal(paddedFileLength(size), padded_size, `${size}`)
  t.end()
})

t.test('contents of files are written byte for byte the same', async (t) => {
  t.strictSame(
    vectors.contents.map(({ size }) => size),
    [0, 1, 4_096, 65_536, 65_537, 200_000],
  )
  for (const vector of vectors.contents) {
    const stored = await storedOf(vector)
    t.equal(createHash('sha256').update(stored).digest('hex'), vector.stored_sha256, `${vector.size} bytes`)
    if (vector.stored !== undefined) t.equal(stored.toString('hex'), vector.stored)
    t.equal(cipher.storedLength(vector.size), vector.stored_size)
    t.equal(fileData(placeOf(vector)).toString(), vector.associated_data)
    t.strictSame(
      vector.chunks.map((_, at) =>
        stored
          .subarray(0, (at + 1) * 65_552)
          .subarray(-16)
          .toString('hex'),
      ),
      vector.chunks.map(({ tag }) => tag),
    )
  }
})

t.test('contents of files are read', async (t) => {
  for (const vector of vectors.contents) {
    const { size, stored_sha256 } = vector
    // The digest says that these are the bytes of the program that made the vectors.
    const stored = vector.stored === undefined ? await storedOf(vector) : Buffer.from(vector.stored, 'hex')
    t.equal(createHash('sha256').update(stored).digest('hex'), stored_sha256)
    const opened = { key: Buffer.from(vector.key, 'hex'), size }
    const range = { start: 0, end: size }
    const read = cipher.decryptFile(placeOf(vector), opened, range, ({ start, end }) =>
      pieceOf(stored.subarray(start, end)),
    )
    t.ok((await joined(read)).equals(contentOf(size)), `${size} bytes`)
  }
})

function storedOf(vector: ContentVector): Promise<Buffer> {
  const key = Buffer.from(vector.key, 'hex')
  return joined(cipher.encryptFile(placeOf(vector), key, pieceOf(contentOf(vector.size))))
}

function placeOf(vector: ContentVector): FilePlace {
  return { accountId: vector.account_id, secretId: vector.secret_id, fileId: vector.file_id }
}

function contentOf(size: number): Buffer {
  return Buffer.from(Uint8Array.from({ length: size }, (_, at) => at % 251))
}

async function* pieceOf(bytes: Uint8Array) {
  yield await Promise.resolve(ok(bytes))
}

async function joined(pieces: Pieces<unknown>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(expectOk(piece))
  return Buffer.concat(all)
}

interface Vectors {
  readonly padded_sizes: readonly { readonly size: number; readonly padded_size: number }[]
  readonly contents: readonly ContentVector[]
}

interface ContentVector {
  readonly account_id: string
  readonly secret_id: string
  readonly file_id: string
  readonly size: number
  readonly key: string
  readonly associated_data: string
  readonly stored_size: number
  readonly chunks: readonly { readonly nonce: string; readonly tag: string }[]
  readonly stored_sha256: string
  readonly stored?: string
}
