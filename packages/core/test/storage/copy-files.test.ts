import t, { type Test } from 'tap'
import { createMemoryFiles, expectErr, expectOk, type MemoryFiles } from '@sotto/test-kit'
import { err, errAsync, ok, okAsync } from 'neverthrow'
import type { FileStore } from '../../src/files/file-store.ts'
import type { TransferredFile } from '../../src/storage/transfer.ts'
import { copyFiles } from '../../src/storage/copy-files.ts'

const broken = { code: 'storage_failed', detail: 'broken' } as const
const idOf = (nth: number) => `0192f3c4-${String(nth).padStart(4, '0')}-7000-8000-000000000000`

/** A source with these contents, each of a file that is needed. */
function sourceOf(contents: readonly Uint8Array[], more: readonly TransferredFile[] = []) {
  const fileContents = filesOf(contents)
  const files = contents.map((_, at) => ({ id: idOf(at), secretId: 'a secret', isNeeded: true }))
  const all = [...files, ...more]
  const limits: number[] = []
  return {
    fileContents,
    limits,
    files(after: string | undefined, limit: number) {
      limits.push(limit)
      return okAsync(all.filter(({ id }) => id > (after ?? '')).slice(0, limit))
    },
  }
}

function filesOf(contents: readonly (Uint8Array | undefined)[]): MemoryFiles {
  const stored = contents.map((bytes, at) => [idOf(at), bytes] as const)
  return createMemoryFiles(
    new Map(
      stored.flatMap(([id, bytes]) => (bytes === undefined ? [] : [[id, { bytes, writtenAtMicros: 1 }]])),
    ),
  )
}

/** The same store, which gives contents in pieces of this length, some of them empty. */
function inPieces(files: FileStore, length: number): FileStore {
  return {
    ...files,
    async *read(id, range) {
      for await (const whole of files.read(id, range)) {
        if (whole.isErr()) {
          yield whole
          return
        }
        for (let at = 0; at < whole.value.length; at += length) {
          yield ok(new Uint8Array())
          yield ok(whole.value.slice(at, at + length))
        }
      }
      yield ok(new Uint8Array())
    },
  }
}

const bytes = (...values: readonly number[]) => Uint8Array.from(values)
const sameIn = (t: Test, target: MemoryFiles, contents: readonly Uint8Array[]) =>
  t.strictSame(
    [...target.contents.values()].map((content) => content.bytes),
    contents,
  )

t.test('every content is copied once, whatever the pieces are, and counted', async (t) => {
  const contents = [bytes(0), bytes(), bytes(1, 2, 3, 4, 5), new Uint8Array(1_000).fill(7)]
  const source = sourceOf(contents)
  const target = filesOf([])
  const progress: unknown[] = []
  const places = [
    { ...source, fileContents: inPieces(source.fileContents, 3) },
    { fileContents: inPieces(target, 2) },
  ] as const
  const moved = await copyFiles(...places, (each) => progress.push(each))
  t.strictSame(expectOk(moved), { files: 4, bytes: 1_006 })
  t.strictSame(progress.slice(0, 3), [
    { files: 1, bytes: 1 },
    { files: 2, bytes: 1 },
    { files: 3, bytes: 6 },
  ])
  sameIn(t, target, contents)
})

t.test('files are asked for a hundred at a time, until there are no more', async (t) => {
  const contents = Array.from({ length: 200 }, (_, at) => bytes(at))
  const source = sourceOf(contents)
  const target = filesOf([])
  t.match(expectOk(await copyFiles(source, { fileContents: target })), { files: 200 })
  sameIn(t, target, contents)
  t.strictSame(source.limits, [100, 100, 100])
})

t.test('a content that the target has is only compared; one that differs is copied again', async (t) => {
  for (const length of [1, 10]) {
    const [same, empty] = [bytes(1, 2, 3), bytes()]
    const source = sourceOf([same, same, same, same, same, empty])
    const different = [bytes(1, 2), bytes(1, 2, 4), bytes(1, 4, 3), bytes(1, 2, 3, 0), bytes(9)]
    const target = filesOf([same, ...different])
    const pieces = inPieces(target, length)
    const appended: string[] = []
    let readings = 0
    const fileContents: FileStore = {
      ...target,
      append(id, content) {
        appended.push(id)
        return target.append(id, content)
      },
      async *read(id, range) {
        readings += 1
        try {
          yield* pieces.read(id, range)
        } finally {
          readings -= 1
        }
      },
    }
    expectOk(await copyFiles(source, { fileContents }))
    t.strictSame(appended, [1, 2, 3, 4, 5].map(idOf))
    sameIn(t, target, [same, same, same, same, same, empty])
    t.equal(readings, 0, 'every reading was ended')
  }
})

t.test('a content that still differs when it was copied is an error', async (t) => {
  const target = filesOf([])
  const append: FileStore['append'] = (id) => {
    target.contents.set(id, { bytes: bytes(1, 2), writtenAtMicros: 1 })
    return okAsync()
  }
  const moved = await copyFiles(sourceOf([bytes(1, 2, 3)]), { fileContents: { ...target, append } })
  t.strictSame(expectErr(moved), { code: 'move_differs', table: 'files' })
})

t.test('a content that is missing is an error only if it is needed', async (t) => {
  const [id, secretId] = [idOf(500), 'another secret']
  const unneeded = sourceOf([bytes(1)], [{ id, secretId, isNeeded: false }])
  const target = filesOf([])
  t.strictSame(expectOk(await copyFiles(unneeded, { fileContents: target })), { files: 1, bytes: 1 })
  sameIn(t, target, [bytes(1)])
  const needed = sourceOf([], [{ id, secretId, isNeeded: true }])
  t.strictSame(expectErr(await copyFiles(needed, { fileContents: filesOf([]) })), {
    code: 'move_file_missing',
    id,
    secretId,
  })
})

t.test('a source or a target that fails ends the move with its error', async (t) => {
  const source = sourceOf([bytes(1, 2)])
  const target = filesOf([])
  const failing: FileStore = {
    append: () => errAsync(broken),
    drop: () => errAsync(broken),
    freeBytes: () => errAsync(broken),
    page: () => errAsync(broken),
    async *read() {
      yield await Promise.resolve(err(broken))
    },
  }
  const moves = [
    copyFiles({ ...source, files: () => errAsync(broken) }, { fileContents: target }),
    copyFiles({ ...source, fileContents: failing }, { fileContents: target }),
    copyFiles(source, { fileContents: failing }),
    copyFiles(source, { fileContents: { ...target, read: failing.read } }),
    copyFiles(source, { fileContents: { ...target, drop: failing.drop } }),
    copyFiles(source, { fileContents: { ...target, append: failing.append } }),
  ]
  for (const moved of moves) t.strictSame(expectErr(await moved), broken)
  const kept = filesOf([bytes(9)])
  expectErr(await copyFiles({ ...source, fileContents: failing }, { fileContents: kept }))
  sameIn(t, kept, [bytes(9)])
})
