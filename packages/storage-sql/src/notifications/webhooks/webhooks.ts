import type {
  AccountNotFound,
  KeyRetired,
  StoredWebhook,
  Uuid,
  WebhookDisabledReason,
  WebhookLimitReached,
  WebhookStore,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isAccount } from '../../accounts/accounts.ts'
import { underKey } from '../../engine/codec.ts'
import { changes, countOf, row, type Engine, type SqlValue, type Work } from '../../engine/engine.ts'
import { rowsOf } from '../../engine/row-codec.ts'
import { eraseInSteps, type EraseStep } from '../../shared/erase-steps.ts'
import { eraseSomeDeliveries } from '../targets.ts'
import { webhookTables } from './tables.ts'

interface WebhookRow extends Omit<StoredWebhook, 'disabled'> {
  readonly disabledAtMicros: number | undefined
  readonly disabledReason: WebhookDisabledReason | undefined
}

const webhookRows = rowsOf(webhookTables.webhooks).as<WebhookRow>({
  id: 'id',
  accountId: 'account_id',
  createdAtMicros: 'created_at',
  failingSinceMicros: 'failing_since',
  disabledAtMicros: 'disabled_at',
  disabledReason: 'disabled_reason',
  endpoint: 'endpoint',
})

/** The webhooks of accounts. */
export function createWebhooks(engine: Engine): WebhookStore {
  const { dialect, read, write } = engine
  const { id } = dialect
  const webhooks = webhookRows(dialect)
  const select = `SELECT ${webhooks.columns} FROM webhooks WHERE account_id = $1`
  function* find(accountId: Uuid, webhookId: Uuid): Work<StoredWebhook | undefined> {
    const found = yield* row(`${select} AND id = $2`, id.in(accountId), id.in(webhookId))
    return found && webhookOf(webhooks.read(found))
  }

  return {
    insert: (webhook, max) =>
      write(function* (): Work<Result<void, AccountNotFound | WebhookLimitReached | KeyRetired>> {
        if (!(yield* isAccount(dialect, webhook.accountId))) return err({ code: 'account_not_found' })
        const account = id.in(webhook.accountId)
        if ((yield* countOf('SELECT count(*) FROM webhooks WHERE account_id = $1', account)) >= max)
          return err({ code: 'webhook_limit_reached' })
        const { disabled } = webhook
        const added = { ...webhook, disabledAtMicros: disabled?.atMicros, disabledReason: disabled?.reason }
        return yield* underKey(engine, webhook.endpoint.kid, () => webhooks.insert(added))
      }),

    find: (accountId, webhookId) => read(() => find(accountId, webhookId)),

    list: (accountId) =>
      engine.list(`${select} ORDER BY created_at, id`, [id.in(accountId)], (found: unknown[]) =>
        webhookOf(webhooks.read(found)),
      ),

    update: (accountId, webhookId, decide) =>
      write(function* () {
        const webhook = yield* find(accountId, webhookId)
        if (webhook === undefined) return ok(false)
        const change = decide(webhook)
        if (change === undefined) return ok(true)
        const { failingSinceMicros, disabled } = { ...webhook, ...change }
        yield* changes(
          'UPDATE webhooks SET failing_since = $2, disabled_at = $3, disabled_reason = $4 WHERE id = $1',
          ...[id.in(webhookId), failingSinceMicros, disabled?.atMicros, disabled?.reason],
        )
        return ok(true)
      }),

    // The last transaction erases the webhook with its last deliveries, and those before that one erase the others, as with a folder.
    erase: (accountId, webhookId) =>
      eraseInSteps(() =>
        write(function* (): Work<Result<EraseStep, never>> {
          if ((yield* find(accountId, webhookId)) === undefined) return ok('absent')
          engine.erased()
          const target = { kind: 'webhook', accountId, webhookId } as const
          if (yield* eraseSomeDeliveries(dialect, target)) return ok('more')
          yield* changes('DELETE FROM webhooks WHERE id = $1', id.in(webhookId))
          return ok('erased')
        }),
      ),
  }
}

/** Erases the webhooks of an account, with all deliveries to them, inside work. */
export function* eraseWebhooks(account: SqlValue): Work<void> {
  yield* changes('DELETE FROM webhooks WHERE account_id = $1', account)
  yield* changes("DELETE FROM targets WHERE account_id = $1 AND kind = 'webhook'", account)
}

function webhookOf({ disabledAtMicros, disabledReason, ...webhook }: WebhookRow): StoredWebhook {
  const disabled =
    disabledAtMicros === undefined || disabledReason === undefined
      ? undefined
      : { atMicros: disabledAtMicros, reason: disabledReason }
  return { ...webhook, disabled }
}
