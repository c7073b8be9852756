import { accessTokenStoreContract, besideMemory, runContract } from '@sotto/test-kit'
import { createMemoryStorage as openTokens } from '@sotto/test-kit' // your adapter
import { test } from 'tap'

const harness = besideMemory(async () => {
  const { accessTokens, close } = openTokens({ trustReferences: true })
  return { accessTokens, dispose: close }
})

runContract(test, accessTokenStoreContract, harness)
