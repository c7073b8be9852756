import type { StoredSecretFile } from '../files/secret-file-store.ts'
import type { DraftNotFound } from './errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { ResultAsync } from 'neverthrow'
import type {
  WithFiles,
  StoredSecret,
  StoredNote,
  StoredLink,
  SecretFilter,
  InsertSecretRowError,
} from '../secrets/secret-store.ts'
import type { AttemptState } from '../shared/attempts.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { Ciphertext, EncryptedSecret } from '../shared/ciphertext.ts'

/** The request that a draft answers. */
export interface AnsweredRequest {
  /** The id of the request, which may be erased by now. */
  readonly requestId: Uuid
  /** Whether the owner has not looked at the answer yet; see `SecretStore.markSeen`. */
  readonly isNew: boolean
}

/** A draft with its note, and what is stored about attempts at its password. */
export interface StoredDraft extends WithFiles {
  readonly secret: StoredSecret
  readonly note: StoredNote
  readonly attempts: AttemptState
  /** Absent for a draft that its owner has written. */
  readonly answers?: AnsweredRequest
}

/** A draft that answers a request, in a list. */
export type StoredAnswer = Pick<StoredDraft, 'secret' | 'note'> & {
  readonly answers: AnsweredRequest
  /** How many files it has; absent when it has none. */
  readonly filesCount?: number
}

/** The answers that a list shows: those to one request, or those to all that are new. */
export type AnswerFilter =
  | { readonly accountId: Uuid; readonly requestId: Uuid }
  | { readonly accountId: Uuid; readonly requestId?: undefined }

/** Stores drafts: secrets without a link. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface DraftStore {
  /**
   * The account's draft with this id, with its files; `undefined` when there is none or it is shared already. A new draft has no attempts.
   */
  find(accountId: Uuid, id: Uuid): ResultAsync<StoredDraft | undefined, StorageError>

  /**
   * Reads the attempts at a draft's password, passes them to `decide`, and stores those that it returns. All is in one transaction that no
   * other writer, in this process or another, can interleave with. Ok with what `decide` returned, and only once it is durable.
   *
   * `decide` is pure and synchronous; it may be called again when the transaction has to be tried again.
   * @errors `draft_not_found` when the draft is gone or shared
   */
  updateAttempts<Change extends { readonly attempts: AttemptState }>(
    accountId: Uuid,
    id: Uuid,
    decide: (attempts: AttemptState) => Change,
  ): ResultAsync<Change, DraftNotFound | StorageError>

  /**
   * At most `limit` drafts that pass the filter, after the cursor, by creation and id ascending, each with the number of its files and the
   * request that it answers; neither where there is none.
   */
  page(
    filter: SecretFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<
    readonly (StoredSecret & Pick<StoredAnswer, 'filesCount'> & Pick<StoredDraft, 'answers'>)[],
    StorageError
  >

  /** At most `limit` drafts that pass the filter, after the cursor, newest first: by creation and id, both descending. */
  answers(
    filter: AnswerFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly StoredAnswer[], StorageError>

  /** How many drafts of the account are answers that are new. */
  countNewAnswers(accountId: Uuid): ResultAsync<number, StorageError>

  /**
   * Makes a draft shareable: sets its link, the ciphertext of its head, its wrapped key and kid in one step, if it still is a draft whose
   * `headCiphertext` equals `expectedHeadCiphertext` byte for byte. So of two shares one succeeds, and neither undoes a key rotation that
   * ran in between. Ok(false) when `headCiphertext` has changed: read the draft again. The new ciphertexts are as long as the old ones, so
   * a store may overwrite those in place. The attempts at its password become those of the link. It has no news then (`SecretActivity.news`).
   * @errors `draft_not_found` when it is gone or shared; `key_retired`
   */
  share(
    draft: { readonly accountId: Uuid; readonly id: Uuid; readonly expectedHeadCiphertext: Ciphertext },
    link: StoredLink,
    keys: EncryptedSecret & { readonly wrappedKey: Ciphertext },
  ): ResultAsync<boolean, DraftNotFound | KeyRetired | StorageError>

  /**
   * Replaces a draft by another one with the same id, account and creation, in one transaction, if it still is a draft whose
   * `headCiphertext` equals `expectedHeadCiphertext` byte for byte. The old ciphertexts are erased. Ok(false) when `headCiphertext` has
   * changed: read the draft again. The attempts at its password stay, unless `forgetsAttempts`, and so does the request that it answers. From now on it has `files`, those that it
   * had or contents under way; without it they stay. One that it had and is not among them has no secret any more, and counts until it is
   * erased.
   * @errors `draft_not_found` when it is gone or shared; those of `SecretStore.insert`
   */
  replace(
    expectedHeadCiphertext: Ciphertext,
    draft: StoredSecret & { readonly link: undefined },
    note: StoredNote,
    options?: {
      readonly forgetsAttempts?: boolean
      readonly files?: readonly StoredSecretFile[] | undefined
    },
  ): ResultAsync<boolean, DraftNotFound | InsertSecretRowError>

  /** Erases a draft with its note. Ok(false) when the account has no such draft. */
  erase(accountId: Uuid, id: Uuid): ResultAsync<boolean, StorageError>
}
