import { createHash } from 'node:crypto'
import type { ByteRange, DataCorrupted, FileCipher, FilePlace, Pieces } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'

const chunkLength = 65_536
/** The length of the digest in front of each chunk, of all that the chunk is bound to. */
const digestLength = 32

/**
 * A cipher of files that keeps every promise of its port except secrecy: there is no cryptography in it. For tests only.
 */
export function createFakeFileCipher(): FileCipher {
  let keys = 0
  return {
    newFileKey: () => Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? (keys += 1) : 7)),

    newContentDigest() {
      const hash = createHash('sha256')
      return { add: (bytes) => void hash.update(bytes), digest: () => hash.digest() }
    },

    encryptFile: (place, key, content) => encrypted({ place, key: Uint8Array.from(key) }, content),
    decryptFile: (place, { key, size }, range, read) =>
      decrypted({ place, key: Uint8Array.from(key) }, { size, ...range }, read),
    storedLength: (size) => storedAt(paddedLength(size)),
  }
}

/** What each chunk is bound to. */
interface Bound {
  readonly place: FilePlace
  readonly key: Uint8Array
}

async function* encrypted<E>(
  bound: Bound,
  content: Pieces<E>,
): AsyncGenerator<Result<Uint8Array, E>, void, void> {
  const plain = await whole(content)
  if (plain.isErr()) return yield err(plain.error)
  const padded = new Uint8Array(paddedLength(plain.value.length))
  padded.set(plain.value)
  for (let at = 0; at < padded.length; at += chunkLength) {
    const chunk = padded.subarray(at, at + chunkLength)
    const isLast = at + chunkLength >= padded.length
    yield ok(Buffer.concat([digestOf({ ...bound, at, isLast }, chunk), chunk]))
  }
}

async function* decrypted<E>(
  bound: Bound,
  { size, start, end }: ByteRange & { readonly size: number },
  read: (range: ByteRange) => Pieces<E>,
): AsyncGenerator<Result<Uint8Array, E | DataCorrupted>, void, void> {
  const { place } = bound
  if (start >= end) return
  const padded = paddedLength(size)
  const from = start - (start % chunkLength)
  const until = Math.min(Math.ceil(end / chunkLength) * chunkLength, padded)
  const stored = await whole(read({ start: storedAt(from), end: storedAt(until) }))
  if (stored.isErr()) return yield err(stored.error)
  if (stored.value.length !== storedAt(until) - storedAt(from)) return yield err(corrupted(place))
  for (let at = from; at < until; at += chunkLength) {
    const begin = storedAt(at) - storedAt(from)
    const chunk = stored.value.subarray(begin + digestLength, begin + digestLength + chunkLength)
    const isLast = at + chunkLength >= padded
    const digest = stored.value.subarray(begin, begin + digestLength)
    if (digestOf({ ...bound, at, isLast }, chunk).compare(digest) !== 0) return yield err(corrupted(place))
    yield ok(chunk.slice(Math.max(start - at, 0), Math.min(end - at, chunkLength)))
  }
}

/** Where the chunk is stored that begins at `at`, or where the last one ends. */
function storedAt(at: number): number {
  return at + Math.ceil(at / chunkLength) * digestLength
}

function paddedLength(size: number): number {
  if (size <= 4_096) return 4_096
  const step = 2 ** (Math.floor(Math.log2(size)) - 4)
  return Math.ceil(size / step) * step
}

function digestOf(bound: object, chunk: Uint8Array): Buffer {
  const { key, ...rest } = bound as { readonly key: Uint8Array }
  return createHash('sha256').update(JSON.stringify(rest)).update(key).update(chunk).digest()
}

async function whole<E>(pieces: Pieces<E>): Promise<Result<Uint8Array, E>> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) {
    if (piece.isErr()) return err(piece.error)
    all.push(piece.value)
  }
  return ok(Buffer.concat(all))
}

function corrupted({ fileId }: FilePlace): DataCorrupted {
  return { code: 'data_damaged', what: 'file.content', id: fileId }
}
