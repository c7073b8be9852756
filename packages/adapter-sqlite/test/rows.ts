import type { StoredFolder, StoredNote, StoredShareableSecret } from '@sotto/core'
import { createSamples, type Samples } from '@sotto/test-kit'
import type { Database } from '../src/index.ts'
import { addKey, okOf } from './helpers.ts'

/** Adds a key, an account and a folder: what every secret needs. */
export async function addFolder(database: Database): Promise<{ make: Samples; folder: StoredFolder }> {
  await addKey(database, 1)
  const make = createSamples(1)
  const account = make.account()
  await okOf(database.accounts.insert(account, [make.emailIndex()]))
  const folder = make.folder(account.id)
  await okOf(database.folders.insert(folder))
  return { make, folder }
}

export interface AddedLink {
  readonly make: Samples
  readonly folder: StoredFolder
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
}

/** The same, and a shareable secret with a note. */
export async function addLink(database: Database): Promise<AddedLink> {
  const { make, folder } = await addFolder(database)
  const [secret, note] = [make.secret(folder), make.note()]
  await okOf(database.secrets.insert(secret, note))
  return { make, folder, secret, note }
}
