import { mkdirSync, promises, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import type { FileStore } from '@sotto/core'
import { expectErr, expectOk } from '@sotto/test-kit'
import { createFileStore } from '../../src/files/file-store.ts'
import { content, failed, id, idOf, listed, replace, systemError } from '../support/file-store.ts'
import { temporaryDir } from '../support/helpers.ts'

test('a page leaves out what is no file of ours, and nothing else, in whatever order the disk lists it', async (t) => {
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
  const { readdir } = promises
  replace(t, { readdir: async (path: string) => (await readdir(path)).toReversed() })
  const ids = (page: Awaited<ReturnType<FileStore['page']>>) => expectOk(page).map(({ id }) => id)
  t.same(ids(await files.page(undefined, 2)), [idOf(3), idOf(4)], 'a link to a file is a file')
  t.same(ids(await files.page(idOf(4), 2)), [idOf(5), idOf(6)])
  t.same(ids(await files.page(idOf(6), 2)), [later])
})

test('a page says when a content was written, and fails where the disk does not tell', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  expectOk(await files.append(id, content('x')))
  utimesSync(join(directory, '0192f3', id), 1, 1_234.5)
  t.same(expectOk(await files.page(undefined, 10)), [{ id, length: 1, writtenAtMicros: 1_234_500_000 }])
  replace(t, { stat: () => Promise.reject(systemError('EIO')) })
  t.same(expectErr(await files.page(undefined, 10)), failed)
})

test('a page does not read the directories before it', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  const later = '0192f400-0000-7000-8000-000000000001'
  for (const each of [id, later]) expectOk(await files.append(each, content('x')))
  const read: string[] = []
  const { readdir } = promises
  replace(t, {
    readdir(path: string) {
      read.push(path)
      return readdir(path)
    },
  })
  expectOk(await files.page(later, 10))
  t.same(read, [directory, join(directory, '0192f4')])
})

test('before the first file there is no directory, and in it there may be other things', async (t) => {
  const directory = join(temporaryDir(t), 'files')
  const files = createFileStore({ directory })
  t.same(await listed(files), [])
  expectOk(await files.drop(id))
  mkdirSync(directory)
  writeFileSync(join(directory, '0192f3'), '')
  t.same(await listed(files), [])
  t.match(expectErr(await files.append(id, content('x'))), { code: 'storage_failed' })
})
