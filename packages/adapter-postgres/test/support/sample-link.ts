import type { StoredNote, StoredShareableSecret } from '@sotto/core'
import type { FullStorage } from '@sotto/identity'
import { expectOk } from '@sotto/test-kit'
import { addSampleFolder, type SampleFolder } from './sample-folder.ts'

export interface AddedLink extends SampleFolder {
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
}

/** Adds a folder with a shareable secret, which has a note. */
export async function addSampleLink(
  storage: FullStorage,
  columns: Partial<StoredShareableSecret> = {},
): Promise<AddedLink> {
  const { make, folder } = await addSampleFolder(storage)
  const [secret, note] = [make.secret(folder, undefined, columns), make.note()]
  expectOk(await storage.secrets.insert(secret, note))
  return { make, folder, secret, note }
}
