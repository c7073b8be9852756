import { type Result, ResultAsync, err, ok } from 'neverthrow'
import { type Uuid, uuidToFind } from '../../shared/uuid.ts'
import {
  type Webhook,
  type WebhookEndpoint,
  makeWebhookSecret,
  parseWebhookEndpoint,
  webhookEndpointText,
  webhookHost,
  webhookSecretBytes,
  webhooksMax,
} from './webhook.ts'
import type { WebhookLimitReached, WebhookNotFound } from './errors.ts'
import type { AccountNotFound } from '../../accounts/errors.ts'
import type {
  DataCorrupted,
  DecryptError,
  FieldRule,
  FieldsInvalid,
  KeyRetired,
  KeyUnknown,
  StorageError,
} from '../../shared/errors.ts'
import type { KeyRing, TextCipher } from '../../shared/cipher.ts'
import type { StoredWebhook, WebhookStore } from './webhook-store.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Random } from '../../shared/random.ts'
import type { WebhookSender } from './webhook-sender.ts'
import type { TextPlace } from '../../shared/text-columns.ts'
import { underActiveKey } from '../../shared/active-key.ts'
import { foundOr } from '../../shared/found-or.ts'
import { newId } from '../../shared/ids.ts'
import { each, onePage, type Page, type Pages, showRows } from '../../shared/pages.ts'

// What the use-cases of webhooks have in common.

/** Where the endpoint of a webhook is stored. */
export function endpointPlace(accountId: Uuid, id: Uuid): TextPlace {
  return { column: 'webhook.endpoint', accountId, rowId: id }
}

/** Address and signing secret of a stored webhook. */
export function endpointOf(
  cipher: Pick<TextCipher, 'decryptText'>,
  { accountId, id, endpoint }: StoredWebhook,
): Result<WebhookEndpoint, DecryptError> {
  return cipher
    .decryptText(endpointPlace(accountId, id), endpoint)
    .andThen((text): Result<WebhookEndpoint, DataCorrupted> => {
      const parsed = parseWebhookEndpoint(text)
      return parsed === undefined ? err({ code: 'data_damaged', what: 'webhook.endpoint', id }) : ok(parsed)
    })
}

/** A stored webhook as its owner sees it: without its signing secret. */
export function showWebhook(
  cipher: Pick<TextCipher, 'decryptText'>,
  stored: StoredWebhook,
): Result<Webhook, DecryptError> {
  const { id, createdAtMicros, failingSinceMicros, disabled } = stored
  return endpointOf(cipher, stored).map(({ url }) => ({
    id,
    url,
    createdAtMicros,
    failingSinceMicros,
    disabled,
  }))
}

export interface CreateWebhookDeps {
  readonly webhooks: Pick<WebhookStore, 'insert'>
  readonly textCipher: Pick<TextCipher, 'encryptText'>
  readonly keyRing: Pick<KeyRing, 'follow'>
  readonly clock: Clock
  readonly random: Random
  readonly webhookSender?: Pick<WebhookSender, 'checkUrl'> | undefined
}
export interface CreateWebhookInput {
  readonly accountId: Uuid
  /** Where messages are to be posted. */
  readonly url: string
}
export type CreateWebhookError =
  FieldsInvalid | AccountNotFound | WebhookLimitReached | KeyRetired | StorageError

/** A webhook that was just made, with its signing secret. It cannot be read again. */
export interface NewWebhook extends Webhook {
  /** `whsec_` and the base64 of 24 random bytes (Standard Webhooks). */
  readonly secret: string
}

/**
 * Adds a webhook to an account, with a signing secret of its own.
 * @errors `fields_invalid` for the field `url`: `not_a_url`, `not_https`, or `address_not_allowed`, as every address where nothing is
 * posted; `webhook_limit_reached` when the account has `webhooksMax` of them; `account_not_found`
 */
export function createWebhook(
  deps: CreateWebhookDeps,
  input: CreateWebhookInput,
): ResultAsync<NewWebhook, CreateWebhookError> {
  return new ResultAsync(create(deps, input))
}

async function create(
  deps: CreateWebhookDeps,
  { accountId, url }: CreateWebhookInput,
): Promise<Result<NewWebhook, CreateWebhookError>> {
  const { webhooks, textCipher, keyRing, clock, random } = deps
  const rule = urlError(deps, url)
  if (rule !== undefined) return err({ code: 'fields_invalid', errors: [{ field: 'url', rule }] })
  const createdAtMicros = clock.nowMicros()
  const id = newId(random, createdAtMicros)
  const secret = makeWebhookSecret(random.bytes(webhookSecretBytes))
  const fresh = { id, createdAtMicros, failingSinceMicros: undefined, disabled: undefined }
  const inserted = await underActiveKey(keyRing, () => {
    const text = webhookEndpointText({ url, secret })
    const endpoint = textCipher.encryptText(endpointPlace(accountId, id), text)
    return webhooks.insert({ ...fresh, accountId, endpoint }, webhooksMax)
  })
  return inserted.isErr() ? err(inserted.error) : ok({ ...fresh, url, secret })
}

function urlError({ webhookSender }: CreateWebhookDeps, url: string): FieldRule | undefined {
  if (webhookSender === undefined) return 'address_not_allowed'
  const checked = webhookSender.checkUrl(url)
  return checked.isErr() ? checked.error.rule : undefined
}

/** The ports that {@link listWebhooks} reads. */
export interface ListWebhooksDeps {
  readonly webhooks: Pick<WebhookStore, 'list'>
  readonly textCipher: Pick<TextCipher, 'decryptText'>
}
export interface ListWebhooksInput {
  readonly accountId: Uuid
}
export type ListWebhooksError = KeyUnknown | StorageError

/** All webhooks of the account, disabled ones included, by creation and id, on one page. Never their signing secrets. */
export function listWebhooks(
  { webhooks, textCipher }: ListWebhooksDeps,
  { accountId }: ListWebhooksInput,
): ResultAsync<Page<Webhook>, ListWebhooksError> {
  return webhooks.list(accountId).andThen((all) => showRows(all, (stored) => showWebhook(textCipher, stored)))
}

/** The webhooks of an account, as an export has them. */
export function webhooksOf(
  deps: ListWebhooksDeps,
  { accountId }: ListWebhooksInput,
): Pages<{ readonly kind: 'webhook'; readonly item: Webhook }, ListWebhooksError> {
  return each(onePage(listWebhooks(deps, { accountId })), (item) => ({ kind: 'webhook', item }))
}

/** The hosts of an account's webhooks, each once, those that cannot be read aside. */
export function webhookHosts(
  deps: ListWebhooksDeps,
  { accountId }: ListWebhooksInput,
): ResultAsync<readonly string[], ListWebhooksError> {
  return listWebhooks(deps, { accountId }).map(({ items }) => [
    ...new Set(items.map(({ url }) => webhookHost(url))),
  ])
}

export interface DeleteWebhookDeps {
  readonly webhooks: Pick<WebhookStore, 'erase'>
}
export interface DeleteWebhookInput {
  readonly accountId: Uuid
  readonly id: string
}
export type DeleteWebhookError = WebhookNotFound | StorageError

/**
 * Erases a webhook with all messages that wait for it.
 * @errors `webhook_not_found`, the same for an unknown, malformed or another account's id
 */
export function deleteWebhook(
  { webhooks }: DeleteWebhookDeps,
  { accountId, id }: DeleteWebhookInput,
): ResultAsync<void, DeleteWebhookError> {
  return webhooks.erase(accountId, uuidToFind(id)).andThen(foundOr('webhook_not_found'))
}
