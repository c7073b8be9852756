import { skipReason, storageContract, type StorageHarness, type StorageUnderTest } from '@sotto/test-kit'
import { createMemoryStorage as openStorage, type MemoryStorage } from '@sotto/test-kit' // your adapter
import t from 'tap'

function underTest(storage: MemoryStorage): StorageUnderTest {
  return {
    ...storage,
    dispose: async () => storage.close(), // and remove the files
    beside: async () => underTest(openStorage({ data: storage.data })),
  }
}

const harness: StorageHarness = { supports: ['beside'], open: async () => underTest(openStorage()) }

for (const each of storageContract) {
  void t.test(each.id, { skip: skipReason(harness, each) }, async (t) => {
    await each.run(harness)
    t.pass(each.rule)
  })
}
