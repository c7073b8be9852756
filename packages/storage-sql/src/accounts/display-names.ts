import type { KeyRetired, StoredDisplayName, Uuid } from '@sotto/core'
import type { Result } from 'neverthrow'
import { encryptedOf, underKey } from '../engine/codec.ts'
import type { Dialect, Engine, Work } from '../engine/engine.ts'
import { rowsOf } from '../engine/row-codec.ts'
import { accountTables } from './tables.ts'

const displayNameRows = rowsOf(accountTables.display_names).as<
  StoredDisplayName,
  { readonly accountId: Uuid }
>({ id: 'id', name: 'name' }, { accountId: 'account_id' })

/** The display name of an account as columns of another query; all NULL when it has none. */
export type DisplayNameRow = [id: unknown, kid: number | null, name: Uint8Array | null]

/**
 * The columns of {@link DisplayNameRow}. Not a join: SQLite plans a join again each time it runs.
 * @param account the id of the account, as SQL
 */
export function displayNameColumns({ id, texts }: Dialect, account: string): string {
  const columns = { id: id.read('id'), kid: 'kid', text: texts.read('name') }
  return Object.entries(columns)
    .map(
      ([as, each]) =>
        `(SELECT ${each} FROM display_names WHERE account_id = ${account}) AS display_name_${as}`,
    )
    .join(', ')
}

/** The display name that a row was read with; `undefined` when its account has none. */
export function displayNameOf(
  { id }: Pick<Dialect, 'id'>,
  [rowId, kid, name]: DisplayNameRow,
): StoredDisplayName | undefined {
  return kid === null ? undefined : { id: id.out(rowId), name: encryptedOf(kid, name) }
}

/** Adds the display name of an account that has none. */
export function insertDisplayName(
  engine: Engine,
  accountId: Uuid,
  displayName: StoredDisplayName,
): Work<Result<void, KeyRetired>> {
  return underKey(engine, displayName.name.kid, () =>
    displayNameRows(engine.dialect).insert({ ...displayName, accountId }),
  )
}
