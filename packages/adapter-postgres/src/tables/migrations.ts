import { randomBytes } from 'node:crypto'
import type { StorageOpenError } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import { DatabaseError } from 'pg'
import { isConflict } from '../connection/errors.ts'
import type { Connection } from '../connection/connection.ts'
import type { Pool } from '../connection/pool.ts'
import { createMeta, readMeta, refusalOf, type Meta, type NewMeta } from './meta.ts'
import { versions as allVersions, type TablesVersion } from './schema.ts'
import { areOlderServersOpen } from './servers.ts'

/** What is migrated. */
export interface Migration {
  /** The database, for messages. */
  readonly location: string
  /** The name that the servers of this installation have in common; see {@link areOlderServersOpen}. */
  readonly applicationName: string
  /** The versions that this program knows; those of the schema by default. */
  readonly versions?: readonly TablesVersion[]
}

/**
 * Brings the tables to the version of this program, and creates them where there are none. One process at a time does so, without a lock
 * that would outlive it: it holds the row of `sotto`, and the others wait for that.
 * @returns `database_older` when nothing is to be created, or when a server is open that could not work with the tables any more;
 *   `database_busy` when another program has a table locked
 */
export async function migrate(
  pool: Pool,
  migration: Migration & { readonly create: boolean },
): Promise<Result<Meta, StorageOpenError>> {
  const { location, create, versions = allVersions } = migration
  const known = versions.length
  const found = await pool.withConnection(readMeta)
  const refusal = found && refusalOf(found, location, known)
  if (refusal !== undefined) return err(refusal)
  if (found !== undefined && found.version >= known) return ok(found)
  if (!create) {
    return err(
      found === undefined
        ? { code: 'database_missing', location }
        : { code: 'database_older', location, version: found.version, known },
    )
  }
  return createTables(pool, { ...migration, instanceId: randomBytes(32), isIncomplete: false })
}

/** Creates what is missing of the tables; the row of `sotto` stays as it is when there is one. */
export async function createTables(
  pool: Pool,
  migration: Migration & NewMeta,
): Promise<Result<Meta, StorageOpenError>> {
  const { location } = migration
  if (await pool.withConnection(isForeign)) return err({ code: 'database_foreign', location })
  await again(() => pool.withConnection((connection) => createMeta(connection, migration)))
  return again(() => pool.withConnection((connection) => transact(connection, migration)))
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

/** How often a step is tried again that another process takes at the same time. */
const tries = 20

/**
 * How CREATE TABLE IF NOT EXISTS fails for a process that comes later than another one. The table or its type is there by then (42P07,
 * 42710), or a row of the catalog is, or it was changed in the meantime (23505, XX000).
 */
const cameLate = /^(?:23505|42P07|42710|XX000)$/

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      const isRace = isConflict(error) || (error instanceof DatabaseError && cameLate.test(error.code ?? ''))
      if (!isRace || tried === tries) throw error
    }
  }
}

/**
 * The longest that a migration waits for a lock of a table: whoever uses the table in the meantime waits behind it, and a backup may hold it
 * for hours.
 */
const lockMillis = 2_000

async function transact(
  connection: Connection,
  migration: Migration,
): Promise<Result<Meta, StorageOpenError>> {
  const { versions = allVersions } = migration
  const before = await readMeta(connection)
  const excludes = before !== undefined && before.readableFrom < readableFromOf(versions)
  await connection.command('BEGIN')
  try {
    if (excludes) await lockOutReaders(connection)
    const reached = await takeSteps(connection, { ...migration, versions, areReadersLockedOut: excludes })
    await connection.command(reached.isOk() ? 'COMMIT' : 'ROLLBACK')
    return reached
  } catch (error) {
    await connection.command('ROLLBACK').catch(() => undefined)
    if (isLockedOut(error)) return err({ code: 'database_busy', location: migration.location })
    throw error
  }
}

/** Whether another process has held a lock for {@link lockMillis}. */
function isLockedOut(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03'
}

function readableFromOf(versions: readonly TablesVersion[]): number {
  return versions.at(-1)?.readableFrom ?? 0
}

/** Locks `sotto` without changing it. A server that opens now waits, and learns then which version has been reached. */
async function lockOutReaders(connection: Connection): Promise<void> {
  await connection.command(`SET LOCAL lock_timeout TO ${lockMillis}`)
  await connection.command('ALTER TABLE sotto ALTER COLUMN version SET NOT NULL')
}

interface Steps extends Migration {
  readonly versions: readonly TablesVersion[]
  readonly areReadersLockedOut: boolean
}

async function takeSteps(connection: Connection, steps: Steps): Promise<Result<Meta, StorageOpenError>> {
  const { location, applicationName, versions, areReadersLockedOut } = steps
  const [known, readableFrom] = [versions.length, readableFromOf(versions)]
  const found = await lockMeta(connection)
  const { version, instanceId } = found
  if (version >= known) return ok({ version, instanceId })
  if (version === 0 && (await hasForeignTables(connection)))
    return err({ code: 'database_foreign', location })
  if (version > 0 && found.readableFrom < readableFrom) {
    const older = { applicationName, version: readableFrom }
    // Where they are not locked out, a server of an older version has made the tables in this very moment.
    if (!areReadersLockedOut || (await areOlderServersOpen(connection, older)))
      return err({ code: 'database_older', location, version, known })
  }
  await changeTables(connection, version, versions)
  await connection.changes(
    { name: 'meta_version', text: 'UPDATE sotto SET version = $1, readable_from = $2 WHERE one = 1' },
    [known, readableFrom],
  )
  return ok({ version: known, instanceId })
}

interface Found extends Meta {
  readonly readableFrom: number
}

/** Waits for another process that migrates. */
async function lockMeta(connection: Connection): Promise<Found> {
  const row = await connection.row<[number, number, Uint8Array]>({
    name: 'meta_lock',
    text: 'SELECT version, readable_from, instance_id FROM sotto WHERE one = 1 FOR UPDATE',
  })
  const [version = 0, readableFrom = 0, instanceId = new Uint8Array()] = row ?? []
  return { version, readableFrom, instanceId }
}

function statementsFrom(version: number, versions: readonly TablesVersion[]): readonly string[] {
  const newest = version === 0 ? versions.findLastIndex(({ whole }) => whole !== undefined) : -1
  const missing = versions.slice(newest === -1 ? version : newest + 1)
  return [...(versions[newest]?.whole ?? []), ...missing.flatMap(({ statements }) => statements)]
}

/** How long to wait for one statement that changes tables: a day. A large one may take longer than any other statement may. */
const stepMillis = 24 * 60 * 60 * 1_000

async function changeTables(
  connection: Connection,
  version: number,
  versions: readonly TablesVersion[],
): Promise<void> {
  await connection.command('SET LOCAL statement_timeout TO 0')
  await connection.command(`SET LOCAL lock_timeout TO ${lockMillis}`)
  for (const statement of statementsFrom(version, versions)) await connection.command(statement, stepMillis)
  for (const { tuning = [] } of versions.slice(version))
    for (const statement of tuning) await changeIfKnown(connection, statement)
}

/** A syntax error (42601), or a feature that is not supported (class 0A). */
const unknownStatement = /^(?:42601|0A)/

/** Runs one statement of {@link TablesVersion.tuning}. */
async function changeIfKnown(connection: Connection, statement: string): Promise<void> {
  await connection.command('SAVEPOINT tuning')
  try {
    await connection.command(statement, stepMillis)
  } catch (error) {
    if (!(error instanceof DatabaseError && unknownStatement.test(error.code ?? ''))) throw error
    await connection.command('ROLLBACK TO SAVEPOINT tuning')
  }
}

/** Whether a table of another program has the name of one of ours. */
async function hasForeignTables(connection: Connection): Promise<boolean> {
  const row = await connection.row<[boolean]>({
    name: 'meta_foreign',
    text: `SELECT to_regclass('secrets') IS NOT NULL OR to_regclass('accounts') IS NOT NULL`,
  })
  return row?.[0] === true
}
