import type { AccountNotFound, FolderStore, StoredFolderWithCounts, Uuid } from '@sotto/core'
import type { Connections } from '../file/connections.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'

type Row = [id: string, createdAt: number, kid: number, label: Buffer, drafts: number, secrets: number]

export function createFolders({ reader, writer, read, write }: Connections, keyCheck: KeyCheck): FolderStore {
  const insert = writer.prepare(
    'INSERT INTO folders (id, account_id, created_at, kid, label) VALUES (?, ?, ?, ?, ?)',
  )
  const owns = reader.prepare('SELECT 1 FROM folders WHERE id = ? AND account_id = ?').pluck()
  const page = reader
    .prepare<[number, Buffer, number, Buffer, number], Row>(
      `SELECT hex(id), created_at, kid, label,
         (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at IS NULL),
         (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at > ?)
       FROM folders WHERE account_id = ? AND (created_at, id) > (?, ?)
       ORDER BY created_at, id LIMIT ?`,
    )
    .raw()

  return {
    insert: ({ id, accountId, label, createdAtMicros }) =>
      write(() =>
        keyCheck<AccountNotFound>(
          label.kid,
          () => insert.run(uuidBytes(id), uuidBytes(accountId), createdAtMicros, label.kid, label.ciphertext),
          { code: 'account_not_found' },
        ),
      ),

    owns: (accountId, folderId) =>
      read(() => owns.get(uuidBytes(folderId), uuidBytes(accountId)) !== undefined),

    page: (accountId, nowMicros, after, limit) =>
      read(() =>
        page
          .all(nowMicros, uuidBytes(accountId), ...cursorOf(after), limit)
          .map((row) => folderOf(accountId, row)),
      ),
  }
}

function folderOf(
  accountId: Uuid,
  [id, createdAtMicros, kid, label, draftsCount, secretsCount]: Row,
): StoredFolderWithCounts {
  return {
    id: uuidOf(id),
    accountId,
    label: { kid, ciphertext: ciphertextOf(label) },
    createdAtMicros,
    draftsCount,
    secretsCount,
  }
}
