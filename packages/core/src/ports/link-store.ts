import type { Result, ResultAsync } from 'neverthrow'
import type { AttemptState } from '../rules/attempts.ts'
import type { LinkNotFound, StorageError } from '../errors.ts'
import type { StoredNote, StoredShareableSecret } from './secret-store.ts'

/** What is kept about the opens of a shareable secret. */
export interface LinkState {
  /** Opens claimed so far, the unlimited ones too. */
  readonly opens: number
  /** False once the note was destroyed. */
  readonly hasNote: boolean
  readonly attempts: AttemptState
  /** Whether the form named in the question has claimed an open of this link before. False when none is named. */
  readonly formUsed: boolean
}

/** What a decision changes; what it does not name stays. */
export interface LinkChange {
  readonly opens?: number
  readonly attempts?: AttemptState
  /** Erases note and wrap in the same transaction. */
  readonly destroyNote?: boolean
  /** Remembers that the form named in the question has claimed an open, until the secret is erased. */
  readonly rememberForm?: boolean
}

/** A shareable secret with what is kept about its opens. */
export interface LinkRecord {
  readonly secret: StoredShareableSecret
  readonly state: LinkState
}

/**
 * Keeps the state of links, as recipients meet them. What may happen to a link is decided by the core; the store makes each
 * decision atomic. No method throws or rejects.
 */
export interface LinkStore {
  /** The secret behind a lookup, expired or not, and its state; `undefined` when there is none. Changes nothing. */
  find(lookup: Uint8Array): ResultAsync<LinkRecord | undefined, StorageError>

  /** Like {@link find}, with note and wrap; `undefined` also when the note is destroyed. Changes nothing. */
  findWithNote(
    lookup: Uint8Array,
  ): ResultAsync<(LinkRecord & { readonly note: StoredNote }) | undefined, StorageError>

  /**
   * Reads the record behind `lookup`, hands it to `decide`, and applies the change that it returns: all in one transaction
   * that no other writer, in this process or another, comes between. Ok with what `decide` returned, and only once the change
   * is durable; an Err of `decide` is handed through and changes nothing.
   *
   * `decide` is pure and answers at once; it may be called again when the transaction has to be tried again.
   * `formId` names the form that `state.formUsed` and `rememberForm` speak of (32 lower-case hexadecimal digits).
   * @errors `link_not_found` when there is no such lookup; what `decide` returns
   */
  update<Change extends LinkChange, E>(
    lookup: Uint8Array,
    formId: string | undefined,
    decide: (record: LinkRecord) => Result<Change, E>,
  ): ResultAsync<Change, E | LinkNotFound | StorageError>
}
