import type { StorageOpenError } from '@sotto/core'
import { Outdated } from '../connection/errors.ts'
import type { Connection } from '../connection/connection.ts'
import type { Sql } from '../connection/sql.ts'
import { versions } from './schema.ts'
import { namesOfTables, refuseOthers, refuseUnreleased } from './unreleased.ts'

/**
 * One row about the database itself.
 * - `version`: of the tables. `readable_from`: the oldest version of the program that can work with these tables. A migration first adds what
 *   the new version needs, so that servers of the version before go on beside it; a later one removes what none needs any more.
 * - `instance_id`: 32 random bytes, made with the database: the salt of every key that is derived for it.
 * - `swept_at`: when expired rows were last erased; NULL before the first time.
 * - `incomplete`: whether a move copies an installation to it and has not finished. `moved_to`: where a move has copied everything.
 */
const metaTable = `CREATE TABLE IF NOT EXISTS sotto (
  one integer PRIMARY KEY CHECK (one = 1),
  version bigint NOT NULL,
  readable_from bigint NOT NULL,
  instance_id bytea NOT NULL CHECK (length(instance_id) = 32),
  swept_at bigint,
  incomplete boolean NOT NULL DEFAULT false,
  moved_to text
)`

export interface Meta {
  readonly version: number
  readonly instanceId: Uint8Array
}

export interface FullMeta extends Meta {
  readonly readableFrom: number
  readonly sweptAtMicros: number | undefined
  readonly isIncomplete: boolean
  readonly movedTo: string | undefined
}

/**
 * Reads what the database says about itself; `undefined` when it holds nothing of this service.
 * @throws UnreleasedTables, also what pg throws
 */
export async function readMeta(connection: Sql): Promise<FullMeta | undefined> {
  const found = await connection.row<[string | null]>({
    name: 'meta_names',
    text: `SELECT ${namesOfTables}`,
  })
  const names = found?.[0] ?? null
  if (names === null) return undefined
  refuseUnreleased(names)
  const row = await connection.row<MetaRow>({
    name: 'meta_read',
    // The names again: meanwhile another process may have migrated.
    text: `SELECT version, readable_from, instance_id, swept_at, incomplete, moved_to, ${namesOfTables} FROM sotto
      WHERE one = 1 AND (version > 0 OR incomplete)`,
  })
  if (row === undefined) return undefined
  const [version, readableFrom, instanceId, sweptAt, isIncomplete, movedTo, namesNow] = row
  if (version === 1) refuseOthers(namesNow)
  return {
    version,
    readableFrom,
    instanceId,
    sweptAtMicros: sweptAt ?? undefined,
    isIncomplete,
    movedTo: movedTo ?? undefined,
  }
}

type MetaRow = [
  version: number,
  readableFrom: number,
  instanceId: Uint8Array,
  sweptAt: number | null,
  isIncomplete: boolean,
  movedTo: string | null,
  names: string,
]

/**
 * Why a database is not opened; `undefined` when nothing is in the way.
 * @param known the latest version of the tables that the program knows
 */
export function refusalOf(
  meta: FullMeta,
  location: string,
  known: number = versions.length,
): StorageOpenError | undefined {
  const { version, readableFrom, isIncomplete, movedTo } = meta
  if (readableFrom > known) return { code: 'database_newer', location, version, known }
  if (isIncomplete) return { code: 'database_incomplete', location }
  return movedTo === undefined ? undefined : { code: 'database_moved', location, to: movedTo }
}

/** Throws {@link Outdated} unless this version of the program can work with the tables, or when there are none any more. */
export async function checkReadable(connection: Connection): Promise<void> {
  const row = await connection.row<[number]>({
    name: 'meta_readable',
    text: 'SELECT readable_from FROM sotto WHERE one = 1',
  })
  if (row === undefined || row[0] > versions.length) throw new Outdated('the tables are of a later version')
}

export interface NewMeta {
  readonly instanceId: Uint8Array
  readonly isIncomplete: boolean
}

/** Makes the row, where it is missing. */
export async function createMeta(
  connection: Connection,
  { instanceId, isIncomplete }: NewMeta,
): Promise<void> {
  await connection.command(metaTable)
  await connection.changes(
    {
      name: 'meta_insert',
      text: `INSERT INTO sotto (one, version, readable_from, instance_id, incomplete) VALUES (1, 0, 0, $1, $2)
        ON CONFLICT (one) DO NOTHING`,
    },
    [instanceId, isIncomplete],
  )
}
