import { runContract, storageContract, type StorageHarness, type StorageUnderTest } from '@sotto/test-kit'
import { createMemoryStorage as openStorage, type MemoryStorage } from '@sotto/test-kit' // your adapter
import { test } from 'tap'

function underTest(storage: MemoryStorage): StorageUnderTest {
  return {
    ...storage,
    dispose: () => storage.close(), // and remove its files
    beside: async () => underTest(openStorage({ data: storage.data })),
  }
}

const harness: StorageHarness = {
  supports: ['together', 'beside'], // and 'reopen', with a method of that name
  open: async () => underTest(openStorage()),
}

runContract(test, storageContract, harness)
