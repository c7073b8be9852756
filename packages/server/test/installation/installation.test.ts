import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { readSettings } from '../../src/config/settings.ts'
import { openInstallation, type Installation } from '../../src/installation/installation.ts'

/** A directory for an installation, and functions that open it. */
function place(t: Test) {
  const cwd = t.testdir()
  const open = async () => {
    const settings = expectOk(readSettings({}, cwd))
    return openInstallation({ settings, onFatal: () => t.fail('fatal'), log: () => {} })
  }
  return {
    keys: join(cwd, 'keys', 'sotto-keys.json'),
    data: join(cwd, 'data'),
    database: join(cwd, 'data', 'sotto.sqlite'),
    /** Opens the installation, runs `work` with it and closes it. */
    async use<T>(work: (installation: Installation) => PromiseLike<T>): Promise<T> {
      const installation = expectOk(await open())
      try {
        return await work(installation)
      } finally {
        await installation.close()
      }
    },
    /** The code of the error with which the installation does not open. */
    async error(): Promise<string> {
      const opened = await open()
      if (opened.isOk()) await opened.value.close()
      return opened.isErr() ? opened.error.code : 'none'
    },
  }
}

const email = 'ann@example.org'

async function addAnn({ sotto }: Installation): Promise<void> {
  expectOk(await sotto.createAccount({ email }))
}

async function hasAnn({ sotto }: Installation): Promise<boolean> {
  const found = await sotto.findAccount({ email })
  return found.isOk()
}

t.test(
  'without any files a key file and a database are created, readable by their owner only, and used again',
  async (t) => {
    const { keys, data, database, use } = place(t)
    await use(addAnn)
    for (const [path, mode] of [
      [keys, 0o600],
      [database, 0o600],
      [data, 0o700],
    ] as const) {
      t.equal(statSync(path).mode & 0o777, mode, path)
    }
    const made = readFileSync(keys)
    t.ok(await use(hasAnn))
    t.strictSame(readFileSync(keys), made)
  },
)

t.test('a key file without a database is used again', async (t) => {
  const { keys, data, use } = place(t)
  await use(async () => undefined)
  const made = readFileSync(keys)
  rmSync(data, { recursive: true })
  await use(addAnn)
  t.strictSame(readFileSync(keys), made)
  t.ok(await use(hasAnn))
})

t.test('a database without its key file is refused, and no new key is created', async (t) => {
  const { keys, database, use, error } = place(t)
  await use(addAnn)
  const before = readFileSync(database)
  renameSync(keys, `${keys}.away`)
  t.equal(await error(), 'key_file_lost')
  t.notOk(existsSync(keys))
  t.strictSame(readFileSync(database), before)
  renameSync(`${keys}.away`, keys)
  t.ok(await use(hasAnn))
})

t.test('a key that was activated after a backup can be used with the restored database', async (t) => {
  const { keys, use } = place(t)
  await use(addAnn)
  const file = JSON.parse(readFileSync(keys, 'utf8')) as { keys: object[] }
  const second = { ...file.keys[0], kid: 2, key: Buffer.alloc(32, 7).toString('base64') }
  writeFileSync(keys, JSON.stringify({ ...file, active_kid: 2, next_kid: 3, keys: [...file.keys, second] }))
  const created = await use(({ sotto }) => sotto.createAccount({ email: 'bob@example.org' }))
  t.ok(created.isOk(), 'rows can be written under it')
  t.ok(await use(hasAnn), 'rows under the older key can be read')
})

t.test('a data directory that cannot be used is refused before a key file is created', async (t) => {
  const { keys, data, error } = place(t)
  writeFileSync(data, 'a file')
  t.equal(await error(), 'database_not_writable')
  t.notOk(existsSync(keys))
  t.equal(readFileSync(data, 'utf8'), 'a file')
})

t.test(
  'a data directory without write permission is refused',
  { skip: process.getuid?.() === 0 && 'root may write anywhere' },
  async (t) => {
    const { keys, data, error } = place(t)
    mkdirSync(data, { mode: 0o500 })
    t.equal(await error(), 'database_not_writable')
    t.notOk(existsSync(keys))
  },
)

t.test('an empty database file is treated as no database', async (t) => {
  const { keys, data, database, use } = place(t)
  mkdirSync(data)
  writeFileSync(database, '')
  await use(addAnn)
  t.ok(existsSync(keys))
})
