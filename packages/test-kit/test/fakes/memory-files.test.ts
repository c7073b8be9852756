import { test } from 'tap'
import { createMemoryFiles } from '../../src/fakes/memory-files.ts'
import { fileStoreContract, runContract } from '../../src/index.ts'

runContract(test, fileStoreContract, {
  supports: ['reopen'],
  open() {
    const files = createMemoryFiles()
    return Promise.resolve({
      files,
      reopen: () => Promise.resolve(createMemoryFiles(files.contents)),
      dispose: () => Promise.resolve(),
    })
  },
})
