import { ciphertext, digest, id, time, writtenAt, type Table } from '../engine/table.ts'

export const emailChangeTables = {
  /**
   * The changes of email addresses that wait for their link, one an account. `email`: the new one, sealed with the link's token. `account_id`
   * refers to nothing, so that a server that does not know this table yet can erase the account; the row then expires.
   */
  email_changes: {
    name: 'email_changes',
    key: ['account_id'],
    columns: {
      account_id: id,
      created_at: writtenAt,
      expires_at: time,
      digest: { ...digest, unique: true },
      email: ciphertext,
    },
    indexes: { email_changes_by_expiry: { on: 'expires_at' } },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>
