import assert from 'node:assert/strict'
import { skipReason, storageContract, type StorageHarness } from '@sotto/test-kit'
import t from 'tap'
import { memoryStorageHarness } from './harnesses.ts'

const memory = memoryStorageHarness()

t.test('a case that the harness cannot run is skipped with a reason', async (t) => {
  const least: StorageHarness = { ...memory, supports: [] }
  for (const each of storageContract) {
    t.equal(skipReason(memory, each), false)
    t.equal(
      skipReason(least, each),
      each.needs === undefined ? false : `the harness does not support ${each.needs}`,
    )
  }
})

t.test('a case that is run all the same fails, rather than pass for nothing', async (t) => {
  const open: StorageHarness['open'] = async () => {
    const { reopen: _, beside: __, ...store } = await memory.open()
    return store
  }
  const needy = storageContract.filter(({ needs }) => needs !== undefined)
  t.ok(needy.length > 0)
  for (const each of needy) await t.rejects(each.run({ supports: [], open }), assert.AssertionError, each.id)
})

t.test('each case disposes of what it opened, also when it fails', async (t) => {
  let open = 0
  const counting: StorageHarness = {
    supports: [],
    async open() {
      const store = await memory.open()
      open += 1
      const { beside: _, reopen: __, accounts, ...others } = store
      return {
        ...others,
        accounts: { ...accounts, findByEmail: () => accounts.findByEmail([]) },
        async dispose() {
          open -= 1
          await store.dispose()
        },
      }
    },
  }
  let failed = 0
  for (const each of storageContract.filter((one) => skipReason(counting, one) === false)) {
    await each.run(counting).catch(() => (failed += 1))
    t.equal(open, 0, each.id)
  }
  t.ok(failed > 0)
})
