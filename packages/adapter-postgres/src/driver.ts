import type { Finding, OpenStorageOptions, StorageOpenError } from '@sotto/core'
import type { FullOpenStorage, FullStorageDriver } from '@sotto/identity'
import { err, errAsync, ok, ResultAsync, type Result } from 'neverthrow'
import { createDatabaseClock, lookClosely } from './clock/database-clock.ts'
import type { Connection } from './connection/connection.ts'
import { createDatabase } from './connection/database.ts'
import type { PostgresDriverOptions } from './driver-options.ts'
import { createPool, type Pool, type PoolOptions } from './connection/pool.ts'
import { readUrl } from './connection/url.ts'
import { checkReadable, readMeta } from './tables/meta.ts'
import { migrate } from './tables/migrations.ts'
import { holdConnection, type HeldConnection } from './transfer/held-connection.ts'
import { openSource, type PlaceToTransfer } from './transfer/source.ts'
import { openTarget } from './transfer/target.ts'
import { openErrorOf } from './tables/open-error.ts'
import { versions } from './tables/schema.ts'
import { nameOfMove, nameOfServer } from './tables/servers.ts'
import { storageOn } from './storage.ts'

/** The driver of a storage on PostgreSQL: one database that several processes and machines share. */
export function postgresDriver({
  url,
  connectionsMax = 10,
  pipeline = true,
  prepare = true,
}: PostgresDriverOptions): FullStorageDriver {
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
    prepare: () => new ResultAsync(onOneConnection(options, connects)),
    open: (openOptions) => new ResultAsync(open(options, openOptions)),
    examine: () => examinePlace(options),
    backUp: () =>
      errAsync({ code: 'backup_unsupported', detail: 'pg_dump makes backups of a PostgreSQL database' }),
    restore: () =>
      errAsync({
        code: 'restore_unsupported',
        detail: 'pg_restore restores backups of a PostgreSQL database',
      }),
    openTransferSource: ({ to }) =>
      new ResultAsync(onHeldConnection(options, (place, pool) => openSource(place, pool, to))),
    openTransferTarget: (target) =>
      new ResultAsync(onHeldConnection(options, (place, pool) => openTarget(place, pool, target))),
  }
}

interface Options extends PoolOptions {
  /** What the names of the servers begin with, whatever their version. */
  readonly applicationName: string
}

/** The driver for a URL that cannot be used: each method says why. */
function unusableDriver(detail: string): FullStorageDriver {
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
    openTransferSource: () => errAsync(error),
    openTransferTarget: () => errAsync(error),
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
  work: (place: PlaceToTransfer, pool: Pool) => Promise<Result<T, E>>,
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
    const opened = await work({ held, location, applicationName }, pool)
    if (opened.isErr()) await held.close()
    return opened
  } catch (error) {
    await held?.close()
    return err(openErrorOf(error, location))
  } finally {
    await pool.close()
  }
}

/** Each new connection is examined. */
const connects: Work<void> = (pool) => pool.withConnection(() => Promise.resolve(ok()))

async function open(
  given: Options,
  { log, meter, create = true }: OpenStorageOptions,
): Promise<Result<FullOpenStorage, StorageOpenError>> {
  const { applicationName } = given
  const { location } = given.url
  const clock = createDatabaseClock()
  const migrated = await onOneConnection(given, async (pool) => {
    const meta = await migrate(pool, { location, applicationName, create })
    await pool.withConnection((connection) => lookClosely(clock, connection))
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
    const onMove = (host: string): void => log('info', 'The database is on another host now.', { host })
    const database = createDatabase(createPool({ ...options, onError, onMove }), { meter })
    return storageOn({ options, database, clock, instanceId, onError })
  })
}

async function examinePlace(options: PoolOptions): Promise<readonly Finding[]> {
  const check = 'database server'
  const fit = await onOneConnection(options, connects)
  if (fit.isOk()) return [{ check, ok: true, text: 'it is reached, and keeps what it acknowledges' }]
  const { error } = fit
  const detail = 'detail' in error ? error.detail : error.code
  return [{ check, ok: false, text: `${options.url.location}: ${detail}` }]
}
