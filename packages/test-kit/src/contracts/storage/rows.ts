import {
  noAttempts,
  type Storage,
  type StoredAccount,
  type StoredFolder,
  type StoredNote,
  type StoredSecret,
  type StoredShareableSecret,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../../expect.ts'
import type { Samples } from '../../samples.ts'

/** Adds an account under an index that no case asks for. */
export async function addAccount(store: Storage, make: Samples): Promise<StoredAccount> {
  const account = make.account()
  expectOk(await store.accounts.insert(account, [make.nameIndex()]), 'adding an account')
  return account
}

/** Adds a folder to the account, or to a new one. */
export async function addFolder(store: Storage, make: Samples, accountId?: Uuid): Promise<StoredFolder> {
  const folder = make.folder(accountId ?? (await addAccount(store, make)).id)
  expectOk(await store.folders.insert(folder), 'adding a folder')
  return folder
}

/** Adds secrets or drafts, each with a note. */
export async function addSecrets(
  store: Storage,
  make: Samples,
  secrets: readonly StoredSecret[],
): Promise<void> {
  for (const secret of secrets) expectOk(await store.secrets.insert(secret, make.note()), 'adding a secret')
}

export interface AddedDraft {
  readonly folder: StoredFolder
  readonly draft: StoredSecret
  readonly note: StoredNote
}

/** Adds a draft with a note to the folder, or to a new one. */
export async function addDraft(store: Storage, make: Samples, given?: StoredFolder): Promise<AddedDraft> {
  const folder = given ?? (await addFolder(store, make))
  const draft = make.draft(folder)
  const note = make.note()
  expectOk(await store.secrets.insert(draft, note), 'adding a draft')
  return { folder, draft, note }
}

export interface AddedLink {
  readonly folder: StoredFolder
  readonly secret: StoredShareableSecret
  readonly note: StoredNote
}

/** Adds a shareable secret with a note to the folder, or to a new one. */
export async function addLink(store: Storage, make: Samples, given?: StoredFolder): Promise<AddedLink> {
  const folder = given ?? (await addFolder(store, make))
  const secret = make.secret(folder)
  const note = make.note()
  expectOk(await store.secrets.insert(secret, note), 'adding a secret')
  return { folder, secret, note }
}

/** The state of a link that nobody has opened yet. */
export const freshState = { opens: 0, hasNote: true, attempts: noAttempts, formUsed: false }

/** Counts an open of the link and destroys its note. */
export async function destroyNote(store: Storage, { link }: StoredShareableSecret): Promise<void> {
  expectOk(await store.links.update(link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
}

/** The note of the link with this lookup. */
export async function noteBehind({ links }: Storage, lookup: Uint8Array): Promise<StoredNote | undefined> {
  return expectOk(await links.findWithNote(lookup))?.note
}

/** Whether the form has claimed an open of this link, as a decision sees it. */
export async function formUsed(
  { links }: Storage,
  { link }: StoredShareableSecret,
  formId: string | undefined,
): Promise<boolean | undefined> {
  let used: boolean | undefined
  expectOk(
    await links.update(link.lookup, formId, ({ state }) => {
      used = state.formUsed
      return ok({})
    }),
  )
  return used
}
