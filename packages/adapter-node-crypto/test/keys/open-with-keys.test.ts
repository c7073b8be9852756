import { existsSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, createMemoryStorage, expectErr, expectOk, noonMicros } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { openWithKeys, type OpenWithKeysOptions } from '../../src/keys/open-with-keys.ts'

/** A place in memory, and what happens there. */
function place(t: Test) {
  const data = createMemoryStorage({ activeKids: [] })
  const keyFile = join(t.testdir(), 'keys', 'keys.json')
  const happened: string[] = []
  let hasData = false
  const driver: OpenWithKeysOptions['driver'] = {
    hasData: () => okAsync(hasData),
    prepare() {
      happened.push('prepared')
      return okAsync(undefined)
    },
    open() {
      happened.push(existsSync(keyFile) ? 'opened' : 'opened without keys')
      hasData = true
      return okAsync({
        ...data,
        close() {
          happened.push('closed')
          return Promise.resolve()
        },
      })
    },
  }
  const options = {
    driver,
    keyFile,
    clock: createManualClock(noonMicros),
    onFatal: () => t.fail('the disk failed'),
    log: () => undefined,
  }
  return { options, keyFile, happened }
}

t.test(
  'the first opening makes a key file before it opens the storage, and gives the storage its key',
  async (t) => {
    const { options, keyFile, happened } = place(t)
    const { storage, ring } = expectOk(await openWithKeys(options))
    t.strictSame(happened, ['prepared', 'opened'])
    t.equal(statSync(keyFile).mode & 0o777, 0o600)
    t.match(expectOk(await storage.keys.list()), [{ kid: ring.activeKid() }])
    const again = expectOk(await openWithKeys(options))
    t.strictSame(happened, ['prepared', 'opened', 'opened'], 'what is there is not prepared again')
    t.equal(again.ring.activeKid(), ring.activeKid())
    t.strictSame(again.ring.checkValue(1), ring.checkValue(1))
  },
)

t.test('data without its key file is not opened, and gets no other key', async (t) => {
  const { options, keyFile, happened } = place(t)
  expectOk(await openWithKeys(options))
  renameSync(keyFile, `${keyFile}.away`)
  t.strictSame(expectErr(await openWithKeys(options)), { code: 'key_file_lost', path: keyFile })
  t.strictSame(happened, ['prepared', 'opened'])
  t.notOk(existsSync(keyFile))
})

t.test('another key than that of the data is refused, and the storage is closed again', async (t) => {
  const { options, keyFile, happened } = place(t)
  expectOk(await openWithKeys(options))
  const other = place(t)
  expectOk(await openWithKeys(other.options))
  renameSync(other.keyFile, keyFile)
  t.match(expectErr(await openWithKeys(options)), { code: 'key_wrong', path: keyFile, kid: 1 })
  t.strictSame(happened, ['prepared', 'opened', 'opened', 'closed'])
})

t.test(
  'while nobody knows whether there is data, or the place cannot be used, no key file is made',
  async (t) => {
    const unusable = { code: 'database_not_writable', location: 'there', detail: 'read-only' } as const
    for (const method of ['hasData', 'prepare'] as const) {
      const { options, keyFile, happened } = place(t)
      const driver = { ...options.driver, [method]: () => errAsync(unusable) }
      t.strictSame(expectErr(await openWithKeys({ ...options, driver })), unusable)
      t.strictSame(happened, [], method)
      t.notOk(existsSync(keyFile), method)
    }
  },
)
