import { chmodSync, constants, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { expectErr, expectOk } from '@sotto/test-kit'
import { sqliteDriver } from '../../src/identity.ts'
import { replace, systemError } from '../support/file-store.ts'
import { quiet, temporaryDir } from '../support/helpers.ts'

// Promise (Installing and operating): `/readyz` is red and `doctor` fails while this user may not write `files/`, or its disk is read-only
test('canWrite fails, and examine says what to do, while contents may not be written', async (t) => {
  const dataDir = temporaryDir(t)
  const directory = join(dataDir, 'files')
  const { upkeep, close } = expectOk(await sqliteDriver({ dataDir }).open(quiet))
  const isFine = async (why: string) => {
    expectOk(await upkeep.canWrite())
    t.notOk(
      (await upkeep.examine()).some(({ check }) => check === 'files'),
      why,
    )
  }
  const isRefused = async (error: object, why: string) => {
    t.match(expectErr(await upkeep.canWrite()), error)
    const text = `${directory} cannot be written (${why}), so no file is taken: give it to the user of the server, on a disk that is not read-only`
    t.same((await upkeep.examine()).at(-1), { check: 'files', ok: false, text })
  }
  await isFine('the first upload makes the directory')
  for (const code of ['EACCES', 'EROFS'])
    await t.test(code, async (t) => {
      mkdirSync(directory)
      replace(t, {
        access: (path: string, mode: number) =>
          path.startsWith(directory) && mode === (constants.W_OK | constants.X_OK)
            ? Promise.reject(systemError(code))
            : Promise.resolve(),
      })
      await isRefused({ code: 'storage_unavailable', reason: 'disk_failed', detail: code }, code)
      rmdirSync(directory)
      replace(t, {
        access: (path: string) => Promise.reject(systemError(path.startsWith(directory) ? 'ENOENT' : code)),
      })
      await isRefused({ reason: 'disk_failed', detail: code }, code)
    })
  writeFileSync(directory, '', { mode: 0o700 })
  await isRefused({ code: 'storage_failed', detail: 'ENOTDIR' }, 'ENOTDIR')
  await close()
})

const skip = process.getuid?.() === 0 ? 'the superuser may write everywhere' : false

test('the mode of the directory decides', { skip }, async (t) => {
  const dataDir = temporaryDir(t)
  const directory = join(dataDir, 'files')
  const { upkeep, close } = expectOk(await sqliteDriver({ dataDir }).open(quiet))
  mkdirSync(directory)
  expectOk(await upkeep.canWrite())
  for (const mode of [0o500, 0o600]) {
    chmodSync(directory, mode)
    t.match(expectErr(await upkeep.canWrite()), { reason: 'disk_failed', detail: 'EACCES' })
  }
  chmodSync(directory, 0o700)
  expectOk(await upkeep.canWrite())
  await close()
})
