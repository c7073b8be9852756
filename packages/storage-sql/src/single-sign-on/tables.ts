import {
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

export const identityTables = {
  /**
   * The identities that owners sign in with at an identity provider. `name`: issuer and subject. `digest`: keyed digest of the name under the
   * key `kid`, by which the identity is found. `refused_at`: NULL unless it was refused last. The database erases them with their account, for
   * a server that does not know this table yet erases accounts, too.
   */
  identities: {
    name: 'identities',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      origin: { ...text, oneOf: ['connected', 'invited', 'allowed'] },
      created_at: writtenAt,
      last_used_at: optional(writtenAt),
      refused_at: optional(time),
      kid,
      digest: { ...digest, unique: true },
      name: encrypted,
    },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    indexes: { identities_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>

export const identityTexts = {
  'identity.name': { table: 'identities', name: 'name', owner: 'account_id', index: 'digest' },
} as const satisfies Readonly<Record<string, TextPlace>>
