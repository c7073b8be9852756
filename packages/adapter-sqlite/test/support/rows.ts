import type { StoredFolder, StoredNote, StoredShareableSecret } from '@sotto/core'
import { createSamples, expectOk, type Samples } from '@sotto/test-kit'
import type { Database } from '../../src/database.ts'
import { addKey } from './helpers.ts'

/** Adds a key, an account and a folder, which every secret needs. */
export async function addFolder(database: Database): Promise<{ make: Samples; folder: StoredFolder }> {
  await addKey(database, 1)
  const make = createSamples(1)
  const account = make.account()
  expectOk(await database.accounts.insert(account, [make.nameIndex()]))
  const folder = make.folder(account.id)
  expectOk(await database.folders.insert(folder))
  return { make, folder }
}

export interface AddedLink {
  readonly make: Samples
  readonly folder: StoredFolder
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
}

/** Adds the same, and a shareable secret with a note. */
export async function addLink(
  database: Database,
  columns: Partial<StoredShareableSecret> = {},
): Promise<AddedLink> {
  const { make, folder } = await addFolder(database)
  const [secret, note] = [make.secret(folder, undefined, columns), make.note()]
  expectOk(await database.secrets.insert(secret, note))
  return { make, folder, secret, note }
}
