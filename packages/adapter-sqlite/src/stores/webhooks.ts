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
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type Sqlite from 'better-sqlite3'
import type { Connections } from '../file/connections.ts'
import { isAccountSql } from './accounts.ts'
import { uuidBytes, uuidOf } from './codec.ts'
import { eraseInSteps, type EraseStep } from './erase-steps.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'
import { createEraseSomeDeliveries, createEraseTarget } from './targets.ts'
import { createInsertText, textIn } from './texts.ts'

const columns = `hex(id), created_at, failing_since, disabled_at, disabled_reason, kid, ${textIn('endpoint_nr')}`

type Row = [
  id: string,
  createdAt: number,
  failingSince: number | null,
  disabledAt: number | null,
  disabledReason: WebhookDisabledReason | null,
  kid: number,
  endpoint: Buffer | null,
]

export function createWebhooks(connections: Connections, keyCheck: KeyCheck): WebhookStore {
  const { reader, read } = connections
  const find = prepareFind(reader)
  const list = reader
    .prepare<[Buffer], Row>(`SELECT ${columns} FROM webhooks WHERE account_id = ? ORDER BY created_at, id`)
    .raw()

  return {
    insert: createInsert(connections, keyCheck),

    find: (accountId, id) =>
      read(() => {
        const row = find.get(uuidBytes(id), uuidBytes(accountId))
        return row && webhookOf(accountId, row)
      }),

    list: (accountId) => read(() => list.all(uuidBytes(accountId)).map((row) => webhookOf(accountId, row))),

    update: createUpdate(connections),

    erase: createErase(connections),
  }
}

function prepareFind(db: Sqlite.Database): Sqlite.Statement<[Buffer, Buffer], Row> {
  return db
    .prepare<[Buffer, Buffer], Row>(`SELECT ${columns} FROM webhooks WHERE id = ? AND account_id = ?`)
    .raw()
}

function webhookOf(
  accountId: Uuid,
  [id, createdAtMicros, failingSince, disabledAt, reason, kid, endpoint]: Row,
): StoredWebhook {
  return {
    id: uuidOf(id),
    accountId,
    createdAtMicros,
    failingSinceMicros: failingSince ?? undefined,
    disabled: disabledAt === null || reason === null ? undefined : { atMicros: disabledAt, reason },
    endpoint: { kid, ciphertext: ciphertextOf(endpoint) },
  }
}

function createInsert({ writer, write }: Connections, keyCheck: KeyCheck): WebhookStore['insert'] {
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const count = writer.prepare<[Buffer], number>('SELECT count(*) FROM webhooks WHERE account_id = ?').pluck()
  const insertText = createInsertText({ writer })
  const insert = writer.prepare(
    `INSERT INTO webhooks (id, account_id, created_at, failing_since, disabled_at, disabled_reason, kid, endpoint_nr)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  return ({ id, accountId, createdAtMicros, failingSinceMicros, disabled, endpoint }, max) =>
    write((): Result<void, AccountNotFound | WebhookLimitReached | KeyRetired> => {
      const account = uuidBytes(accountId)
      if (isAccount.get(account) === undefined) return err({ code: 'account_not_found' })
      if ((count.get(account) ?? 0) >= max) return err({ code: 'webhook_limit_reached' })
      const state = [failingSinceMicros, disabled?.atMicros, disabled?.reason]
      return keyCheck(endpoint.kid, () =>
        insert.run(
          ...[uuidBytes(id), account, createdAtMicros, ...state],
          ...[endpoint.kid, insertText(endpoint.ciphertext)],
        ),
      )
    })
}

function createUpdate({ writer, write }: Connections): WebhookStore['update'] {
  const find = prepareFind(writer)
  const set = writer.prepare(
    'UPDATE webhooks SET failing_since = ?, disabled_at = ?, disabled_reason = ? WHERE id = ?',
  )
  return (accountId, id, decide) =>
    write(() => {
      const key = uuidBytes(id)
      const row = find.get(key, uuidBytes(accountId))
      if (row === undefined) return ok(false)
      const webhook = webhookOf(accountId, row)
      const change = decide(webhook)
      if (change !== undefined) set.run(...stateAfter(webhook, change), key)
      return ok(true)
    })
}

type State = [failingSince: number | null, disabledAt: number | null, reason: WebhookDisabledReason | null]

function stateAfter(webhook: StoredWebhook, change: WebhookChange): State {
  const { failingSinceMicros, disabled } = { ...webhook, ...change }
  return [failingSinceMicros ?? null, disabled?.atMicros ?? null, disabled?.reason ?? null]
}

/** As with a folder: the last job erases the webhook with its last deliveries, and jobs before that one erase the others. */
function createErase(connections: Connections): WebhookStore['erase'] {
  const { writer, write, erased } = connections
  const isThere = prepareFind(writer)
  const eraseWebhook = writer.prepare('DELETE FROM webhooks WHERE id = ?')
  const eraseSome = createEraseSomeDeliveries(connections)
  const eraseTarget = createEraseTarget(connections)
  const step = (accountId: Uuid, webhookId: Uuid): EraseStep => {
    const key = uuidBytes(webhookId)
    if (isThere.get(key, uuidBytes(accountId)) === undefined) return 'absent'
    const target = { kind: 'webhook', accountId, webhookId } as const
    erased()
    if (eraseSome(target)) return 'more'
    eraseWebhook.run(key)
    eraseTarget(target)
    return 'erased'
  }
  return (accountId, id) => new ResultAsync(eraseInSteps(() => write(() => ok(step(accountId, id)))))
}
