import {
  accountId,
  digest,
  encrypted,
  id,
  kid,
  optional,
  time,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const sessionTables = {
  /**
   * `proven_at`: when the owner last proved who they are. `last_used_at`: to the minute. `digest`: of the session's token. `kid`, `name`: NULL
   * until it is named. `way_in_id`: the password, identity or passkey that it was begun with. `provider_session`: digest of the session at the
   * identity provider.
   */
  sessions: {
    name: 'sessions',
    key: ['id'],
    columns: {
      id,
      account_id: accountId,
      created_at: writtenAt,
      proven_at: writtenAt,
      last_used_at: writtenAt,
      digest: { ...digest, unique: true },
      kid: optional(kid),
      name: optional(encrypted),
      way_in_id: optional(id),
      provider_session: optional(digest),
    },
    indexes: {
      sessions_by_time: { on: 'account_id, created_at, id' },
      sessions_by_creation: { on: 'created_at' },
      sessions_by_use: { on: 'last_used_at' },
      sessions_of_provider: { on: 'provider_session', where: 'provider_session IS NOT NULL' },
    },
    ofAccount: 'few',
    stays: true,
  },

  /**
   * Tokens that count once and were used: logout tokens of the identity provider, challenges of passkeys. `erase_at`: the time from which
   * it is refused anyway.
   */
  used_tokens: {
    name: 'used_tokens',
    key: ['digest'],
    columns: { digest, erase_at: time },
    indexes: { used_tokens_by_end: { on: 'erase_at' } },
    stays: true,
    isSmall: true,
  },
} as const satisfies Readonly<Record<string, Table>>

export const sessionTexts = {
  'session.name': { table: 'sessions', name: 'name', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
