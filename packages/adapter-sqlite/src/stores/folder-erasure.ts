import type { FolderNotEmpty, FolderStore } from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import type { Connections } from '../file/connections.ts'
import { uuidBytes } from './codec.ts'
import { createEraseSecrets, toErase, type ToErase } from './erase-secrets.ts'
import { eraseInSteps, type EraseStep } from './erase-steps.ts'

/** The expired secrets that one job erases, so that other writes do not wait long. */
const secretsAtOnce = 100

/**
 * The last job checks that the folder is empty, and erases it with the last of its expired secrets. When it has too many of them for one
 * job, which a regular sweep prevents, jobs before that one erase the others: a sweep would erase them as well.
 */
export function createEraseFolder(connections: Connections): FolderStore['erase'] {
  const { writer, write } = connections
  const isInUse = writer
    .prepare<[number, Buffer, Buffer], 0 | 1>(
      `SELECT EXISTS (SELECT 1 FROM secrets WHERE folder_id = folders.id AND expires_at IS NULL)
         OR EXISTS (SELECT 1 FROM secrets WHERE folder_id = folders.id AND expires_at > ?)
       FROM folders WHERE id = ? AND account_id = ?`,
    )
    .pluck()
  const expired = writer
    .prepare<[Buffer, number], ToErase>(`SELECT ${toErase} FROM secrets s WHERE s.folder_id = ? LIMIT ?`)
    .raw()
  const eraseSecrets = createEraseSecrets(connections)
  const eraseFolder = writer.prepare('DELETE FROM folders WHERE id = ?')

  const eraseSome = (
    account: Buffer,
    folder: Buffer,
    nowMicros: number,
  ): Result<EraseStep, FolderNotEmpty> => {
    const inUse = isInUse.get(nowMicros, folder, account)
    if (inUse === undefined) return ok('absent')
    if (inUse === 1) return err({ code: 'folder_not_empty' })
    const secrets = expired.all(folder, secretsAtOnce)
    const { rows } = eraseSecrets(secrets)
    if (rows < secrets.length || secrets.length === secretsAtOnce) return ok('more')
    eraseFolder.run(folder)
    connections.erased()
    return ok('erased')
  }

  return (accountId, id, nowMicros) => {
    const [account, folder] = [uuidBytes(accountId), uuidBytes(id)]
    return new ResultAsync(eraseInSteps(() => write(() => eraseSome(account, folder, nowMicros))))
  }
}
