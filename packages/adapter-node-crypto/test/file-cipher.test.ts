import { err, ok, type Result } from 'neverthrow'
import { test } from 'tap'
import { createFileCipher } from '../src/file-cipher.ts'
import { randomBytes } from '../src/random.ts'

const chunk = 65_536
const place = {
  accountId: '0192f3c4-0000-7000-8000-000000000001',
  secretId: '0192f3c4-0000-7000-8000-000000000002',
  fileId: '0192f3c4-0000-7000-8000-000000000003',
}
const cipher = createFileCipher({ randomBytes })
const key = cipher.newFileKey()
const sizes = [0, 1, 4_095, 4_096, 4_097, 65_535, chunk, chunk + 1, 3 * chunk - 1, 3 * chunk, 200_001]

test('a content is read as it was written, in pieces of any length', async (t) => {
  for (const size of sizes)
    for (const pieceLength of [1_000, chunk, 100_000]) {
      const content = randomBytes(size)
      const stored = await encrypt(content, pieceLength)
      t.equal(stored.length, cipher.storedLength(size))
      t.same(await decrypt(stored, size), content, `${size} bytes in pieces of ${pieceLength}`)
    }
})

test('a range is read without what lies before and after it', async (t) => {
  const size = 3 * chunk + 100
  const content = randomBytes(size)
  const stored = await encrypt(content)
  for (const [start, end] of [
    [0, 1],
    [chunk - 1, chunk + 1],
    [chunk, 2 * chunk],
    [2 * chunk + 7, size],
    [size - 1, size],
    [5, 5],
  ] as const) {
    const asked: number[] = []
    const range = await decrypt(stored, size, { range: { start, end }, asked })
    t.same(range, content.subarray(start, end), `${start} to ${end}`)
    t.ok(asked.reduce((sum, length) => sum + length, 0) <= end - start + 2 * (chunk + 16))
  }
})

test('nothing is read of a content that was changed, shortened, lengthened or moved', async (t) => {
  const size = 3 * chunk
  const stored = await encrypt(randomBytes(size))
  const at = (index: number) => stored.subarray(index * (chunk + 16), (index + 1) * (chunk + 16))
  const flipped = Buffer.from(stored)
  flipped[2 * (chunk + 16) + 5]! ^= 1
  for (const [changed, rule] of [
    [flipped, 'a flipped bit'],
    [stored.subarray(0, -1), 'a missing byte'],
    [Buffer.concat([at(0), at(1)]), 'a missing last chunk'],
    [Buffer.concat([at(0), at(2)]), 'a missing chunk'],
    [Buffer.concat([at(0), at(2), at(1)]), 'chunks in another order'],
    [Buffer.alloc(0), 'nothing'],
  ] as const)
    t.equal(await decrypt(changed, size), 'file.content', rule)
  t.equal(await decrypt(stored, size + chunk), 'file.content', 'a larger size')
  t.equal(await decrypt(stored, size - chunk), 'file.content', 'a smaller size')
  for (const name of ['accountId', 'secretId', 'fileId'] as const) {
    const elsewhere = { ...place, [name]: '0192f3c4-0000-7000-8000-000000000009' }
    t.equal(await decrypt(stored, size, { at: elsewhere }), 'file.content', `another ${name}`)
  }
  t.equal(await decrypt(stored, size, { under: cipher.newFileKey() }), 'file.content', 'another key')
})

test('an error of what is read or written ends it', async (t) => {
  const failing = async function* () {
    yield await Promise.resolve(ok(randomBytes(chunk)))
    yield err('cut off')
  }
  const written: string[] = []
  for await (const piece of cipher.encryptFile(place, key, failing()))
    written.push(piece.isErr() ? piece.error : 'a piece')
  t.same(written, ['cut off'])
  const read: string[] = []
  const range = { start: 0, end: 10 }
  for await (const piece of cipher.decryptFile(place, { key, size: 10 }, range, failing))
    read.push(piece.isErr() && typeof piece.error === 'string' ? piece.error : 'a piece')
  t.same(read, ['cut off'])
})

test('stored lengths tell little: at most 12 % are added, and few lengths are used', (t) => {
  const lengths = new Set<number>()
  for (let size = 0; size < 2_000_000; size += 997) {
    const length = cipher.storedLength(size)
    t.ok(length >= size && length <= Math.max(4_112, size * 1.12 + 64))
    lengths.add(length)
  }
  t.ok(lengths.size < 250, `${lengths.size} lengths`)
  t.end()
})

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Result<Uint8Array, never>> {
  for (let at = 0; at < bytes.length; at += length)
    yield await Promise.resolve(ok(bytes.subarray(at, at + length)))
}

async function encrypt(content: Uint8Array, pieceLength = 50_000): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of cipher.encryptFile(place, key, inPieces(content, pieceLength)))
    pieces.push(piece._unsafeUnwrap())
  return Buffer.concat(pieces)
}

/** The plaintext, or which column is corrupted. */
async function decrypt(
  stored: Uint8Array,
  size: number,
  {
    range = { start: 0, end: size },
    at = place,
    under = key,
    asked = [] as number[],
  }: Partial<Record<'range', { start: number; end: number }>> & {
    at?: typeof place
    under?: Uint8Array
    asked?: number[]
  } = {},
): Promise<Buffer | string> {
  const pieces: Uint8Array[] = []
  const read = ({ start, end }: { start: number; end: number }) => {
    asked.push(end - start)
    return inPieces(stored.subarray(start, end), 40_000)
  }
  for await (const piece of cipher.decryptFile(at, { key: under, size }, range, read)) {
    if (piece.isErr()) return piece.error.what
    pieces.push(piece.value)
  }
  return Buffer.concat(pieces)
}
