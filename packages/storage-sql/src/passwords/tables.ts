import {
  accountId,
  digest,
  encrypted,
  id,
  kid,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const passwordTables = {
  /** The passwords of accounts, one each. `hash`: its Argon2id hash, encrypted. */
  passwords: {
    name: 'passwords',
    key: ['id'],
    columns: { id, account_id: { ...accountId, unique: true }, created_at: writtenAt, kid, hash: encrypted },
    ofAccount: 'few',
  },

  /** The addresses from which owners signed in. `address`: keyed digest of the account and the address. */
  known_addresses: {
    name: 'known_addresses',
    key: ['account_id', 'address'],
    columns: { account_id: accountId, address: digest, used_at: writtenAt },
    indexes: { known_addresses_by_use: { on: 'account_id, used_at' } },
    ofAccount: 'few',
    isSmall: true,
  },
} as const satisfies Readonly<Record<string, Table>>

export const passwordTexts = {
  'account.password': { table: 'passwords', name: 'hash', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
