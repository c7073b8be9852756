import type { ResultAsync } from 'neverthrow'
import type { KeyUnknown, StorageError } from '../../shared/errors.ts'
import { each, onePage, type Pages } from '../../shared/pages.ts'
import { webhookHost, type Webhook } from './webhook.ts'
import { listWebhooks } from './webhooks.ts'

// What other capabilities read of an account's webhooks.

type Deps = Parameters<typeof listWebhooks>[0]
type Input = Parameters<typeof listWebhooks>[1]

/** The webhooks of an account, as an export has them. */
export function webhooksOf(
  deps: Deps,
  { accountId }: Input,
): Pages<{ readonly kind: 'webhook'; readonly item: Webhook }, KeyUnknown | StorageError> {
  return each(onePage(listWebhooks(deps, { accountId })), (item) => ({ kind: 'webhook', item }))
}

/** The hosts of an account's webhooks, each once, those that cannot be read aside. */
export function webhookHosts(
  deps: Deps,
  { accountId }: Input,
): ResultAsync<readonly string[], KeyUnknown | StorageError> {
  return listWebhooks(deps, { accountId }).map(({ items }) => [
    ...new Set(items.map(({ url }) => webhookHost(url))),
  ])
}
