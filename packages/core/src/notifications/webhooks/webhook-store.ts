import type { ResultAsync } from 'neverthrow'
import type { Uuid } from '../../shared/uuid.ts'
import type { Webhook } from './webhook.ts'
import type { WebhookLimitReached } from './errors.ts'
import type { AccountNotFound } from '../../accounts/errors.ts'
import type { KeyRetired, StorageError } from '../../shared/errors.ts'
import type { Encrypted } from '../../shared/ciphertext.ts'

/** A webhook as it is stored. */
export interface StoredWebhook extends Omit<Webhook, 'url'> {
  readonly accountId: Uuid
  /** The webhook's address and its signing secret, as `webhookEndpointText` spells them, encrypted. */
  readonly endpoint: Encrypted
}

/** What changes about a webhook; what it does not name stays as it is. `null` clears. */
export interface WebhookChange {
  readonly failingSinceMicros?: number | null
  readonly disabled?: StoredWebhook['disabled'] | null
}

/** Stores the webhooks of accounts. Every write that is answered with Ok is durable. No method throws or rejects. */
export interface WebhookStore {
  /**
   * Adds a webhook, unless its account has `max` of them, disabled ones included: atomically. An id that is taken is `storage_failed`.
   * @errors `account_not_found`; `webhook_limit_reached`; `key_retired` when rows may not be written under the endpoint's key
   */
  insert(
    webhook: StoredWebhook,
    max: number,
  ): ResultAsync<void, AccountNotFound | WebhookLimitReached | KeyRetired | StorageError>

  /** The account's webhook with this id; `undefined` when there is none. */
  find(accountId: Uuid, id: Uuid): ResultAsync<StoredWebhook | undefined, StorageError>

  /** All webhooks of an account, disabled ones included, by creation and id ascending. */
  list(accountId: Uuid): ResultAsync<readonly StoredWebhook[], StorageError>

  /**
   * Reads a webhook, passes it to `decide` and applies the change that it returns, in one transaction; `undefined` changes nothing.
   * `decide` is pure and synchronous; it may be called again when the transaction has to be tried again. Ok(false) when the account has
   * no such webhook.
   */
  update(
    accountId: Uuid,
    id: Uuid,
    decide: (webhook: StoredWebhook) => WebhookChange | undefined,
  ): ResultAsync<boolean, StorageError>

  /**
   * Erases a webhook, with all deliveries to it. Many of them may be erased in transactions before the one that erases the webhook. Ok(false)
   * when the account has no such webhook.
   */
  erase(accountId: Uuid, id: Uuid): ResultAsync<boolean, StorageError>
}
