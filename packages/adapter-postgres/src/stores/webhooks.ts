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
import type { Database } from '../connection/database.ts'
import { isAccount } from './accounts.ts'
import { ciphertextOf } from './codec.ts'

const columns = 'id, account_id, created_at, failing_since, disabled_at, disabled_reason, kid, endpoint'

type Row = [
  id: Uuid,
  accountId: Uuid,
  createdAt: number,
  failingSince: number | null,
  disabledAt: number | null,
  disabledReason: WebhookDisabledReason | null,
  kid: number,
  endpoint: Uint8Array,
]

const find = {
  name: 'webhooks_find',
  text: `SELECT ${columns} FROM webhooks WHERE id = $1 AND account_id = $2`,
}
const list = {
  name: 'webhooks_list',
  text: `SELECT ${columns} FROM webhooks WHERE account_id = $1 ORDER BY created_at, id`,
}

export function createWebhooks(db: Database): WebhookStore {
  return {
    insert: createInsert(db),

    find: (accountId, id) =>
      db.read(async (sql) => {
        const row = await sql.row<Row>(find, [id, accountId])
        return row && webhookOf(row)
      }),

    list: (accountId) => db.read(async (sql) => (await sql.rows<Row>(list, [accountId])).map(webhookOf)),

    update: createUpdate(db),

    erase: createErase(db),
  }
}

function webhookOf(row: Row): StoredWebhook {
  const [id, accountId, createdAtMicros, failingSince, disabledAt, reason, kid, endpoint] = row
  return {
    id,
    accountId,
    createdAtMicros,
    failingSinceMicros: failingSince ?? undefined,
    disabled: disabledAt === null || reason === null ? undefined : { atMicros: disabledAt, reason },
    endpoint: { kid, ciphertext: ciphertextOf(endpoint) },
  }
}

const count = { name: 'webhooks_count', text: 'SELECT count(*) FROM webhooks WHERE account_id = $1' }
const insert = {
  name: 'webhooks_insert',
  text: `INSERT INTO webhooks (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
}

function createInsert(db: Database): WebhookStore['insert'] {
  return ({ id, accountId, createdAtMicros, failingSinceMicros, disabled, endpoint }, max) =>
    db.transaction(
      async (sql): Promise<Result<void, AccountNotFound | WebhookLimitReached | KeyRetired>> => {
        if (!(await isAccount(sql, accountId))) return err({ code: 'account_not_found' })
        const [webhooks = 0] = (await sql.row<[number]>(count, [accountId])) ?? []
        if (webhooks >= max) return err({ code: 'webhook_limit_reached' })
        const state = [failingSinceMicros, disabled?.atMicros, disabled?.reason]
        await sql.changes(insert, [
          ...[id, accountId, createdAtMicros, ...state],
          ...[endpoint.kid, endpoint.ciphertext],
        ])
        return ok()
      },
      {
        violation: (constraint) => (constraint === 'webhooks_kid_fkey' ? { code: 'key_retired' } : undefined),
      },
    )
}

const set = {
  name: 'webhooks_set',
  text: 'UPDATE webhooks SET failing_since = $2, disabled_at = $3, disabled_reason = $4 WHERE id = $1',
}

function createUpdate(db: Database): WebhookStore['update'] {
  return (accountId, id, decide) =>
    db.transaction(async (sql) => {
      const row = await sql.row<Row>(find, [id, accountId])
      if (row === undefined) return ok(false)
      const webhook = webhookOf(row)
      const change = decide(webhook)
      if (change !== undefined) await sql.changes(set, [id, ...stateAfter(webhook, change)])
      return ok(true)
    })
}

type State = [failingSince: number | null, disabledAt: number | null, reason: WebhookDisabledReason | null]

function stateAfter(webhook: StoredWebhook, change: WebhookChange): State {
  const { failingSinceMicros, disabled } = { ...webhook, ...change }
  return [failingSinceMicros ?? null, disabled?.atMicros ?? null, disabled?.reason ?? null]
}

const erase = { name: 'webhooks_erase', text: 'DELETE FROM webhooks WHERE id = $1 AND account_id = $2' }
/** With all deliveries to it. */
const eraseTarget = {
  name: 'webhooks_erase_target',
  text: `DELETE FROM targets WHERE kind = 'webhook' AND id = $1`,
}

function createErase(db: Database): WebhookStore['erase'] {
  return (accountId, id) =>
    db.transaction(async (sql) => {
      if ((await sql.changes(erase, [id, accountId])) === 0) return ok(false)
      await sql.changes(eraseTarget, [id])
      return ok(true)
    })
}
