import { createCipheriv } from 'node:crypto'
import { ok } from 'neverthrow'
import { test } from 'tap'
import type { ByteRange } from '@sotto/core'
import { fileCipherContract, runContract } from '@sotto/test-kit'
import { fileData } from '../../src/shared/associated-data.ts'
import { createFileCipher } from '../../src/files/file-cipher.ts'
import { paddedFileLength } from '../../src/files/file-padding.ts'
import { randomBytes } from '../../src/shared/random.ts'

const cipher = createFileCipher({ randomBytes })

runContract(test, fileCipherContract, {
  supports: [],
  open: () => Promise.resolve({ fileCipher: cipher, dispose: () => Promise.resolve() }),
})

const place = { accountId: 'a', secretId: 's', fileId: 'f' }
const key = Buffer.alloc(32, 7)

/** A chunk as it is stored. */
function chunkOf(plaintext: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt32BE(number, 7)
  nonce[11] = isLast ? 1 : 0
  const gcm = createCipheriv('aes-256-gcm', key, nonce)
  gcm.setAAD(fileData(place))
  return Buffer.concat([gcm.update(plaintext), gcm.final(), gcm.getAuthTag()])
}

/** Decrypts what is given instead of what is stored. The ranges that were asked for, and what came. */
async function readFrom(stored: Buffer, size: number, range: ByteRange) {
  const asked: ByteRange[] = []
  const pieces = cipher.decryptFile(place, { key, size }, range, async function* (range) {
    asked.push(range)
    yield await Promise.resolve(ok(stored))
  })
  const came: (number | string)[] = []
  for await (const piece of pieces) came.push(piece.isOk() ? piece.value.length : piece.error.code)
  return { asked, came }
}

// Promise (Sealed at rest): The key of a file never encrypts two chunks under one nonce: their numbers end before they repeat
test('the longest content has 2^32 chunks, of which the last one has the highest number', async (t) => {
  const [longest, chunk] = [2 ** 48, 65_536 + 16]
  const end = { start: longest - 10, end: longest }
  t.same(await readFrom(chunkOf(Buffer.alloc(65_536), 2 ** 32 - 1, true), longest, end), {
    asked: [{ start: (2 ** 32 - 1) * chunk, end: 2 ** 32 * chunk }],
    came: [10],
  })
  for (const size of [longest + 1, 2 ** 53 - 1, 1e300, Infinity, NaN])
    t.same(await readFrom(Buffer.alloc(chunk), size, { start: 0, end: size }), {
      asked: [],
      came: ['data_damaged'],
    })
})

test('more than was asked for is corruption, even when it is authentic', async (t) => {
  const [first, second] = [0, 1].map((number) => chunkOf(Buffer.alloc(65_536), number, false))
  const range = { start: 10, end: 20 }
  for (const more of [second, Buffer.alloc(1)])
    t.same(await readFrom(Buffer.concat([first, more] as Buffer[]), 500_000, range), {
      asked: [{ start: 0, end: 65_552 }],
      came: [10, 'data_damaged'],
    })
})

test('a content is padded to the next length whose binary form ends in enough zeros', (t) => {
  for (const [size, padded] of [
    [0, 4_096],
    [4_096, 4_096],
    [4_097, 4_352],
    [65_536, 65_536],
    [65_537, 67_584],
    [1_000_000, 1_015_808],
    [25 * 2 ** 20, 26_214_400],
    [2 ** 32 + 1, 2 ** 32 + 2 ** 26],
  ] as const)
    t.equal(paddedFileLength(size), padded, `${size}`)
  t.end()
})
