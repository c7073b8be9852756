import {
  accountId,
  encrypted,
  id,
  kid,
  optional,
  text,
  time,
  writtenAt,
  type Table,
  type TextPlace,
} from '../../engine/table.ts'

export const webhookTables = {
  /** `failing_since`: NULL unless the last attempt failed. `endpoint`: its address and its signing secret, encrypted. */
  webhooks: {
    name: 'webhooks',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      failing_since: optional(time),
      disabled_at: optional(time),
      disabled_reason: optional({ ...text, oneOf: ['gone', 'failing'] }),
      kid,
      endpoint: encrypted,
    },
    check: '(disabled_at IS NULL) = (disabled_reason IS NULL)',
    indexes: { webhooks_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>

export const webhookTexts = {
  'webhook.endpoint': { table: 'webhooks', name: 'endpoint', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
