import test from 'node:test'
import {
  besideMemory,
  passwordStoreContract,
  runContract,
  sessionStoreContract,
  signInStoreContract,
} from '@sotto/test-kit'
import { openStores } from './stores.ts'

const harness = besideMemory(async () => {
  const { close, ...stores } = openStores()
  return { ...stores, dispose: async () => close() }
}, ['together'])

for (const contract of [passwordStoreContract, sessionStoreContract, signInStoreContract])
  runContract(test, contract, harness)
