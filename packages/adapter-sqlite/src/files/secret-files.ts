import type { KeyRetired, StorageUnavailable, StoredSecret, StoredSecretFile, Uuid } from '@sotto/core'
import { changeFiles, filesOf } from '@sotto/storage-sql'
import { ok, type Result } from 'neverthrow'
import { createAsk, run, sqliteDialect } from '../engine/engine.ts'
import type { Connections } from '../connection/connections.ts'

/** Makes the function that writes the files that a secret or draft has from now on, inside a job. Without them they stay. */
export function createChangeFiles({
  db,
}: Pick<Connections, 'db'>): (
  secret: StoredSecret,
  files: readonly StoredSecretFile[] | undefined,
) => Result<void, KeyRetired | StorageUnavailable> {
  const ask = createAsk(db)
  return (secret, files) =>
    files === undefined ? ok() : run(changeFiles({ dialect: sqliteDialect }, secret, files), ask)
}

/** Makes the function that reads the files of a secret or draft, by their numbers, inside a query. */
export function createFilesOf({
  db,
}: Pick<Connections, 'db'>): (secretId: Uuid, which?: 'all' | 'shown') => readonly StoredSecretFile[] {
  const ask = createAsk(db)
  return (secretId, which) => run(filesOf(sqliteDialect, secretId, which), ask)
}
