import {
  digest,
  encrypted,
  id,
  integer,
  kid,
  optional,
  text,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const passkeyTables = {
  /**
   * The passkeys that owners sign in with. `digest`: of the credential's id. `public_key`: SubjectPublicKeyInfo in DER. `algorithm`: its
   * number of COSE. `counter`: the authenticator's. `rp_id`: the host that it is bound to. The database erases them with their account, as
   * identities.
   */
  passkeys: {
    name: 'passkeys',
    key: ['id'],
    columns: {
      id,
      account_id: id,
      created_at: writtenAt,
      last_used_at: optional(writtenAt),
      rp_id: text,
      algorithm: integer,
      counter: integer,
      credential_id: { type: 'bytes' },
      public_key: { type: 'bytes' },
      digest: { ...digest, unique: true },
      kid,
      name: encrypted,
    },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    indexes: { passkeys_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>

export const passkeyTexts = {
  'passkey.name': { table: 'passkeys', name: 'name', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
