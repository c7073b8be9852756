import { test } from 'tap'
import { createFakeFileCipher, fileCipherContract, runContract } from '../../src/index.ts'

runContract(test, fileCipherContract, {
  supports: [],
  open: () => Promise.resolve({ fileCipher: createFakeFileCipher(), dispose: () => Promise.resolve() }),
})
