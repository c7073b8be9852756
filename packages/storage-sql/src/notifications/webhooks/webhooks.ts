import type {
  AccountNotFound,
  KeyRetired,
  StoredWebhook,
  Uuid,
  WebhookChange,
  WebhookDisabledReason,
  WebhookLimitReached,
  WebhookStore,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isAccount } from '../../accounts/accounts.ts'
import { encryptedOf, underKey } from '../../engine/codec.ts'
import {
  changes,
  countOf,
  row,
  type Dialect,
  type Engine,
  type SqlValue,
  type Work,
} from '../../engine/engine.ts'
import { eraseInSteps, type EraseStep } from '../../shared/erase-steps.ts'
import { eraseSomeDeliveries } from '../targets.ts'

type Row = [
  id: unknown,
  createdAt: number,
  failingSince: number | null,
  disabledAt: number | null,
  disabledReason: WebhookDisabledReason | null,
  kid: number,
  endpoint: Uint8Array | null,
]

/** The webhooks of accounts. */
export function createWebhooks(engine: Engine): WebhookStore {
  const { dialect, read, write } = engine
  const { id, texts } = dialect
  const select = `SELECT id, created_at, failing_since, disabled_at, disabled_reason, kid, ${texts.read('endpoint')}
    FROM webhooks WHERE account_id = $1`
  function* find(accountId: Uuid, webhookId: Uuid): Work<StoredWebhook | undefined> {
    const found = yield* row<Row>(`${select} AND id = $2`, id.in(accountId), id.in(webhookId))
    return found && webhookOf(dialect, accountId, found)
  }

  return {
    insert: (webhook, max) =>
      write(function* (): Work<Result<void, AccountNotFound | WebhookLimitReached | KeyRetired>> {
        if (!(yield* isAccount(dialect, webhook.accountId))) return err({ code: 'account_not_found' })
        const account = id.in(webhook.accountId)
        if ((yield* countOf('SELECT count(*) FROM webhooks WHERE account_id = $1', account)) >= max)
          return err({ code: 'webhook_limit_reached' })
        const { kid, ciphertext } = webhook.endpoint
        return yield* underKey(engine, kid, function* () {
          yield* changes(
            `INSERT INTO webhooks (id, account_id, created_at, failing_since, disabled_at, disabled_reason, kid,
               ${texts.column('endpoint')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
            ...[id.in(webhook.id), account, webhook.createdAtMicros, ...stateOf(webhook), kid],
            yield* texts.insert(ciphertext),
          )
        })
      }),

    find: (accountId, webhookId) => read(() => find(accountId, webhookId)),

    list: (accountId) =>
      engine.list(`${select} ORDER BY created_at, id`, [id.in(accountId)], (found: Row) =>
        webhookOf(dialect, accountId, found),
      ),

    update: (accountId, webhookId, decide) =>
      write(function* () {
        const webhook = yield* find(accountId, webhookId)
        if (webhook === undefined) return ok(false)
        const change = decide(webhook)
        if (change !== undefined)
          yield* changes(
            'UPDATE webhooks SET failing_since = $2, disabled_at = $3, disabled_reason = $4 WHERE id = $1',
            ...[id.in(webhookId), ...stateOf({ ...webhook, ...change })],
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

type State = { readonly [K in keyof WebhookChange]: WebhookChange[K] | undefined }

function stateOf({ failingSinceMicros, disabled }: State): SqlValue[] {
  return [failingSinceMicros, disabled?.atMicros, disabled?.reason]
}

function webhookOf({ id }: Dialect, accountId: Uuid, found: Row): StoredWebhook {
  const [webhookId, createdAtMicros, failingSince, disabledAt, reason, kid, endpoint] = found
  return {
    id: id.out(webhookId),
    accountId,
    createdAtMicros,
    failingSinceMicros: failingSince ?? undefined,
    disabled: disabledAt === null || reason === null ? undefined : { atMicros: disabledAt, reason },
    endpoint: encryptedOf(kid, endpoint),
  }
}
