import { err } from 'neverthrow'
import { countCallNeeds, countTest } from '../../quota/count-call.ts'
import { underActiveKey } from '../../shared/active-key.ts'
import type { FieldRule } from '../../shared/errors.ts'
import { invalid } from '../../shared/fields.ts'
import { foundOr } from '../../shared/found-or.ts'
import { newId } from '../../shared/ids.ts'
import { aBoolean, aString } from '../../shared/inputs.ts'
import { showRows } from '../../shared/pages.ts'
import { account, accountAndId } from '../../shared/shapes.ts'
import { useCase } from '../../shared/use-case.ts'
import { uuidToFind } from '../../shared/uuid.ts'
import type { SendFailed } from '../queue/senders.ts'
import { webhookNotFound } from './errors.ts'
import { endpointOf, endpointPlace, showWebhook } from './show-webhook.ts'
import type { WebhookSender } from './webhook-sender.ts'
import {
  makeWebhookSecret,
  webhookEndpointText,
  webhookSecretBytes,
  webhooksMax,
  type Webhook,
} from './webhook.ts'

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
export const createWebhook = useCase({
  needs: [
    'webhooks.insert',
    'webhookSender?.checkUrl',
    'textCipher.encryptText',
    'keyRing.follow',
    'clock.nowMicros',
    'random.bytes',
  ],
  takes: {
    ...account,
    /** Where messages are to be posted. */
    url: aString,
  },
  async run({ webhooks, webhookSender, textCipher, keyRing, clock, random }, { accountId, url }) {
    const rule = urlError(webhookSender, url)
    if (rule !== undefined) return invalid('url', { rule })
    const createdAtMicros = clock.nowMicros()
    const id = newId(random, createdAtMicros)
    const secret = makeWebhookSecret(random.bytes(webhookSecretBytes))
    const fresh = { id, createdAtMicros, failingSinceMicros: undefined, disabled: undefined }
    const inserted = await underActiveKey(keyRing, () => {
      const text = webhookEndpointText({ url, secret })
      const endpoint = textCipher.encryptText(endpointPlace(accountId, id), text)
      return webhooks.insert({ ...fresh, accountId, endpoint }, webhooksMax)
    })
    return inserted.map((): NewWebhook => ({ ...fresh, url, secret }))
  },
})

function urlError(sender: Pick<WebhookSender, 'checkUrl'> | undefined, url: string): FieldRule | undefined {
  if (sender === undefined) return 'address_not_allowed'
  const checked = sender.checkUrl(url)
  return checked.isErr() ? checked.error.rule : undefined
}

/** All webhooks of the account, disabled ones included, by creation and id, on one page. Never their signing secrets. */
export const listWebhooks = useCase({
  needs: ['webhooks.list', 'textCipher.decryptText'],
  takes: account,
  run: async ({ webhooks, textCipher }, { accountId }) =>
    webhooks.list(accountId).andThen((all) => showRows(all, (stored) => showWebhook(textCipher, stored))),
})

/**
 * Erases a webhook with all messages that wait for it.
 * @errors `webhook_not_found`, the same for an unknown, malformed or another account's id
 */
export const deleteWebhook = useCase({
  needs: ['webhooks.erase'],
  takes: accountAndId,
  run: async ({ webhooks }, { accountId, id }) =>
    webhooks.erase(accountId, uuidToFind(id)).andThen(foundOr(webhookNotFound)),
})

/**
 * Posts a `webhook.test` message immediately, not through the queue. Success enables a webhook that is disabled; failure changes nothing.
 * @errors `webhook_not_found`, the same for an unknown, malformed or another account's id;
 * `quota_exceeded` when the owner has sent as many tests as `testLimits` allow, of mails and webhooks together; `send_failed`
 */
export const testWebhook = useCase({
  needs: [
    ...countCallNeeds,
    'webhooks.find',
    'webhooks.update',
    'webhookSender?.send',
    'textCipher.decryptText',
    'random.bytes',
  ],
  takes: accountAndId,
  mayTake: {
    /** Whether the operator asks: their tests are not counted. */
    byOperator: aBoolean,
  },
  async run(deps, { accountId, id: typed, byOperator = false }) {
    const { webhooks, webhookSender, textCipher, clock, random } = deps
    const id = uuidToFind(typed)
    const found = await webhooks.find(accountId, id)
    if (found.isErr()) return found
    if (found.value === undefined) return err(webhookNotFound)
    if (!byOperator) {
      const counted = await countTest(deps, accountId)
      if (counted.isErr()) return counted
    }
    const endpoint = endpointOf(textCipher, found.value)
    if (endpoint.isErr()) return endpoint
    if (webhookSender === undefined) return err(nothingIsPosted)
    const atMicros = clock.nowMicros()
    const message = { id: newId(random, atMicros), type: 'webhook.test', createdAtMicros: atMicros } as const
    const sent = await webhookSender.send({ ...endpoint.value, message, atMicros })
    if (sent.isErr()) return sent
    const updated = await webhooks.update(accountId, id, () => ({ failingSinceMicros: null, disabled: null }))
    return updated.andThen(foundOr(webhookNotFound))
  },
})

const nothingIsPosted: SendFailed = {
  code: 'send_failed',
  reason: 'nothing is posted to webhooks here',
  verdict: 'never',
}
