import { type Result, ResultAsync, err, ok } from 'neverthrow'
import type { Draft, ShareableSecret } from '../secrets/secret.ts'
import { type Uuid, uuidToFind } from '../shared/uuid.ts'
import type { DraftDisabled, DraftNotFound, DraftSealed } from './errors.ts'
import type {
  DecryptError,
  FieldsInvalid,
  KeyRetired,
  KeyUnknown,
  NewSecretRule,
  StorageError,
} from '../shared/errors.ts'
import type { SecretStore, StoredSecret } from '../secrets/secret-store.ts'
import type { DraftStore, StoredAnswer, StoredDraft } from './draft-store.ts'
import type { SecretCipher } from '../secrets/secret-cipher.ts'
import type { KeyRing } from '../shared/cipher.ts'
import type { Clock } from '../shared/clock.ts'
import type { Random } from '../shared/random.ts'
import { isDraftDisabled } from './draft-attempts.ts'
import { underActiveKey } from '../shared/active-key.ts'
import { type CheckNewSecretDeps, checkWithFiles } from '../secrets/check-new-secret.ts'
import {
  type InsertSecretDeps,
  type InsertSecretError,
  type InsertSecretInput,
  insertSecret,
} from '../secrets/insert-secret.ts'
import { foundOr } from '../shared/found-or.ts'
import { isSealed } from '../sealed/sealed-note.ts'
import { type LinkLifetime, lifetimeError } from '../secrets/new-secret.ts'
import { type MakeLinkDeps, makeLink, showLink } from '../secrets/links.ts'
import { type ListInput, type Pages, creationOf, pagesOf } from '../shared/pages.ts'
import { plainSecretOf, showDraft } from '../secrets/show-secret.ts'

export type SaveDraftDeps = InsertSecretDeps &
  CheckNewSecretDeps & { readonly secrets: Pick<SecretStore, 'insert'> }
export type SaveDraftInput = InsertSecretInput
export type SaveDraftError = InsertSecretError

/**
 * Stores a secret without a link: nobody can open it until it is shared.
 * @errors as `createSecret`
 */
export function saveDraft(deps: SaveDraftDeps, input: SaveDraftInput): ResultAsync<Draft, SaveDraftError> {
  return new ResultAsync(save(deps, input))
}

async function save(deps: SaveDraftDeps, input: SaveDraftInput): Promise<Result<Draft, SaveDraftError>> {
  const checked = await checkWithFiles(deps, { ...input, isDraft: true })
  if (checked.isErr()) return err(checked.error)
  const nowMicros = deps.clock.nowMicros()
  return insertSecret<never>(deps, input, {
    nowMicros,
    link: undefined,
    insert: (...row) => deps.secrets.insert(...row),
  })
}

/** A draft in a list. */
export interface ListedDraft extends Draft, ListedFacts {}

/** What a list tells of a draft besides. */
type ListedFacts = Pick<StoredAnswer, 'filesCount'> & Pick<StoredDraft, 'answers'>

export interface ListDraftsDeps {
  readonly drafts: Pick<DraftStore, 'page'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead'>
}
export interface ListDraftsInput extends ListInput {
  readonly accountId: Uuid
  /** Only the drafts in this folder. An unknown, malformed or another account's folder has none. */
  readonly folderId?: string | undefined
}
export type ListDraftsError = KeyUnknown | StorageError

/** The account's drafts by creation and id, without their notes. */
export function listDrafts(
  { drafts, secretCipher }: ListDraftsDeps,
  { accountId, folderId, after: first, pageSize }: ListDraftsInput,
): Pages<ListedDraft, ListDraftsError> {
  const filter = { accountId, folderId: folderId === undefined ? undefined : uuidToFind(folderId) }
  return pagesOf({
    after: first,
    pageSize,
    read: (after, limit) => drafts.page(filter, after, limit),
    cursorOf: creationOf,
    show: (stored) => showListedDraft(secretCipher, stored),
  })
}

/** A stored draft in a list, as its owner sees it. */
export function showListedDraft(
  cipher: Pick<SecretCipher, 'decryptHead'>,
  { filesCount, answers, ...stored }: StoredSecret & ListedFacts,
): Result<ListedDraft, DecryptError> {
  return showDraft(cipher, stored).map((draft) => ({
    ...draft,
    ...(filesCount !== undefined && { filesCount }),
    ...(answers !== undefined && { answers }),
  }))
}

export type ShareDraftDeps = MakeLinkDeps & {
  readonly drafts: Pick<DraftStore, 'find' | 'share'>
  readonly secretCipher: Pick<SecretCipher, 'decryptHead' | 'rebind'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
}
export interface ShareDraftInput extends LinkLifetime {
  readonly accountId: Uuid
  readonly id: string
}
export type ShareDraftError =
  | FieldsInvalid<NewSecretRule>
  | DraftNotFound
  | DraftSealed
  | DraftDisabled
  | DecryptError
  | KeyRetired
  | StorageError

/** A key rotation can run between reading a draft and sharing it, but not again and again. */
const maxTries = 5

/**
 * Makes a draft shareable: makes its link and begins its lifetime. A draft with a password is shared without asking for it.
 * Wrong passwords that were given for the draft count for the link too.
 * @errors `fields_invalid`; `draft_not_found`, the same for an unknown, malformed, shared or another account's id; `draft_sealed` for an
 * answer that only its owner can decrypt; `draft_disabled` after so many wrong passwords that nobody could open the link
 */
export function shareDraft(
  deps: ShareDraftDeps,
  input: ShareDraftInput,
): ResultAsync<ShareableSecret, ShareDraftError> {
  return new ResultAsync(underActiveKey(deps.keyRing, () => shareUnlessChanged(deps, input)))
}

async function shareUnlessChanged(
  deps: ShareDraftDeps,
  { accountId, id, lifetimeSeconds }: ShareDraftInput,
): Promise<Result<ShareableSecret, ShareDraftError>> {
  const broken = lifetimeSeconds === undefined ? undefined : lifetimeError(lifetimeSeconds)
  if (broken !== undefined)
    return err({ code: 'fields_invalid', errors: [{ field: 'lifetimeSeconds', ...broken }] })
  const draftId = uuidToFind(id)
  for (let tried = 0; tried < maxTries; tried += 1) {
    const shared = await shareOnce(deps, { accountId, id: draftId, lifetimeSeconds })
    if (shared.isErr()) return err(shared.error)
    if (shared.value !== undefined) return ok(shared.value)
  }
  return err({ code: 'storage_unavailable', reason: 'busy' })
}

/** Ok(undefined) when the draft was changed after it was read. */
async function shareOnce(
  { drafts, secretCipher, digests, clock, random }: ShareDraftDeps,
  { accountId, id, lifetimeSeconds }: ShareDraftInput,
): Promise<Result<ShareableSecret | undefined, ShareDraftError>> {
  const found = await drafts.find(accountId, id)
  if (found.isErr()) return err(found.error)
  if (found.value === undefined) return err({ code: 'draft_not_found' })
  const { secret, note, attempts } = found.value
  const nowMicros = clock.nowMicros()
  if (isDraftDisabled(attempts, nowMicros)) return err({ code: 'draft_disabled' })
  const head = secretCipher.decryptHead(secret)
  if (head.isErr()) return err(head.error)
  if (isSealed(head.value)) return err({ code: 'draft_sealed' })
  const { label } = head.value
  const link = makeLink({ random, digests }, nowMicros, lifetimeSeconds)
  const rebound = secretCipher.rebind({
    from: secret,
    wrappedKey: note.wrappedKey,
    link: link.stored,
    head: { label, linkToken: link.token },
  })
  if (rebound.isErr()) return err(rebound.error)
  const { wrappedKey, ...keys } = rebound.value
  if (wrappedKey === undefined) return err({ code: 'data_damaged', what: 'secret.wrap', id })
  const draft = { accountId, id, expectedHeadCiphertext: secret.headCiphertext }
  const shared = await drafts.share(draft, link.stored, { ...keys, wrappedKey })
  return shared.map((done) => (done ? { ...plainSecretOf(secret, label), ...showLink(link) } : undefined))
}

export interface DeleteDraftDeps {
  readonly drafts: Pick<DraftStore, 'erase'>
}
export interface DeleteDraftInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DeleteDraftError = DraftNotFound | StorageError

/**
 * Erases a draft with its note.
 * @errors `draft_not_found`, the same for an unknown, malformed, shared or another account's id
 */
export function deleteDraft(
  { drafts }: DeleteDraftDeps,
  { accountId, id }: DeleteDraftInput,
): ResultAsync<void, DeleteDraftError> {
  return drafts.erase(accountId, uuidToFind(id)).andThen(foundOr('draft_not_found'))
}
