import type { StoredFolder } from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { createSamples, expectOk, type Samples } from '@sotto/test-kit'

const kid = 7

export interface SampleFolder {
  readonly make: Samples
  readonly folder: StoredFolder
}

/** Adds a key, an account and a folder, and makes samples under the key. */
export async function addSampleFolder(storage: FullStorage): Promise<SampleFolder> {
  const make = createSamples(kid)
  const account = make.account()
  const folder = make.folder(account.id)
  expectOk(await storage.keys.add({ kid, checkValue: make.bytes(32), createdAtMicros: 1, isReadOnly: false }))
  expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
  expectOk(await storage.folders.insert(folder))
  return { make, folder }
}
