import type { Finding, OpenStorage, OpenStorageOptions, StorageDriver, StorageOpenError } from '@sotto/core'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { DatabaseError } from 'pg'
import { createDatabaseClock } from './clock/database-clock.ts'
import { createDatabase } from './connection/database.ts'
import { NoPassword, NotConnected } from './connection/errors.ts'
import { unfitness } from './connection/fitness.ts'
import { createPool, type Connection, type Pool, type PoolOptions } from './connection/pool.ts'
import { readUrl } from './connection/url.ts'
import { checkReadable, readMeta, type Meta } from './meta.ts'
import { migrate } from './migrations.ts'
import { holdConnection, type HeldConnection } from './move/held-connection.ts'
import { openSource, type PlaceToMove } from './move/source.ts'
import { openTarget } from './move/target.ts'
import { versions } from './schema.ts'
import { nameOfMove, nameOfServer } from './servers.ts'
import { storageOn } from './storage.ts'
import { UnreleasedTables } from './unreleased.ts'

/** Where the database is, and how this process uses it. */
export interface PostgresDriverOptions {
  /**
   * Where the database is: `postgres://user:password@host:port/database`. TLS with a verified certificate and host name, unless the URL
   * says `sslmode=disable` or the host is this machine; `sslrootcert`, `sslcert` and `sslkey` name files.
   */
  readonly url: string
  /** How many connections this process has at most: 10 by default. Two more count the quota. */
  readonly connectionsMax?: number | undefined
  /** Whether statements are sent before the one before is answered; true by default. Some poolers cannot do it. */
  readonly pipeline?: boolean | undefined
  /** Whether statements are prepared once a connection; true by default. Some poolers cannot do it. */
  readonly prepare?: boolean | undefined
}

/** The way into a storage on PostgreSQL: one database that several processes and machines share. */
export function postgresDriver({
  url,
  connectionsMax = 10,
  pipeline = true,
  prepare = true,
}: PostgresDriverOptions): StorageDriver {
  const read = readUrl(url)
  if (read.isErr()) return unusableDriver(read.error)
  const { location, applicationName } = read.value
  const named = { ...read.value, applicationName: nameOfServer(applicationName, versions.length) }
  const options: Options = { url: named, applicationName, connectionsMax, pipeline, prepare }
  return {
    location,
    hasData: () =>
      new ResultAsync(
        onOneConnection(options, async (pool) => ok((await pool.withConnection(readMeta)) !== undefined)),
      ),
    prepare: () => new ResultAsync(onOneConnection(options, checkFitness(location))),
    open: (openOptions) => new ResultAsync(open(options, openOptions)),
    examine: () => examinePlace(options),
    backUp: () =>
      errAsync({ code: 'backup_unsupported', detail: 'pg_dump makes backups of a PostgreSQL database' }),
    restore: () =>
      errAsync({
        code: 'restore_unsupported',
        detail: 'pg_restore restores backups of a PostgreSQL database',
      }),
    openMoveSource: ({ to }) =>
      new ResultAsync(onHeldConnection(options, (place, pool) => openSource(place, pool, to))),
    openMoveTarget: (target) =>
      new ResultAsync(onHeldConnection(options, (place, pool) => openTarget(place, pool, target))),
  }
}

interface Options extends PoolOptions {
  /** What the names of the servers begin with, whatever their version. */
  readonly applicationName: string
}

/** The driver for a URL that cannot be used: each method says why. */
function unusableDriver(detail: string): StorageDriver {
  const location = 'the database'
  const error = { code: 'database_unreachable', location, detail } as const
  return {
    location,
    hasData: () => errAsync(error),
    prepare: () => errAsync(error),
    open: () => errAsync(error),
    examine: () =>
      Promise.resolve([{ check: 'database server', ok: false, text: `its URL cannot be used: ${detail}` }]),
    backUp: () => errAsync(error),
    restore: () => errAsync({ code: 'restore_unsupported', detail }),
    openMoveSource: () => errAsync(error),
    openMoveTarget: () => errAsync(error),
  }
}

type Work<T> = (pool: Pool) => Promise<Result<T, StorageOpenError>>

/** Runs `work` with a single connection, which is closed afterwards. */
async function onOneConnection<T>(options: PoolOptions, work: Work<T>): Promise<Result<T, StorageOpenError>> {
  const pool = createPool({ ...options, connectionsMax: 1, onError: () => undefined })
  try {
    return await work(pool)
  } catch (error) {
    return err(openErrorOf(error, options.url.location))
  } finally {
    await pool.close()
  }
}

/**
 * Opens a side of a move on a connection that it keeps. It is closed when that fails. Statements are neither pipelined nor prepared, which
 * works with every pooler.
 */
async function onHeldConnection<T, E>(
  given: Options,
  work: (place: PlaceToMove, pool: Pool) => Promise<Result<T, E>>,
): Promise<Result<T, E | StorageOpenError>> {
  const { applicationName } = given
  const { location } = given.url
  const url = { ...given.url, applicationName: nameOfMove(given.url.applicationName) }
  const onError = (): void => undefined
  const options = { ...given, url, connectionsMax: 1, pipeline: false, prepare: false, onError }
  const pool = createPool(options)
  let held: HeldConnection | undefined
  try {
    held = await holdConnection(createPool(options))
    const detail = await unfitness(held.connection)
    const opened =
      detail === undefined
        ? await work({ held, location, applicationName }, pool)
        : err({ code: 'database_unfit', location, detail } as const)
    if (opened.isErr()) await held.close()
    return opened
  } catch (error) {
    await held?.close()
    return err(openErrorOf(error, location))
  } finally {
    await pool.close()
  }
}

function checkFitness(location: string): Work<void> {
  return async (pool) => {
    const detail = await pool.withConnection(unfitness)
    return detail === undefined ? ok() : err({ code: 'database_unfit', location, detail })
  }
}

async function open(
  given: Options,
  { log, meter, create = true }: OpenStorageOptions,
): Promise<Result<OpenStorage, StorageOpenError>> {
  const { applicationName } = given
  const { location } = given.url
  const clock = createDatabaseClock()
  const migrated = await onOneConnection(given, async (pool): Promise<Result<Meta, StorageOpenError>> => {
    const fit = await checkFitness(location)(pool)
    if (fit.isErr()) return err(fit.error)
    const meta = await migrate(pool, { location, applicationName, create })
    await pool.withConnection(clock.look)
    return meta
  })
  const onError = ({ name }: Error): void =>
    log('warn', 'A connection to the database broke.', { error: name })
  // Each new connection shows the time as well: it may be one to another machine, with another clock.
  const admit = async (connection: Connection): Promise<void> => {
    await checkReadable(connection)
    await clock.look(connection)
  }
  const options = { ...given, meter, admit }
  return migrated.map(({ instanceId }) => {
    const database = createDatabase(createPool({ ...options, onError }), { meter })
    return storageOn({ options, database, clock, instanceId, onError })
  })
}

async function examinePlace(options: PoolOptions): Promise<readonly Finding[]> {
  const check = 'database server'
  const fit = await onOneConnection(options, checkFitness(options.url.location))
  if (fit.isOk()) return [{ check, ok: true, text: 'it is reached, and keeps what it acknowledges' }]
  const { error } = fit
  const detail = 'detail' in error ? error.detail : error.code
  return [{ check, ok: false, text: `${options.url.location}: ${detail}` }]
}

/** What an error while opening means. Nothing of its message is passed on but what names no value: it may quote the user's name. */
function openErrorOf(error: unknown, location: string): StorageOpenError {
  const cause = error instanceof NotConnected ? error.cause : error
  if (cause instanceof DatabaseError) {
    const { code = '' } = cause
    if (code === '42501')
      return { code: 'database_not_writable', location, detail: 'the user may not create tables' }
    // A table of ours is there already, or one of the same name has other columns.
    if (code === '42P07' || code === '42703') return { code: 'database_foreign', location }
    // statement_timeout, because another process has locked what the statement needs: a move does.
    if (code === '57014') return { code: 'database_busy', location }
    const known = unreachable[code]
    return { code: 'database_unreachable', location, detail: known ?? `the server answers ${code}` }
  }
  if (cause instanceof UnreleasedTables)
    return { code: 'database_unreleased', location, commit: cause.commit }
  if (cause instanceof NoPassword) return { code: 'database_unreachable', location, detail: cause.message }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return { code: 'database_unreachable', location, detail: code ?? 'no connection in time' }
}

const unreachable: Readonly<Record<string, string>> = {
  '08P01':
    'a pooler refuses the settings statement_timeout and idle_in_transaction_session_timeout; PgBouncer takes their names in ignore_startup_parameters',
  '28000': 'the server refuses the user',
  '28P01': 'the server refuses the password',
  '3D000': 'there is no such database',
  '53300': 'the server has no connection left',
  '57P03': 'the server is starting up or shutting down',
}
