import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok } from 'neverthrow'
import { test } from 'tap'
import { fileStoreContract, runContract } from '@sotto/test-kit'
import { createFileStore } from '../../src/files/file-store.ts'
import { temporaryDir } from '../support/helpers.ts'

runContract(test, fileStoreContract, {
  supports: ['reopen'],
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'sotto-files-'))
    return Promise.resolve({
      files: createFileStore({ directory }),
      reopen: () => Promise.resolve(createFileStore({ directory })),
      dispose() {
        rmSync(directory, { recursive: true, force: true })
        return Promise.resolve()
      },
    })
  },
})

const id = '0192f3c4-0000-7000-8000-000000000001'

async function* content() {
  yield await Promise.resolve(ok(Buffer.from('ciphertext')))
}

test('files are private, and their directory goes with the last one', async (t) => {
  const directory = join(temporaryDir(t), 'files')
  const files = createFileStore({ directory })
  t.ok((await files.append(id, content())).isOk())
  t.equal(statSync(join(directory, '0192f3', id)).mode & 0o777, 0o600)
  t.equal(statSync(directory).mode & 0o777, 0o700)
  t.ok((await files.drop(id)).isOk())
  t.same(readdirSync(directory), [])
})

test('where the data was moved away, nothing is stored and no directory is made', async (t) => {
  const away = join(temporaryDir(t), 'data')
  const files = createFileStore({ directory: join(away, 'files') })
  t.match((await files.append(id, content()))._unsafeUnwrapErr(), {
    code: 'storage_unavailable',
    reason: 'moved',
  })
  t.notOk(existsSync(away))
})

test('what is not a file of ours is not listed, and no id leads out of the directory', async (t) => {
  const directory = temporaryDir(t)
  const files = createFileStore({ directory })
  mkdirSync(join(directory, '0192f3'))
  for (const name of ['notes.txt', '0192f3/lost+found', '0192f3/.x']) writeFileSync(join(directory, name), '')
  t.same((await files.page(undefined, 10))._unsafeUnwrap(), [])
  for await (const piece of files.read('../../../etc/passwd', { start: 0, end: 10 }))
    t.equal(piece.isErr() && piece.error.code, 'file_missing')
})
