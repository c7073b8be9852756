import type { Result, ResultAsync } from 'neverthrow'
import type { RequestEvent } from './request-event.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { RequestNotFound } from './errors.ts'
import type { FolderNotFound } from '../secrets/errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { AttemptState } from '../shared/attempts.ts'
import type { StoredDisplayName } from '../accounts/account-store.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { Cursor } from '../shared/cursor.ts'
import type { StoredSecretFile } from '../files/secret-file-store.ts'
import type { SecretFilter, StoredNote, StoredSecret } from '../secrets/secret-store.ts'
import type { AttemptBucket } from '../quota/attempt-buckets.ts'

/** A request as it is stored. Never the token of its link in plaintext. */
export interface StoredRequest {
  readonly id: Uuid
  readonly accountId: Uuid
  readonly folderId: Uuid
  readonly createdAtMicros: number
  readonly closesAtMicros: number
  /** A positive whole number. */
  readonly answersAllowed: number
  /** Whether the owner hears of answers, and of none. */
  readonly notify: boolean
  /** Whether an answer may have files. */
  readonly takesFiles: boolean
  /** Title, text and the link's token, as `requestContentText` spells them. */
  readonly content: Encrypted
}

/** A request with what is stored about its answers. */
export interface RequestRecord {
  readonly request: StoredRequest
  readonly state: {
    /** Answers so far. */
    readonly answers: number
    /** When its owner closed it; `undefined` when that did not happen. */
    readonly closedAtMicros: number | undefined
  }
}

/** A request as an answer to it finds it. */
export interface FoundRequest extends RequestRecord {
  /** When the form that is asked about handed in an answer; `undefined` when it has not, or none is named. */
  readonly receivedAtMicros: number | undefined
  /** The answers that are counted in the bucket that is asked about; `noAttempts` when it has none, or none is named. */
  readonly attempts: AttemptState
}

/** A request as whoever has its link finds it. */
export interface NamedRequest extends FoundRequest {
  /** The display name of the request's account; absent when it has none. */
  readonly from?: StoredDisplayName
}

/** The person who answers a request: how the answer is counted. */
export interface Answerer {
  /** The id of the form that was sent, 32 lower-case hexadecimal digits. */
  readonly formId?: string | undefined
  /** The bucket in which the answers from one network address are counted: one of `SignInStore`. 32 bytes. */
  readonly bucket?: Uint8Array | undefined
}

/** What a decision about an answer changes; what it does not name stays as it is. */
export interface AnswerChange {
  /** Adds the draft, sets how many answers the request has from now on, and remembers for its form when that was. */
  readonly accepted?: {
    /** How many answers the request has from now on. */
    readonly answers: number
    readonly receivedAtMicros: number
  }
  /** What becomes of the bucket. */
  readonly bucket?: AttemptBucket | undefined
  /** The events that are put into the outbox in the same transaction. */
  readonly events?: readonly RequestEvent[]
}

/** The draft that an answer becomes. */
export interface NewDraft {
  readonly secret: StoredSecret
  readonly note: StoredNote
  readonly files?: readonly StoredSecretFile[] | undefined
}

/** The requests that a list shows: those that close after `nowMicros`. */
export interface RequestFilter extends SecretFilter {
  readonly nowMicros: number
}

/**
 * Stores requests, each found by the digest of its link's token (32 bytes, `Digests.opaqueTokenDigest`). A request is erased with its folder.
 * Every write that is answered with Ok is durable. No method throws or rejects. An id or digest that is taken is `storage_failed` and
 * changes nothing.
 */
export interface RequestStore {
  /**
   * Adds a request to a folder of its account, without answers.
   * @errors `folder_not_found` when the folder does not exist or belongs to another account; `key_retired` when rows may not be written
   * under the key of its content
   */
  insert(
    request: StoredRequest,
    digest: Uint8Array,
  ): ResultAsync<void, FolderNotFound | KeyRetired | StorageError>

  /** The account's request with this id, closed by its owner or not; `undefined` when there is none that closes after `nowMicros`. */
  find(accountId: Uuid, id: Uuid, nowMicros: number): ResultAsync<RequestRecord | undefined, StorageError>

  /** At most `limit` requests that pass the filter, after the cursor, newest first: by creation and id, both descending. */
  page(
    filter: RequestFilter,
    after: Cursor | undefined,
    limit: number,
  ): ResultAsync<readonly RequestRecord[], StorageError>

  /** How many requests that pass the filter can still be answered: not closed by their owner, and with an answer left. */
  countOpen(filter: RequestFilter): ResultAsync<number, StorageError>

  /**
   * Closes a request; one that is closed already keeps its first time. Ok(false) when {@link find} would find none. Once it is answered,
   * no answer is added, here or in another process.
   */
  close(accountId: Uuid, id: Uuid, nowMicros: number): ResultAsync<boolean, StorageError>

  /**
   * The request with this digest that can be answered at `nowMicros`: it closes later, its owner has not closed it, and an answer is left.
   * Or one that cannot, if this form has handed in an answer. `undefined` in all other cases, and when its account is disabled or its
   * erasure has begun. To find none takes the same time, whatever the cause. Changes nothing.
   */
  findByDigest(
    digest: Uint8Array,
    nowMicros: number,
    answerer?: Answerer,
  ): ResultAsync<NamedRequest | undefined, StorageError>

  /**
   * Reads the request with this digest, whether it can be answered or not, with what it has of the answerer. Passes it to `decide`, and
   * applies the change that it returns. All is in one transaction that no other writer, in this process or another, can interleave with. Ok
   * with what `decide` returned, and only once the change is durable; an Err of `decide` is passed on and changes nothing.
   *
   * `decide` is pure and synchronous; it may be called again when the transaction has to be tried again.
   * @param draft what is added when the answer is accepted: a secret without a link, of the request's account and folder, with its files. It
   * answers this request, and is new (`DraftStore.answers`). Each file is a content under way of the account until then, see
   * `SecretFileStore.reserve`
   * @errors `request_not_found` when there is no such digest, and when its account is disabled or its erasure has begun; `key_retired` when
   * rows may not be written under the draft's key, or that of a file; `storage_unavailable` (`busy`) when a content under way has ended; what
   * `decide` returns
   */
  answer<Change extends AnswerChange, E>(
    digest: Uint8Array,
    answerer: Answerer,
    draft: NewDraft,
    decide: (found: FoundRequest) => Result<Change, E>,
  ): ResultAsync<Change, E | RequestNotFound | KeyRetired | StorageError>

  /** Erases at most `limit` requests in a folder of the account. Ok with how many it erased. */
  eraseIn(accountId: Uuid, folderId: Uuid, limit: number): ResultAsync<number, StorageError>

  /**
   * Erases at most `limit` requests, of any account, that closed at `closedByMicros` or before. Those of them with `notify` that nobody
   * has answered and their owner has not closed are passed to `report`, and the events that it returns are put into the outbox in the same
   * transaction. `report` is synchronous; it may be called again when the transaction has to be tried again.
   * Ok with how many it erased; fewer than `limit` means that none remains.
   */
  eraseExpired(
    closedByMicros: number,
    limit: number,
    report: (unanswered: StoredRequest) => RequestEvent,
  ): ResultAsync<number, StorageError>
}
