import { accessTokenStoreContract, besideMemory, runContract } from '@sotto/test-kit'
import { createMemoryStorage as openStorage } from '@sotto/test-kit' // your adapter
import { test } from 'tap'

const harness = besideMemory(async () => {
  const { accounts, keys, accessTokens, close } = openStorage()
  return { accounts, keys, accessTokens, dispose: close }
}, ['together'])

runContract(test, accessTokenStoreContract, harness)
