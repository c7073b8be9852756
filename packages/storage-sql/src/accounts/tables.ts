import {
  digest,
  encrypted,
  flag,
  id,
  kid,
  optional,
  text,
  time,
  writtenAt,
  type Table,
  type TextPlace,
} from '../engine/table.ts'

export const accountTables = {
  /**
   * `disabled_at`: set once. `language`: the tag that the owner chose; NULL follows the browser. `name_index`: keyed digest of the name under
   * the key `kid`, by which the account is found; NULL once its erasure has begun. `notifies`: what the owner chose last.
   * `held`: whether the owner has to be allowed at every sign-in.
   */
  accounts: {
    name: 'accounts',
    key: ['id'],
    columns: {
      id,
      created_at: writtenAt,
      disabled_at: optional(time),
      language: optional(text),
      mails_enabled: flag,
      mails_name_labels: flag,
      kid,
      name_index: optional({ ...digest, unique: true }),
      name: encrypted,
      notifies: { ...flag, default: false },
      held: { ...flag, default: false },
    },
    indexes: { accounts_by_time: { on: 'created_at, id' } },
  },

  /**
   * The names that recipients see, one an account. The database erases them with their account, for a server that does not know this table
   * yet erases accounts, too.
   */
  display_names: {
    name: 'display_names',
    key: ['id'],
    columns: { id, account_id: { ...id, unique: true }, kid, name: encrypted },
    partOf: { columns: ['account_id'], table: 'accounts', key: ['id'] },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>

export const accountTexts = {
  'account.name': { table: 'accounts', name: 'name', owner: 'id', index: 'name_index' },
  'account.display_name': { table: 'display_names', name: 'name', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
