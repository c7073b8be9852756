import type { ResultAsync } from 'neverthrow'
import type { MailChoice } from './account.ts'
import type { Language } from '../shared/language.ts'
import type { Uuid } from '../shared/uuid.ts'
import type { AccountExists, AccountNotFound } from './errors.ts'
import type { KeyRetired, StorageError } from '../shared/errors.ts'
import type { Encrypted } from '../shared/ciphertext.ts'
import type { Cursor } from '../shared/cursor.ts'

/** An account as it is stored. */
export interface StoredAccount {
  readonly id: Uuid
  /** The account's name, as `accountNameText` spells it. */
  readonly name: Encrypted
  readonly createdAtMicros: number
  readonly disabledAtMicros: number | undefined
  /** The language that the owner chose for pages and mails; `undefined` follows the browser. */
  readonly language: Language | undefined
  readonly mails: MailChoice
  /** Whether the owner wanted to hear of the opens of the secret that was created last on the pages. */
  readonly notifies: boolean
  /** The name that recipients see; `undefined` when there is none. */
  readonly displayName: StoredDisplayName | undefined
  /** Whether the account is held, as in `Account`. */
  readonly isHeld: boolean
}

/** A display name as it is stored: in a row of its own, because its key may differ from that of the account's name. */
export interface StoredDisplayName {
  readonly id: Uuid
  readonly name: Encrypted
}

/**
 * Stores accounts. An account whose erasure has begun is absent for every method of this store but {@link AccountStore.eraseBegun}. Every
 * write that is answered with Ok is durable. No method throws or rejects; a closed store answers `storage_unavailable`.
 */
export interface AccountStore {
  /**
   * Adds an account, to be found by the first of `nameIndexes`, unless an account is stored under any of them. This is atomic: of several
   * inserts with one name at most one succeeds. An id that is taken is `storage_failed` and changes nothing.
   * @errors `account_exists`; `key_retired` when rows may not be written under the name's key
   */
  insert(
    account: Omit<StoredAccount, 'displayName'>,
    nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
  ): ResultAsync<void, AccountExists | KeyRetired | StorageError>

  /** The account stored under any of `nameIndexes`; `undefined` when there is none. */
  findByName(nameIndexes: readonly Uint8Array[]): ResultAsync<StoredAccount | undefined, StorageError>

  /** The account with this id; `undefined` when there is none. */
  find(id: Uuid): ResultAsync<StoredAccount | undefined, StorageError>

  /** At most `limit` accounts after the cursor (from the beginning without one), by creation and id ascending. */
  page(after: Cursor | undefined, limit: number): ResultAsync<readonly StoredAccount[], StorageError>

  /** Disables an account; an account that is disabled already keeps its first time. Ok(false) when there is no such account. */
  disable(id: Uuid, atMicros: number): ResultAsync<boolean, StorageError>

  /** Releases a held account: it is as any other then. Ok(false) when there is no such account. */
  release(id: Uuid): ResultAsync<boolean, StorageError>

  /**
   * Gives an account another name, to be found by the first of `nameIndexes`, unless another account is stored under any of them. Erases
   * its one-time link and its waiting change of the email address in the same transaction: they were given to, or asked for by, whoever had
   * the old name.
   * @errors `account_not_found`; `account_exists`; `key_retired` when rows may not be written under the name's key
   */
  rename(
    id: Uuid,
    name: Encrypted,
    nameIndexes: readonly [Uint8Array, ...Uint8Array[]],
  ): ResultAsync<void, AccountNotFound | AccountExists | KeyRetired | StorageError>

  /** Sets the language that an account's pages and mails are in. Ok(false) when there is no such account. */
  setLanguage(id: Uuid, language: Language | undefined): ResultAsync<boolean, StorageError>

  /** Sets which mails an account's owner wants. Ok(false) when there is no such account. */
  setMails(id: Uuid, mails: MailChoice): ResultAsync<boolean, StorageError>

  /** Sets whether the owner wants to hear of opens, as a page proposes it next time. Ok(false) when there is no such account. */
  setNotifies(id: Uuid, notifies: boolean): ResultAsync<boolean, StorageError>

  /**
   * Sets the display name of an account, or erases it. The one before is erased. Ok(false) when there is no such account.
   * @errors `key_retired` when rows may not be written under the name's key
   */
  setDisplayName(
    id: Uuid,
    displayName: StoredDisplayName | undefined,
  ): ResultAsync<boolean, KeyRetired | StorageError>

  /**
   * Begins to erase an account, in one transaction: from now on the account and its access tokens are absent and its name is free; its
   * sessions, password, identities, passkeys, display name, one-time link, change of the email address, known addresses, webhooks and waiting
   * deliveries are erased, and none of all these, and no folder, can be added. What remains is erased by {@link eraseBegun}; until then
   * `RewrapStore` lists what of it is under a key. Ok(false) when there is no such account.
   */
  beginErasure(id: Uuid): ResultAsync<boolean, StorageError>

  /**
   * Erases at most `limit` rows of accounts whose erasure has begun: secrets and drafts with their notes, then folders, at last the account
   * itself. Rows of its access tokens and requests that remain are erased too and not counted. Ok with how many rows it erased; fewer than
   * `limit` means that nothing remains of those accounts.
   */
  eraseBegun(limit: number): ResultAsync<number, StorageError>
}
