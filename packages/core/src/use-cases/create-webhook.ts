import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Uuid } from '../entities/uuid.ts'
import {
  makeWebhookSecret,
  webhookEndpointText,
  webhookSecretBytes,
  webhooksMax,
  type Webhook,
} from '../entities/webhook.ts'
import type {
  AccountNotFound,
  FieldRule,
  FieldsInvalid,
  KeyRetired,
  StorageError,
  WebhookLimitReached,
} from '../errors.ts'
import type { PortMethods } from '../ports/ports.ts'
import { underActiveKey } from './active-key.ts'
import { newId } from './ids.ts'
import { endpointPlace } from './webhooks.ts'

export type CreateWebhookDeps = PortMethods<{
  webhooks: 'insert'
  textCipher: 'encryptText'
  keyRing: 'refresh'
  clock: 'nowMicros'
  random: 'bytes'
  webhookSender: 'checkUrl'
}>
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
