import type {
  AccountNotFound,
  FolderStore,
  KeyRetired,
  StoredFolder,
  StoredFolderWithCounts,
  Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { keyedColumns } from '../keyed-columns.ts'
import { isAccountSql } from './accounts.ts'
import { cursorOf, uuidBytes, uuidOf } from './codec.ts'
import { createEraseFolder } from './folder-erasure.ts'
import type { KeyCheck } from './key-check.ts'
import { ciphertextOf } from './secret-rows.ts'
import { createInsertText, createPutText, textIn } from './texts.ts'

export function createFolders(connections: Connections, keyCheck: KeyCheck): FolderStore {
  return {
    insert: createInsert(connections, keyCheck),

    ...createReads(connections),

    relabel: createRelabel(connections, keyCheck),

    erase: createEraseFolder(connections),
  }
}

function createInsert({ writer, write }: Connections, keyCheck: KeyCheck): FolderStore['insert'] {
  const isAccount = writer.prepare<[Buffer], number>(isAccountSql).pluck()
  const insertText = createInsertText({ writer })
  const insert = writer.prepare(
    'INSERT INTO folders (id, account_id, created_at, kid, label_nr) VALUES (?, ?, ?, ?, ?)',
  )
  return ({ id, accountId, label, createdAtMicros }: StoredFolder) =>
    write((): Result<void, AccountNotFound | KeyRetired> => {
      const account = uuidBytes(accountId)
      if (isAccount.get(account) === undefined) return err({ code: 'account_not_found' })
      return keyCheck(label.kid, () =>
        insert.run(uuidBytes(id), account, createdAtMicros, label.kid, insertText(label.ciphertext)),
      )
    })
}

/** The first parameter is the time at which secrets are counted. */
const columns = `hex(id), created_at, kid, ${textIn('label_nr')},
  (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at IS NULL),
  (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at > ?)`

type Row = [id: string, createdAt: number, kid: number, label: Buffer | null, drafts: number, secrets: number]

function createReads({ reader, read }: Connections): Pick<FolderStore, 'find' | 'owns' | 'page'> {
  const find = reader
    .prepare<[number, Buffer, Buffer], Row>(`SELECT ${columns} FROM folders WHERE id = ? AND account_id = ?`)
    .raw()
  const owns = reader.prepare('SELECT 1 FROM folders WHERE id = ? AND account_id = ?').pluck()
  const page = reader
    .prepare<[number, Buffer, number, Buffer, number], Row>(
      `SELECT ${columns} FROM folders WHERE account_id = ? AND (created_at, id) > (?, ?)
       ORDER BY created_at, id LIMIT ?`,
    )
    .raw()

  return {
    find: (accountId, id, nowMicros) =>
      read(() => {
        const row = find.get(nowMicros, uuidBytes(id), uuidBytes(accountId))
        return row && folderOf(accountId, row)
      }),

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

function createRelabel(connections: Connections, keyCheck: KeyCheck): FolderStore['relabel'] {
  const { writer, write } = connections
  const replaceLabel = createPutText(connections, keyedColumns['folder.label'])
  const relabel = writer.prepare('UPDATE folders SET kid = ?, label_nr = ? WHERE id = ?')
  const owns = writer.prepare('SELECT 1 FROM folders WHERE id = ? AND account_id = ?').pluck()

  return (accountId, id, { kid, ciphertext }) =>
    write((): Result<boolean, KeyRetired> => {
      const [folder, account] = [uuidBytes(id), uuidBytes(accountId)]
      if (owns.get(folder, account) === undefined) return ok(false)
      return keyCheck(kid, () => {
        relabel.run(kid, replaceLabel(folder, ciphertext), folder)
        connections.erased()
      }).map(() => true)
    })
}
