import { accountId, encrypted, id, kid, writtenAt, type Table, type TextPlace } from '../engine/table.ts'

export const folderTables = {
  /** Secrets refer to (id, account_id), so that none is in another account's folder. */
  folders: {
    name: 'folders',
    key: ['id'],
    columns: { id, account_id: accountId, created_at: writtenAt, kid, label: encrypted },
    unique: { folders_of_account_key: ['id', 'account_id'] },
    indexes: { folders_by_time: { on: 'account_id, created_at, id' } },
    ofAccount: 'many',
  },
} as const satisfies Readonly<Record<string, Table>>

export const folderTexts = {
  'folder.label': { table: 'folders', name: 'label', owner: 'account_id' },
} as const satisfies Readonly<Record<string, TextPlace>>
