import { randomBytes } from 'node:crypto'
import type { StorageOpenError } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { DatabaseError } from 'pg'
import { isConflict } from './connection/errors.ts'
import type { Connection, Pool } from './connection/pool.ts'
import type { Sql } from './connection/sql.ts'
import { versionOne } from './schema.ts'

/** The statements that lead from each version to the next one. */
const steps: readonly (readonly string[])[] = [versionOne]

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

/** Reads what the database says about itself; `undefined` when it holds nothing of this service. */
export async function readMeta(connection: Sql): Promise<FullMeta | undefined> {
  const exists = await connection.row<[boolean]>({
    name: 'meta_exists',
    text: `SELECT to_regclass('sotto') IS NOT NULL`,
  })
  if (exists?.[0] !== true) return undefined
  const row = await connection.row<MetaRow>({
    name: 'meta_read',
    text: `SELECT version, readable_from, instance_id, swept_at, incomplete, moved_to FROM sotto
      WHERE one = 1 AND (version > 0 OR incomplete)`,
  })
  if (row === undefined) return undefined
  const [version, readableFrom, instanceId, sweptAt, isIncomplete, movedTo] = row
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
]

/** Why a database is not opened; `undefined` when nothing is in the way. */
export function refusalOf(meta: FullMeta, location: string): StorageOpenError | undefined {
  const { version, readableFrom, isIncomplete, movedTo } = meta
  if (readableFrom > steps.length) return { code: 'database_newer', location, version, known: steps.length }
  if (isIncomplete) return { code: 'database_incomplete', location }
  return movedTo === undefined ? undefined : { code: 'database_moved', location, to: movedTo }
}

/**
 * Brings the tables to the version of this program, and creates them where there are none. One process at a time does so, without a lock
 * that would outlive it: it holds the row of `sotto`, and the others wait for that.
 */
export async function migrate(
  pool: Pool,
  location: string,
  create: boolean,
): Promise<Result<Meta, StorageOpenError>> {
  const found = await pool.withConnection(readMeta)
  const refusal = found && refusalOf(found, location)
  if (refusal !== undefined) return err(refusal)
  if (found !== undefined && found.version >= steps.length) return ok(found)
  if (!create) {
    return err(
      found === undefined
        ? { code: 'database_missing', location }
        : { code: 'database_older', location, version: found.version, known: steps.length },
    )
  }
  return createTables(pool, location, { instanceId: randomBytes(32), isIncomplete: false })
}

/** Creates what is missing of the tables; the row of `sotto` stays as it is when there is one. */
export async function createTables(
  pool: Pool,
  location: string,
  about: NewMeta,
): Promise<Result<Meta, StorageOpenError>> {
  if (await pool.withConnection(isForeign)) return err({ code: 'database_foreign', location })
  await again(() => pool.withConnection((connection) => createMeta(connection, about)))
  return again(() => pool.withConnection((connection) => takeSteps(connection, location)))
}

/**
 * Whether the database belongs to another program: a table has the name of one of ours, but `sotto`, which is made before those, is missing.
 * So nothing is left behind there. What comes in between is noticed later, by {@link hasForeignTables}.
 */
async function isForeign(connection: Connection): Promise<boolean> {
  if (!(await hasForeignTables(connection))) return false
  const row = await connection.row<[boolean]>({
    name: 'meta_is_missing',
    text: `SELECT to_regclass('sotto') IS NULL`,
  })
  return row?.[0] === true
}

interface NewMeta {
  readonly instanceId: Uint8Array
  readonly isIncomplete: boolean
}

/** How often a step is tried again that another process takes at the same time. */
const tries = 20

/** CREATE TABLE IF NOT EXISTS of several processes at once can fail: whichever comes late breaks a unique index of the catalog. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      const isRace =
        isConflict(error) ||
        (error instanceof DatabaseError && /^(?:23505|42P07|XX000)/.test(error.code ?? ''))
      if (!isRace || tried === tries) throw error
    }
  }
}

async function createMeta(connection: Connection, { instanceId, isIncomplete }: NewMeta): Promise<void> {
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

/** How long to wait for one statement of a migration: a day. */
const stepMillis = 24 * 60 * 60 * 1_000

async function takeSteps(connection: Connection, location: string): Promise<Result<Meta, StorageOpenError>> {
  await connection.command('BEGIN')
  try {
    const row = await connection.row<[number, Uint8Array]>({
      name: 'meta_lock',
      text: 'SELECT version, instance_id FROM sotto WHERE one = 1 FOR UPDATE',
    })
    const [version = 0, instanceId = new Uint8Array()] = row ?? []
    if (version === 0 && (await hasForeignTables(connection))) {
      await connection.command('ROLLBACK')
      return err({ code: 'database_foreign', location })
    }
    // A large table may take longer than any other statement may.
    await connection.command('SET LOCAL statement_timeout TO 0')
    for (const step of steps.slice(version))
      for (const statement of step) await connection.command(statement, stepMillis)
    if (version < steps.length) {
      await connection.changes(
        { name: 'meta_version', text: 'UPDATE sotto SET version = $1, readable_from = $2 WHERE one = 1' },
        [steps.length, readableFrom],
      )
    }
    await connection.command('COMMIT')
    return ok({ version: Math.max(version, steps.length), instanceId })
  } catch (error) {
    await connection.command('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** The oldest version of the program that can work with the tables of the latest version. */
const readableFrom = 1

/** Whether a table of another program has the name of one of ours. */
async function hasForeignTables(connection: Connection): Promise<boolean> {
  const row = await connection.row<[boolean]>({
    name: 'meta_foreign',
    text: `SELECT to_regclass('secrets') IS NOT NULL OR to_regclass('accounts') IS NOT NULL`,
  })
  return row?.[0] === true
}
