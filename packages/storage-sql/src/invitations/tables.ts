import { accountId, digest, flag, text, time, writtenAt, type Table } from '../engine/table.ts'

export const invitationTables = {
  /** The one-time links with which owners choose a password, one an account. `digest`: of its token. */
  invitations: {
    name: 'welcomes',
    key: ['account_id'],
    columns: {
      account_id: accountId,
      kind: { ...text, oneOf: ['invite', 'reset'] },
      created_at: writtenAt,
      expires_at: time,
      digest: { ...digest, unique: true },
      asked: { ...flag, default: false },
    },
    indexes: { welcomes_by_expiry: { on: 'expires_at' } },
    ofAccount: 'few',
  },
} as const satisfies Readonly<Record<string, Table>>
