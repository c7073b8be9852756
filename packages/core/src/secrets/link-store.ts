import type { Result, ResultAsync } from 'neverthrow'
import type { SecretEvent } from './secret-event.ts'
import type { AttemptState } from '../shared/attempts.ts'
import type { LinkNotFound } from './errors.ts'
import type { StorageError } from '../shared/errors.ts'
import type { StoredDisplayName } from '../accounts/account-store.ts'
import type { NewTicket, StoredSecretFile } from '../files/secret-file-store.ts'
import type { StoredNote, StoredShareableSecret } from './secret-store.ts'

/** How many open times of a secret are stored. */
export const openTimesMax = 100

/** What is stored about the opens of a shareable secret. */
export interface LinkState {
  /** Opens claimed so far, the unlimited ones too. */
  readonly opens: number
  /** False once the note was destroyed. */
  readonly hasNote: boolean
  readonly attempts: AttemptState
  /** Whether the form named in the query has claimed an open of this link before. False when none is named. */
  readonly formUsed: boolean
}

/** What a decision changes; what it does not name stays as it is. */
export interface LinkChange {
  /** How often the link was opened, from now on. */
  readonly opens?: number
  readonly attempts?: AttemptState
  /**
   * The time of an open: becomes the latest of the secret's open times, of which the {@link openTimesMax} latest remain. A secret with `notify`
   * has one news more from then on (`SecretActivity.news`).
   */
  readonly openedAtMicros?: number
  /** Erases the note and its wrapped key in the same transaction. */
  readonly destroyNote?: boolean
  /** Remembers, until the secret is erased, that the form named in the query has claimed an open. */
  readonly rememberForm?: boolean
  /** The ticket that is added for the secret, in the same transaction. A digest that is taken is `storage_failed`. */
  readonly ticket?: NewTicket
  /** The events that are put into the outbox in the same transaction. */
  readonly events?: readonly SecretEvent[]
}

/** A shareable secret as a decision about its link sees it: without the ciphertext of its head. */
export type LinkedSecret = Omit<StoredShareableSecret, 'headCiphertext'>

/** A shareable secret with what is stored about its opens. */
export interface LinkRecord {
  readonly secret: LinkedSecret
  readonly state: LinkState
}

/** A link as a recipient finds it. */
export interface FoundLink extends LinkRecord {
  readonly secret: StoredShareableSecret
  /** The display name of the secret's account; absent when it has none. */
  readonly from?: StoredDisplayName
}

/** A link as a recipient finds it before opening it. */
export interface PreviewedLink extends FoundLink {
  /** The files that are shown before (`isShown`), by their numbers; absent when there is none. */
  readonly shownFiles?: readonly StoredSecretFile[]
}

/** A link with the note of its secret, or without. */
export interface FoundNote extends FoundLink {
  readonly note: StoredNote | undefined
}

/** The note that is read. */
export interface NoteQuery {
  readonly nowMicros: number
  /** Whether to read the note of a secret with a password, too. It may be long, and without the password it is of no use. */
  readonly evenWithPassword: boolean
}

/**
 * Stores the state of links, as recipients meet them. The core decides what may happen to a link; the store makes each decision
 * atomic. A link of an account whose erasure has begun (`AccountStore.beginErasure`) is absent for every method. No method throws or
 * rejects.
 *
 * Finding nothing takes the same time for every cause. A store that first reads the row of a link that has ended would reveal by its time
 * that the link once existed.
 */
export interface LinkStore {
  /**
   * The secret with this lookup and its state; `undefined` when there is none that has its note and expires after `nowMicros`.
   * Changes nothing.
   */
  find(lookup: Uint8Array, nowMicros: number): ResultAsync<PreviewedLink | undefined, StorageError>

  /**
   * Finds as {@link find} does, with the note and its wrapped key; without them when the secret has a password and the query does not ask for
   * its note. Changes nothing.
   */
  findWithNote(lookup: Uint8Array, query: NoteQuery): ResultAsync<FoundNote | undefined, StorageError>

  /**
   * Reads the record with this lookup, expired or not, with its note or without, passes it to `decide`, and applies the change that it
   * returns. All is in one transaction that no other writer, in this process or another, can interleave with. Ok with what `decide`
   * returned, and only once the change is durable; an Err of `decide` is passed on and changes nothing.
   *
   * `decide` is pure and synchronous; it may be called again when the transaction has to be tried again.
   * `formId` names the form that `state.formUsed` and `rememberForm` refer to (32 lower-case hexadecimal digits).
   * @errors `link_not_found` when there is no such lookup; what `decide` returns
   */
  update<Change extends LinkChange, E>(
    lookup: Uint8Array,
    formId: string | undefined,
    decide: (record: LinkRecord) => Result<Change, E>,
  ): ResultAsync<Change, E | LinkNotFound | StorageError>
}
