import { chmodSync, mkdirSync, promises, statSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import t from 'tap'
import { makePrivateDirectory, syncPath, syncPathAsync } from '../src/index.ts'
import { systemError, upwards, watchFiles } from './support/watch-files.ts'

const synced = (path: string): string[] => upwards(path).map((each) => `sync ${each}`)

t.test('a directory is synced with all directories above it', async (t) => {
  const directory = t.testdir()
  const calls = watchFiles(t)
  syncPath(directory)
  t.strictSame(calls, synced(directory))
})

t.test(
  'behind symbolic links, the directories above each link and above its target are synced',
  async (t) => {
    const directory = t.testdir({ real: { keys: { file: '' } }, links: {}, start: {} })
    symlinkSync('../real/keys', join(directory, 'links', 'keys'))
    symlinkSync(join(directory, 'links'), join(directory, 'start', 'links'))
    const calls = watchFiles(t)
    syncPath(join(directory, 'start', 'links', 'keys'))
    for (const each of ['real/keys', 'real', 'links', 'start', '.'])
      t.ok(calls.includes(`sync ${join(directory, each)}`), each)
    t.equal(new Set(calls).size, calls.length, 'none twice')
  },
)

for (const code of ['EACCES', 'EPERM', 'EINVAL', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP']) {
  t.test(`a directory that cannot be synced (${code}) is skipped`, async (t) => {
    const directory = t.testdir()
    const skipped = dirname(directory)
    const calls = watchFiles(t, { [skipped]: code })
    syncPath(directory)
    t.strictSame(
      calls,
      synced(directory).filter((call) => call !== `sync ${skipped}`),
    )
  })
}

t.test('a disk that fails is an error', async (t) => {
  const directory = t.testdir()
  watchFiles(t, { [dirname(directory)]: 'EIO' })
  t.throws(() => syncPath(directory), { code: 'EIO' })
  t.throws(() => syncPath(join(directory, 'missing')), { code: 'ENOENT' })
})

t.test(
  'without holding the event loop up, the same directories are synced, and the same skipped',
  async (t) => {
    const directory = t.testdir({ real: { file: '' } })
    symlinkSync('real', join(directory, 'link'))
    const calls = watchFiles(t)
    syncPath(join(directory, 'link'))
    const synced = [...calls]
    const skipped = `sync ${join(directory, 'real')}`
    const { open } = promises
    const failing = (code: string) => {
      promises.open = async (path) => {
        const file = await open(path)
        file.sync = () => {
          if (`sync ${String(path)}` === skipped) return Promise.reject(systemError(code))
          calls.push(`sync ${String(path)}`)
          return Promise.resolve()
        }
        return file
      }
      syncBuiltinESMExports()
      calls.length = 0
      return syncPathAsync(join(directory, 'link'))
    }
    t.teardown(() => {
      promises.open = open
      syncBuiltinESMExports()
    })
    await failing('EROFS')
    t.strictSame(
      calls,
      synced.filter((call) => call !== skipped),
    )
    await t.rejects(failing('EIO'), { code: 'EIO' })
    await t.rejects(syncPathAsync(join(directory, 'missing')), { code: 'ENOENT' })
  },
)

t.test('a private directory is created with those above it, durably, whatever the umask', async (t) => {
  const path = join(t.testdir(), 'some', 'where')
  const umask = process.umask(0)
  t.teardown(() => process.umask(umask))
  const calls = watchFiles(t)
  makePrivateDirectory(path)
  for (const made of [path, dirname(path)]) t.equal(statSync(made).mode & 0o777, 0o700)
  t.strictSame(calls, synced(path))
})

t.test('a directory that exists is neither changed nor synced', async (t) => {
  const path = join(t.testdir(), 'shared')
  mkdirSync(path)
  chmodSync(path, 0o755)
  const calls = watchFiles(t)
  makePrivateDirectory(path)
  t.equal(statSync(path).mode & 0o777, 0o755)
  t.strictSame(calls, [])
})
