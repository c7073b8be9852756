import {
  mkdirSync,
  promises,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { err, ok } from 'neverthrow'
import { test, type Test } from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import type { FileStore, Pieces } from '@sotto/core'
import { createFileStore } from '../../src/files/file-store.ts'
import { temporaryDir } from '../support/helpers.ts'

const idOf = (nth: number) => `0192f3c4-0000-7000-8000-00000000000${nth}`
const id = idOf(1)
const all = { start: 0, end: 1e9 }

async function* content(...pieces: readonly (Uint8Array | string)[]) {
  for (const piece of pieces) yield await Promise.resolve(ok(Buffer.from(piece)))
}

async function textOf(pieces: Pieces<unknown>): Promise<string> {
  const read: Uint8Array[] = []
  for await (const piece of pieces) read.push(expectOk(piece))
  return Buffer.concat(read).toString()
}

async function listed(files: FileStore): Promise<readonly string[]> {
  return expectOk(await files.page(undefined, 100)).map(({ id }) => id)
}

interface Watched {
  /** Called before a file or directory is opened. */
  readonly before?: (path: string) => void
  /** Called instead of its `sync`. */
  readonly sync?: (path: string) => void
  /** How many of so many bytes are written. */
  readonly write?: (bytes: number) => number
}

/** Watches what the store does to files until the test ends. */
function watchOpen(t: Test, { before, sync, write }: Watched): void {
  const { open } = promises
  promises.open = async (...args) => {
    before?.(String(args[0]))
    const file = await open(...args)
    if (sync !== undefined) file.sync = () => Promise.resolve().then(() => sync(String(args[0])))
    if (write === undefined) return file
    const whole = file.write.bind(file) as (bytes: Buffer, at: number, length: number) => Promise<unknown>
    const part = (bytes: Buffer, at: number) => whole(bytes, at, write(bytes.length - at))
    return Object.assign(file, { write: part })
  }
  syncBuiltinESMExports()
  t.teardown(() => {
    promises.open = open
    syncBuiltinESMExports()
  })
}

function systemError(code: string, errno = 0): Error {
  return Object.assign(new Error(code), { code, errno, syscall: 'fsync' })
}

/** The descriptors of this process that lead to the directory. */
function openIn(directory: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = realpathSync(`/proc/self/fd/${fd}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      return []
    }
  })
}

// Promise (Sealed at rest): A file is on the disk before the secret that names it: its bytes first, then its name and all directories above
test('a content is synced, and then all directories that lead to it, before append answers', async (t) => {
  const directory = join(temporaryDir(t), 'files')
  const synced: string[] = []
  watchOpen(t, { sync: (path) => void synced.push(path) })
  expectOk(await createFileStore({ directory }).append(id, content('ciphertext')))
  t.same(synced.slice(0, 4), [
    join(directory, '0192f3', id),
    join(directory, '0192f3'),
    directory,
    dirname(directory),
  ])
  t.equal(synced.at(-1), '/')
})

for (const [what, path] of [
  ['its bytes', `0192f3/${id}`],
  ['its name', '0192f3'],
  ['the name of its directory', '.'],
] as const)
  test(`a disk that does not keep ${what} is an error, after which nothing stays`, async (t) => {
    const directory = temporaryDir(t)
    const files = createFileStore({ directory })
    watchOpen(t, {
      sync(synced) {
        if (synced === join(directory, path)) throw systemError('EIO')
      },
    })
    t.same(expectErr(await files.append(id, content('ciphertext'))), {
      code: 'storage_unavailable',
      reason: 'disk_failed',
      detail: 'EIO',
    })
    t.same(readdirSync(directory), [])
  })

test('a quota of the disk that is used up is a full disk', async (t) => {
  const directory = temporaryDir(t)
  const { EDQUOT } = constants.errno
  watchOpen(t, {
    sync() {
      throw systemError(`Unknown system error -${EDQUOT}`, -EDQUOT)
    },
  })
  t.same(expectErr(await createFileStore({ directory }).append(id, content('ciphertext'))), {
    code: 'storage_unavailable',
    reason: 'full',
  })
})

test('a disk that becomes full takes nothing, and keeps what it has', async (t) => {
  const directory = realpathSync(temporaryDir(t))
  const files = createFileStore({ directory })
  expectOk(await files.append(id, content('kept')))
  let left = 1_000_000
  watchOpen(t, {
    write(bytes) {
      if (left === 0) throw systemError('ENOSPC')
      // As a disk does: the last write is a part of what it was given.
      const written = Math.min(bytes, left)
      left -= written
      return written
    },
  })
  const half = Buffer.alloc(600_000, 'x')
  t.same(expectErr(await files.append(idOf(2), content(half, half))), {
    code: 'storage_unavailable',
    reason: 'full',
  })
  t.same(await listed(files), [id])
  t.equal(await textOf(files.read(id, all)), 'kept')
  left = 1_300_000
  expectOk(await files.append(idOf(2), content(half, half)))
  t.equal(await textOf(files.read(idOf(2), all)), 'x'.repeat(1_200_000))
  t.same(openIn(directory), [])
})

test('a write that the disk takes in parts is repeated with the rest', async (t) => {
  const files = createFileStore({ directory: temporaryDir(t) })
  watchOpen(t, { write: (bytes) => Math.min(bytes, 3) })
  expectOk(await files.append(id, content('cipher', 'text')))
  t.equal(await textOf(files.read(id, all)), 'ciphertext')
})

test('a content that is dropped while it arrives is not stored', async (t) => {
  const files = createFileStore({ directory: temporaryDir(t) })
  // Keeps the directory, so that nothing but the file is missing.
  expectOk(await files.append(idOf(2), content('x')))
  const pieces = async function* () {
    yield* content('cipher')
    expectOk(await files.drop(id))
    yield* content('text')
  }
  t.match(expectErr(await files.append(id, pieces())), { code: 'storage_failed' })
  t.same(await listed(files), [idOf(2)])
})

test('of two that append under one id, the second one is refused and leaves the first one alone', async (t) => {
  const directory = temporaryDir(t)
  const [first, second] = [createFileStore({ directory }), createFileStore({ directory })]
  const pieces = async function* () {
    yield* content('one')
    t.match(expectErr(await second.append(id, content('two'))), { code: 'storage_failed', detail: 'EEXIST' })
    yield* content('one')
  }
  expectOk(await first.append(id, pieces()))
  t.equal(await textOf(second.read(id, all)), 'oneone')
})

test('a directory that goes with its last file is made again for a new one', async (t) => {
  const directory = temporaryDir(t)
  let times = 0
  watchOpen(t, {
    before(path) {
      if (path.endsWith(id) && (times += 1) <= 3) rmdirSync(dirname(path))
    },
  })
  const files = createFileStore({ directory })
  expectOk(await files.append(id, content('ciphertext')))
  t.equal(times, 4)
  t.equal(await textOf(files.read(id, all)), 'ciphertext')
})

test('a page leaves out what is no file of ours, and nothing else', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  for (const nth of [3, 5, 6]) expectOk(await files.append(idOf(nth), content('x')))
  const later = '0192f400-0000-7000-8000-000000000001'
  expectOk(await files.append(later, content('x')))
  mkdirSync(join(directory, '0192f3', idOf(1)))
  symlinkSync('/nowhere', join(directory, '0192f3', idOf(2)))
  symlinkSync(idOf(3), join(directory, '0192f3', idOf(4)))
  mkdirSync(join(directory, 'backup'))
  writeFileSync(join(directory, 'backup', idOf(7)), '')
  const ids = (page: Awaited<ReturnType<FileStore['page']>>) => expectOk(page).map(({ id }) => id)
  t.same(ids(await files.page(undefined, 2)), [idOf(3), idOf(4)], 'a link to a file is a file')
  t.same(ids(await files.page(idOf(4), 2)), [idOf(5), idOf(6)])
  t.same(ids(await files.page(idOf(6), 2)), [later])
})

test('no descriptor stays open, whoever ends the reading or writing', async (t) => {
  const directory = realpathSync(temporaryDir(t))
  const files = createFileStore({ directory })
  const big = Buffer.alloc(1_000_000)
  expectOk(await files.append(id, content(big)))
  for await (const piece of files.read(id, all)) {
    expectOk(piece)
    t.equal(openIn(directory).length, 1)
    break
  }
  await t.rejects(async () => {
    for await (const _ of files.read(id, all)) throw new Error('a reader that fails')
  })
  const cutOff = async function* () {
    yield* content(big)
    yield err({ code: 'cut_off' } as const)
  }
  expectErr(await files.append(idOf(2), cutOff()))
  const broken = async function* () {
    yield* content(big)
    throw new Error('a source that fails')
  }
  t.match(expectErr(await files.append(idOf(2), broken())), { code: 'storage_failed' })
  rmSync(join(directory, '0192f3', id))
  for await (const piece of files.read(id, all)) t.equal(expectErr(piece).code, 'file_missing')
  t.same(openIn(directory), [])
  t.same(await listed(files), [])
})
