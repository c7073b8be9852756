import type { FullStorage, StoredPassword, StoredSession } from '@sotto/identity'
import assert from 'node:assert/strict'
import {
  noAttempts,
  type Encrypted,
  type LinkedSecret,
  type LinkRecord,
  type StoredAccount,
  type StoredFolder,
  type StoredNote,
  type StoredSecret,
  type StoredShareableSecret,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'

/** What `eraseExpired` is given where it has nothing to report. */
export function reportsNothing(): never {
  return assert.fail('a secret was reported that was opened or has no notify')
}

/** Adds an account under an index that no case asks for. */
export async function addAccount(
  store: FullStorage,
  make: Samples,
  columns?: Partial<StoredAccount>,
): Promise<StoredAccount> {
  const account = make.account(columns)
  expectOk(await store.accounts.insert(account, [make.nameIndex()]), 'adding an account')
  return account
}

/** Adds a folder to the account, or to a new one. */
export async function addFolder(store: FullStorage, make: Samples, accountId?: Uuid): Promise<StoredFolder> {
  const folder = make.folder(accountId ?? (await addAccount(store, make)).id)
  expectOk(await store.folders.insert(folder), 'adding a folder')
  return folder
}

/** Adds secrets or drafts, each with a note. */
export async function addSecrets(
  store: FullStorage,
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
export async function addDraft(store: FullStorage, make: Samples, given?: StoredFolder): Promise<AddedDraft> {
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
export async function addLink(store: FullStorage, make: Samples, given?: StoredFolder): Promise<AddedLink> {
  const folder = given ?? (await addFolder(store, make))
  const secret = make.secret(folder)
  const note = make.note()
  expectOk(await store.secrets.insert(secret, note), 'adding a secret')
  return { folder, secret, note }
}

export interface AddedPassword {
  readonly password: StoredPassword
  readonly session: StoredSession
  /** The digest of the session's token. */
  readonly digest: Uint8Array
}

/** Sets the password of an account by a one-time link, which ends its sessions and leaves a new one. */
export async function addPassword(
  store: FullStorage,
  make: Samples,
  accountId: Uuid,
  columns?: Partial<StoredPassword>,
): Promise<AddedPassword> {
  const invitationDigest = make.tokenDigest()
  expectOk(
    await store.invitations.replace(make.invitation(accountId), invitationDigest),
    'making a one-time link',
  )
  const [password, session] = [make.password(accountId, columns), make.session(accountId)]
  const digest = make.tokenDigest()
  const spending = { nowMicros: noonMicros, password, session, sessionDigest: digest }
  const spent = expectOk(
    await store.invitations.spend(invitationDigest, spending),
    'spending a one-time link',
  )
  same(spent, true, 'whether the one-time link was spent')
  return { password, session, digest }
}

/** The state of a link that nobody has opened yet. */
export const freshState = { opens: 0, hasNote: true, attempts: noAttempts, formUsed: false }

/** Counts an open of the link and destroys its note. */
export async function destroyNote(store: FullStorage, { link }: StoredShareableSecret): Promise<void> {
  expectOk(await store.links.update(link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
}

/** A time before everything expires. */
export const longAgoMicros = Number.MIN_SAFE_INTEGER

/** The account's secret with this id, draft or shareable, expired or not. */
export async function secretOf(
  { secrets, drafts }: Pick<FullStorage, 'secrets' | 'drafts'>,
  accountId: Uuid,
  id: Uuid,
): Promise<StoredSecret | undefined> {
  const found = expectOk(await secrets.find(accountId, id, longAgoMicros))
  return found ?? expectOk(await drafts.find(accountId, id))?.secret
}

/** The secret as decisions about its link see it. */
export function linkedOf({ headCiphertext: _, ...linked }: StoredShareableSecret): LinkedSecret {
  return linked
}

/** What is stored about the link with this lookup, expired or not, with its note or without, as a decision sees it. */
export async function linkRecordOf(
  { links }: Pick<FullStorage, 'links'>,
  lookup: Uint8Array,
): Promise<LinkRecord | undefined> {
  let seen: LinkRecord | undefined
  const read = await links.update(lookup, undefined, (record) => {
    seen = record
    return ok({})
  })
  if (read.isOk()) return seen
  // A store may have decided on what it knew before it found the link changed or gone, and decide again.
  expectErr(read, 'link_not_found')
  return undefined
}

/** The record of a link with its note, expired or not; `undefined` when the note is destroyed. */
export async function recordWithNote({ links }: Pick<FullStorage, 'links'>, lookup: Uint8Array) {
  return expectOk(await links.findWithNote(lookup, { nowMicros: longAgoMicros, evenWithPassword: true }))
}

/** The note of the link with this lookup. */
export async function noteBehind(
  store: Pick<FullStorage, 'links'>,
  lookup: Uint8Array,
): Promise<StoredNote | undefined> {
  return (await recordWithNote(store, lookup))?.note
}

/** Whether the form has claimed an open of this link, as a decision sees it. */
export async function formUsed(
  { links }: FullStorage,
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

/** Made-up text under a key. */
export function under(make: Samples, kid: number): Encrypted {
  return { kid, ciphertext: make.ciphertext() }
}

/** The ciphertext of the head and the wrapped key of a secret, under a key. */
export function secretUnder(make: Samples, kid: number) {
  return { kid, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
}
