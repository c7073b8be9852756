import {
  accountId,
  digest,
  encrypted,
  id,
  kid,
  optional,
  text,
  time,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const accessTokenTables = {
  /** `expires_at`: NULL when it never does. `revoked_at`: set once. `last_used_at`: to the minute. `digest`: SHA-256 of the token. */
  access_tokens: {
    name: 'access_tokens',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      expires_at: optional(time),
      revoked_at: optional(time),
      last_used_at: optional(writtenAt),
      scopes: text,
      kid,
      digest: { ...digest, unique: true },
      name: encrypted,
    },
    indexes: { access_tokens_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'many',
  },
} as const satisfies Readonly<Record<string, Table>>

export const accessTokenTexts = {
  'access_token.name': { table: 'access_tokens', name: 'name', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
