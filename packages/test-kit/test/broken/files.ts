import type { FileCipher, FileStore, Pieces } from '@sotto/core'
import type { FileCipherHarness, FileStoreHarness } from '@sotto/test-kit'
import { err, ok, okAsync, type Result } from 'neverthrow'
import { fakeFileCipherHarness, memoryFilesHarness } from '../harnesses.ts'
import { pause, slowly, type Broken } from './broken.ts'

/** Flaws of stores of files. */
export const brokenFileStores: readonly Broken<FileStoreHarness>[] = [
  store(
    'gives a content whole, whatever range is asked for',
    ['files/what-is-appended-is-read'],
    (files) => ({
      read: (id) => files.read(id, { start: 0, end: 1_000_000 }),
    }),
  ),
  store('gives nothing beyond the end of a content', ['files/what-is-appended-is-read'], (files) => ({
    async *read(id, { start, end }) {
      const found = await files.page(undefined, 100)
      const length = found.isOk() ? found.value.find((each) => each.id === id)?.length : undefined
      if (length === undefined || end <= length) yield* files.read(id, { start, end })
    },
  })),
  store('keeps what came before an error', ['files/an-error-of-the-content-leaves-nothing'], (files) => ({
    append: (id, content) =>
      slowly(() => collected(content)).andThen(({ bytes, error }) =>
        files.append(id, pieces(bytes)).andThen(() => (error === undefined ? ok() : err(error))),
      ),
  })),
  store('takes an error for the end', ['files/an-error-of-the-content-leaves-nothing'], (files) => ({
    append: (id, content) =>
      slowly(() => collected(content)).andThen(({ bytes }) => files.append(id, pieces(bytes))),
  })),
  store('replaces what is there', ['files/an-id-is-taken-once'], (files) => ({
    append: (id, content) => files.drop(id).andThen(() => files.append(id, content)),
  })),
  store('drops what is there when an id is taken', ['files/an-id-is-taken-once'], (files) => ({
    append: (id, content) =>
      files.append(id, content).orElse((error) => files.drop(id).andThen(() => err(error))),
  })),
  store('has one buffer for all', ['files/many-are-appended-at-once'], (files) => {
    let buffer: Uint8Array[] = []
    return {
      append: (id, content) =>
        files.append(
          id,
          (async function* () {
            for await (const piece of content) {
              if (piece.isErr()) throw new Error('no case makes it')
              buffer.push(piece.value)
              await pause()
            }
            yield ok(Buffer.concat(buffer))
            buffer = []
          })(),
        ),
    }
  }),
  store('answers that it has dropped what it keeps', ['files/what-is-dropped-is-gone'], () => ({
    drop: () => okAsync(),
  })),
  store('does not drop twice', ['files/what-is-dropped-is-gone'], (files) => ({
    drop: (id) =>
      files
        .page(undefined, 100)
        .andThen((all) =>
          all.some((each) => each.id === id)
            ? files.drop(id)
            : err({ code: 'storage_failed', detail: 'no such file' } as const),
        ),
  })),
  store('lists them as they came', ['files/a-page-lists-them-by-id'], (files) => ({
    page: (after, limit) => files.page(after, limit).map((all) => all.toReversed()),
  })),
  store('lists the first again', ['files/a-page-lists-them-by-id'], (files) => ({
    page: (_after, limit) => files.page(undefined, limit),
  })),
  {
    flaw: 'forgets everything in a crash',
    breaks: ['files/a-content-survives-a-crash'],
    harness: memoryFilesHarness({ reopened: () => new Map() }),
  },
  {
    flaw: 'loses the end of a content in a crash',
    breaks: ['files/a-content-survives-a-crash'],
    harness: memoryFilesHarness({
      reopened: (contents) =>
        new Map(
          [...contents].map(([id, content]) => [id, { ...content, bytes: content.bytes.slice(0, -1) }]),
        ),
    }),
  },
]

/** Flaws of ciphers of files. */
export const brokenFileCiphers: readonly Broken<FileCipherHarness>[] = [
  cipher('forgets the last piece', ['file-cipher/reads-what-it-wrote'], (fake) => ({
    async *encryptFile(place, key, content) {
      let before: Result<Uint8Array, never> | undefined
      for await (const piece of fake.encryptFile(place, key, content)) {
        if (piece.isErr()) throw new Error('no case makes it')
        if (before !== undefined) yield before
        before = ok(piece.value)
      }
    },
  })),
  cipher('reads all of it for a range', ['file-cipher/reads-a-range'], (fake) => ({
    async *decryptFile(place, file, { start, end }, read) {
      const all = await collected(fake.decryptFile(place, file, { start: 0, end: file.size }, read))
      yield all.map(({ bytes }) => bytes.slice(start, end))
    },
  })),
  cipher('gives whole chunks', ['file-cipher/reads-a-range'], (fake) => ({
    decryptFile: (place, file, { start, end }, read) =>
      fake.decryptFile(place, file, { start: start - (start % 65_536), end }, read),
  })),
  cipher('does not encrypt', ['file-cipher/notices-changes', 'file-cipher/binds-to-the-place'], () => ({
    encryptFile: (_place, _key, content) => content,
    decryptFile: (_place, _file, range, read) => read(range),
    storedLength: (size) => size,
  })),
  ...(['accountId', 'secretId', 'fileId'] as const).map((name) =>
    cipher(`does not bind to the ${name}`, ['file-cipher/binds-to-the-place'], (fake) => ({
      encryptFile: (place, ...rest) => fake.encryptFile({ ...place, [name]: 'any' }, ...rest),
      decryptFile: (place, ...rest) => fake.decryptFile({ ...place, [name]: 'any' }, ...rest),
    })),
  ),
  cipher('has one key for all', ['file-cipher/binds-to-the-place'], () => ({
    newFileKey: () => new Uint8Array(32),
  })),
  cipher('takes an error for the end', ['file-cipher/passes-errors-on'], (fake) => ({
    encryptFile: (place, key, content) => fake.encryptFile(place, key, endingEarly(content)),
  })),
  cipher('calls every error a corruption', ['file-cipher/passes-errors-on'], (fake) => ({
    decryptFile: (place, file, range, read) =>
      fake.decryptFile(place, file, range, (stored) => endingEarly(read(stored))),
  })),
  cipher('encrypts under the key as it is later', ['file-cipher/copies-the-key'], (fake) => ({
    async *encryptFile(place, key, content) {
      yield* fake.encryptFile(place, key, content)
    },
  })),
  cipher('leaves open what it reads', ['file-cipher/ends-what-it-reads'], () => ({
    async *encryptFile(_place, _key, content) {
      const next = await content[Symbol.asyncIterator]().next()
      if (next.done !== true) yield next.value
    },
  })),
  cipher('digests the last piece', ['file-cipher/digests-a-content'], (fake) => ({
    newContentDigest() {
      let last = fake.newContentDigest()
      return {
        add(bytes) {
          last = fake.newContentDigest()
          last.add(bytes)
        },
        digest: () => last.digest(),
      }
    },
  })),
  cipher('tells the size by the length', ['file-cipher/pads'], () => ({ storedLength: (size) => size })),
  cipher('pads to powers of two', ['file-cipher/pads'], () => ({
    storedLength: (size) => Math.max(4_096, 2 ** Math.ceil(Math.log2(size + 1))),
  })),
]

function store(
  flaw: string,
  breaks: readonly string[],
  change: (files: FileStore) => Partial<FileStore>,
): Broken<FileStoreHarness> {
  return {
    flaw,
    breaks,
    harness: memoryFilesHarness({ change: (files) => ({ ...files, ...change(files) }) }),
  }
}

function cipher(
  flaw: string,
  breaks: readonly string[],
  change: (fake: FileCipher) => Partial<FileCipher>,
): Broken<FileCipherHarness> {
  return { flaw, breaks, harness: fakeFileCipherHarness((fake) => ({ ...fake, ...change(fake) })) }
}

/** All bytes until the end or an error. */
async function collected<E>(content: Pieces<E>): Promise<Result<Collected<E>, never>> {
  const all: Uint8Array[] = []
  let error: E | undefined
  for await (const piece of content) {
    if (piece.isOk()) all.push(piece.value)
    else error = piece.error
  }
  return ok({ bytes: Buffer.concat(all), error })
}

interface Collected<E> {
  readonly bytes: Uint8Array
  readonly error: E | undefined
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Result<Uint8Array, never>, void, void> {
  yield await Promise.resolve(ok(bytes))
}

async function* endingEarly<E>(content: Pieces<E>): AsyncGenerator<Result<Uint8Array, E>, void, void> {
  for await (const piece of content) {
    if (piece.isErr()) return
    yield piece
  }
}
