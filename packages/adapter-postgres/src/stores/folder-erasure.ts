import type { FolderNotEmpty, FolderStore, Uuid } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import type { Sql } from '../connection/sql.ts'
import { eraseSecrets, secretsAtOnce } from './erase-secrets.ts'

const isInUse = {
  name: 'folders_is_in_use',
  text: `SELECT EXISTS (SELECT 1 FROM secrets WHERE folder_id = f.id AND expires_at IS NULL)
      OR EXISTS (SELECT 1 FROM secrets WHERE folder_id = f.id AND expires_at > $3)
    FROM folders f WHERE f.id = $1 AND f.account_id = $2`,
}
const expired = {
  name: 'folders_expired',
  text: 'SELECT id FROM secrets WHERE folder_id = $1 LIMIT $2',
}
const erase = { name: 'folders_erase', text: 'DELETE FROM folders WHERE id = $1' }

/**
 * The last transaction checks that the folder is empty, and erases it with the last of its expired secrets. When it has too many of them for
 * one transaction, which a regular sweep prevents, transactions before that one erase the others: a sweep would erase them as well.
 */
export function createEraseFolder(db: Database): FolderStore['erase'] {
  return (accountId, id, nowMicros) => {
    const eraseSome = () =>
      db.transaction((sql) => eraseSomeOf(sql, { accountId, id, nowMicros }), {
        // A secret that was inserted at the same time.
        isRace: (constraint) => constraint === 'secrets_folder_fkey',
      })
    return new ResultAsync(repeat(eraseSome))
  }
}

interface Folder {
  readonly accountId: Uuid
  readonly id: Uuid
  readonly nowMicros: number
}

async function eraseSomeOf(
  sql: Sql,
  { accountId, id, nowMicros }: Folder,
): Promise<Result<Step, FolderNotEmpty>> {
  const [inUse] = (await sql.row<[boolean]>(isInUse, [id, accountId, nowMicros])) ?? []
  if (inUse === undefined) return ok('absent')
  if (inUse) return err({ code: 'folder_not_empty' })
  const rows = await sql.rows<[Uuid]>(expired, [id, secretsAtOnce])
  const areErased = await eraseSecrets(
    sql,
    rows.map(([secretId]) => secretId),
  )
  if (!areErased || rows.length === secretsAtOnce) return ok('more')
  await sql.changes(erase, [id])
  return ok('erased')
}

type Step = 'absent' | 'more' | 'erased'

/** Repeats `step` while there is more to erase. Ok whether there was a folder to erase. */
async function repeat<E>(step: () => ResultAsync<Step, E>): Promise<Result<boolean, E>> {
  for (let isFirst = true; ; isFirst = false) {
    const done = await step()
    if (done.isErr()) return err(done.error)
    if (done.value === 'absent') return ok(!isFirst)
    if (done.value === 'erased') return ok(true)
  }
}
