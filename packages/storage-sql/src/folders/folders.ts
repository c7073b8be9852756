import type {
  AccountNotFound,
  FolderNotEmpty,
  FolderStore,
  KeyRetired,
  StoredFolder,
  StoredFolderWithCounts,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isAccount } from '../accounts/accounts.ts'
import { cursorOf, replaceText, underKey } from '../engine/codec.ts'
import { changes, exists, type Engine, type Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { eraseRequests, isOpen } from '../requests/requests.ts'
import type { EraseSecrets } from '../engine/secret-work.ts'
import { eraseInSteps, type EraseStep } from '../shared/erase-steps.ts'
import { folderTables } from './tables.ts'

const fields = { id: 'id', accountId: 'account_id', label: 'label', createdAtMicros: 'created_at' } as const

const folderRows = rowsOf(folderTables.folders).as<StoredFolder>(fields)

/** `$1` is the time at which secrets are counted. */
const countedRows = rowsOf(folderTables.folders).reading<StoredFolderWithCounts>({
  ...fields,
  draftsCount: {
    type: 'integer',
    sql: '(SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at IS NULL)',
  },
  secretsCount: {
    type: 'integer',
    sql: '(SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at > $1)',
  },
})

const isOwned = 'SELECT 1 FROM folders WHERE id = $1 AND account_id = $2'

/** The folders. */
export function createFolders(engine: Engine, eraseSecrets: EraseSecrets): FolderStore {
  const { dialect, read, find, list, write } = engine
  const { id } = dialect
  const counted = countedRows(dialect)
  const select = `SELECT ${counted.columns} FROM folders`
  const one = `${select} WHERE id = $2 AND account_id = $3`
  const some = `${select} WHERE account_id = $2 AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT $5`

  return {
    insert: (folder) =>
      write(function* (): Work<Result<void, AccountNotFound | KeyRetired>> {
        if (!(yield* isAccount(dialect, folder.accountId))) return err({ code: 'account_not_found' })
        return yield* underKey(engine, folder.label.kid, () => folderRows(dialect).insert(folder))
      }),

    find: (accountId, folderId, nowMicros) =>
      find(one, [nowMicros, id.in(folderId), id.in(accountId)], counted.read),

    owns: (accountId, folderId) => read(() => exists(isOwned, id.in(folderId), id.in(accountId))),

    page: (accountId, nowMicros, after, limit) =>
      list(some, [nowMicros, id.in(accountId), ...cursorOf(dialect, after), limit], counted.read),

    relabel: (accountId, folderId, label) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const folder = id.in(folderId)
        if (!(yield* exists(isOwned, folder, id.in(accountId)))) return ok(false)
        return yield* replaceText(engine, { table: 'folders', name: 'label' }, folder, label)
      }),

    erase: createErase(engine, eraseSecrets),
  }
}

/** The expired secrets, and the requests, that one transaction erases, so that other writes do not wait long. */
const rowsAtOnce = 100

/**
 * The last transaction checks that the folder is empty, and erases it with the last of its expired secrets and requests. When the folder has
 * more of them than fit into one transaction, because no sweep erased them in time, earlier transactions erase the others.
 */
function createErase(engine: Engine, eraseSecrets: EraseSecrets): FolderStore['erase'] {
  const { id } = engine.dialect
  return (accountId, folderId, nowMicros) =>
    eraseInSteps(() =>
      engine.write(function* (): Work<Result<EraseStep, FolderNotEmpty>> {
        const folder = id.in(folderId)
        if (!(yield* exists(isOwned, folder, id.in(accountId)))) return ok('absent')
        if (yield* exists(isInUse, folder, nowMicros)) return err({ code: 'folder_not_empty' })
        engine.erased()
        if ((yield* eraseRequests('folder_id', folder, rowsAtOnce)) === rowsAtOnce) return ok('more')
        const { found, erased } = yield* eraseSecrets('folder_id', folder, rowsAtOnce)
        if (erased < found || found === rowsAtOnce) return ok('more')
        yield* changes('DELETE FROM folders WHERE id = $1', folder)
        return ok('erased')
      }),
    )
}

const isInUse = `SELECT 1 WHERE EXISTS (SELECT 1 FROM secrets WHERE folder_id = $1 AND expires_at IS NULL)
  OR EXISTS (SELECT 1 FROM secrets WHERE folder_id = $1 AND expires_at > $2)
  OR EXISTS (SELECT 1 FROM requests WHERE folder_id = $1 AND ${isOpen('$2')})`
