import type {
  AccountNotFound,
  FolderNotEmpty,
  FolderStore,
  KeyRetired,
  StoredFolderWithCounts,
  Uuid,
} from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { isAccount } from '../accounts/accounts.ts'
import { cursorOf, encryptedOf, underKey } from '../engine/codec.ts'
import { changes, exists, type Dialect, type Engine, type Work } from '../engine/engine.ts'
import { eraseRequests, isOpen } from '../requests/requests.ts'
import type { EraseSecrets } from '../engine/secret-work.ts'
import { eraseInSteps, type EraseStep } from '../shared/erase-steps.ts'

type Row = [
  id: unknown,
  createdAt: number,
  kid: number,
  label: Uint8Array | null,
  draftsCount: number,
  secretsCount: number,
]

const isOwned = 'SELECT 1 FROM folders WHERE id = $1 AND account_id = $2'

/** The folders. */
export function createFolders(engine: Engine, eraseSecrets: EraseSecrets): FolderStore {
  const { dialect, read, find, list, write } = engine
  const { id, texts } = dialect
  /** The first parameter is the time at which secrets are counted. */
  const select = `SELECT ${id.read('id')}, created_at, kid, ${texts.read('label')},
    (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at IS NULL),
    (SELECT count(*) FROM secrets WHERE folder_id = folders.id AND expires_at > $1) FROM folders`
  const one = `${select} WHERE id = $2 AND account_id = $3`
  const some = `${select} WHERE account_id = $2 AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT $5`

  return {
    insert: (folder) =>
      write(function* (): Work<Result<void, AccountNotFound | KeyRetired>> {
        if (!(yield* isAccount(dialect, folder.accountId))) return err({ code: 'account_not_found' })
        const { kid, ciphertext } = folder.label
        return yield* underKey(engine, kid, function* () {
          yield* changes(
            `INSERT INTO folders (id, account_id, created_at, kid, ${texts.column('label')}) VALUES ($1, $2, $3, $4, $5)`,
            ...[id.in(folder.id), id.in(folder.accountId), folder.createdAtMicros, kid],
            yield* texts.insert(ciphertext),
          )
        })
      }),

    find: (accountId, folderId, nowMicros) =>
      find(one, [nowMicros, id.in(folderId), id.in(accountId)], (found: Row) =>
        folderOf(dialect, accountId, found),
      ),

    owns: (accountId, folderId) => read(() => exists(isOwned, id.in(folderId), id.in(accountId))),

    page: (accountId, nowMicros, after, limit) =>
      list(some, [nowMicros, id.in(accountId), ...cursorOf(dialect, after), limit], (found: Row) =>
        folderOf(dialect, accountId, found),
      ),

    relabel: (accountId, folderId, { kid, ciphertext }) =>
      write(function* (): Work<Result<boolean, KeyRetired>> {
        const folder = id.in(folderId)
        if (!(yield* exists(isOwned, folder, id.in(accountId)))) return ok(false)
        return yield* underKey(engine, kid, function* () {
          const label = yield* texts.replace({ table: 'folders', name: 'label' }, folder, ciphertext)
          yield* changes(
            `UPDATE folders SET kid = $2, ${texts.column('label')} = $3 WHERE id = $1`,
            folder,
            kid,
            label,
          )
          engine.erased()
          return true
        })
      }),

    erase: createErase(engine, eraseSecrets),
  }
}

function folderOf({ id }: Dialect, accountId: Uuid, found: Row): StoredFolderWithCounts {
  const [folderId, createdAtMicros, kid, label, draftsCount, secretsCount] = found
  return {
    id: id.out(folderId),
    accountId,
    label: encryptedOf(kid, label),
    createdAtMicros,
    draftsCount,
    secretsCount,
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
