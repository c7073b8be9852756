import { existsSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, rmdirSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { err } from 'neverthrow'
import { test } from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createFileStore } from '../../src/files/file-store.ts'
import {
  all,
  content,
  failed,
  id,
  idOf,
  listed,
  replace,
  systemError,
  textOf,
  watchOpen,
} from '../support/file-store.ts'
import { temporaryDir } from '../support/helpers.ts'

const skip = existsSync('/proc/self/fd') ? false : 'the open files of a process are not listed here'

/** The descriptors of this process that lead to the directory, those of removed files included. */
function openIn(directory: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
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
    t.same(expectErr(await files.append(id, content('ciphertext'))), failed)
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
})

test('a disk without room for a directory is full', async (t) => {
  const files = createFileStore({ directory: temporaryDir(t) })
  replace(t, { mkdir: () => Promise.reject(systemError('ENOSPC')) })
  t.match(expectErr(await files.append(id, content('ciphertext'))), { reason: 'full' })
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

test('a directory that goes with its last file is made again for a new one, five times', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  for (const [removed, opened] of [
    [5, 6],
    [6, 6],
  ] as const) {
    let times = 0
    await t.test(`removed ${removed} times`, async (t) => {
      watchOpen(t, {
        before(path) {
          if (path.endsWith(id) && (times += 1) <= removed) rmdirSync(dirname(path))
        },
      })
      const appended = await files.append(id, content('ciphertext'))
      if (removed === 5) t.equal(await textOf(files.read(id, all)), 'ciphertext')
      else t.same(expectErr(appended), { code: 'storage_unavailable', reason: 'moved' })
    })
    // The reader has opened it once more.
    t.equal(times, removed === 5 ? opened + 1 : opened)
    expectOk(await files.drop(id))
  }
})

test('an id that is taken is not tried again', async (t) => {
  const files = createFileStore({ directory: temporaryDir(t) })
  expectOk(await files.append(id, content('one')))
  const opened: string[] = []
  watchOpen(t, { before: (path) => void opened.push(path) })
  t.same(expectErr(await files.append(id, content('two'))), { code: 'storage_failed', detail: 'EEXIST' })
  t.equal(opened.length, 1)
})

test('what the disk does not read or remove is an error, and not a file that is missing', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  mkdirSync(join(directory, '0192f3', id), { recursive: true })
  for await (const piece of files.read(id, all))
    t.same(expectErr(piece), { code: 'storage_failed', detail: 'EISDIR' })
  expectOk(await files.append(idOf(2), content('x')))
  await t.test('a directory', async (t) => {
    replace(t, { readdir: () => Promise.reject(systemError('EIO')) })
    t.same(expectErr(await files.page(undefined, 10)), failed)
  })
  await t.test('one that is not empty, as POSIX allows to say it', async (t) => {
    replace(t, { rmdir: () => Promise.reject(systemError('EEXIST')) })
    expectOk(await files.drop(idOf(3)))
  })
  replace(t, { rmdir: () => Promise.reject(systemError('EIO')) })
  t.same(expectErr(await files.drop(idOf(2))), failed)
})

test('what this user may not write is unavailable until an operator gives it back', async (t) => {
  const files = createFileStore({ directory: temporaryDir(t) })
  for (const code of ['EACCES', 'EPERM']) {
    watchOpen(t, {
      before() {
        throw systemError(code)
      },
    })
    t.same(expectErr(await files.append(id, content('ciphertext'))), { ...failed, detail: code })
  }
})

test('no descriptor stays open, whoever ends the reading or writing', { skip }, async (t) => {
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
  await t.test('on a full disk', async (t) => {
    watchOpen(t, {
      write() {
        throw systemError('ENOSPC')
      },
    })
    expectErr(await files.append(idOf(2), content(big)))
  })
  rmSync(join(directory, '0192f3', id))
  for await (const piece of files.read(id, all)) t.equal(expectErr(piece).code, 'file_missing')
  t.same(openIn(directory), [])
  t.same(await listed(files), [])
})
