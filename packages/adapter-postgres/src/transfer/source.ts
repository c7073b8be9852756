import type { TransferSource, TransferSourceError } from '@sotto/core'
import { allTables } from '@sotto/storage-sql'
import { err, ok, type Result } from 'neverthrow'
import { begin, type Connection } from '../connection/connection.ts'
import type { Pool } from '../connection/pool.ts'
import { readMeta, refusalOf, type FullMeta } from '../tables/meta.ts'
import { migrate } from '../tables/migrations.ts'
import { versions } from '../tables/schema.ts'
import type { HeldConnection } from './held-connection.ts'
import { isInUse } from '../tables/servers.ts'
import { transferredFilesOn } from './files.ts'
import { attempt, transferredRowsOn } from './rows.ts'

export interface PlaceToTransfer {
  readonly held: HeldConnection
  readonly location: string
  readonly applicationName: string
}

/**
 * Opens the database to copy it. Everything happens in one transaction: it first gives each table a constraint that no row meets, which
 * also locks the table. So nobody changes a row while the transaction is open; a rollback, that of a killed process included, leaves no
 * trace; and once it is committed, a server that still has a connection cannot write what nobody would find.
 * @param pool brings the tables to the version of this program first
 * @throws what pg throws
 */
export async function openSource(
  place: PlaceToTransfer,
  pool: Pool,
  to: string,
): Promise<Result<TransferSource, TransferSourceError>> {
  const { held, location, applicationName } = place
  const { connection } = held
  if (await isInUse(connection, applicationName)) return err({ code: 'database_in_use', location })
  const found = await readMeta(connection)
  // Tables of an earlier version lack some that a move takes along.
  if (found !== undefined && found.movedTo === undefined && found.version < versions.length) {
    const migrated = await migrate(pool, { location, applicationName, create: true })
    if (migrated.isErr()) return err(migrated.error)
  }
  await begin(connection)
  const meta = await readMeta(connection)
  if (meta === undefined) return err({ code: 'database_missing', location })
  const isLeft = meta.movedTo === to
  const refusal = refusalOf(isLeft ? { ...meta, movedTo: undefined } : meta, location)
  if (refusal !== undefined) return err(refusal)
  if (!isLeft) {
    await closeTables(connection, to)
    // One that came since, and has to wait now.
    if (await isInUse(connection, applicationName)) return err({ code: 'database_in_use', location })
  }
  return ok(sourceOn(held, meta, isLeft))
}

/** The tables that a server writes to, those that stay behind included. */
const closed = [...allTables.map(({ name }) => name), ...['file_contents', 'file_chunks', 'quota', 'sotto']]

async function closeTables(connection: Connection, to: string): Promise<void> {
  await connection.changes({ name: 'move_leave', text: 'UPDATE sotto SET moved_to = $1 WHERE one = 1' }, [to])
  for (const table of closed)
    await connection.command(`ALTER TABLE ${table} ADD CONSTRAINT ${table}_moved CHECK (false) NOT VALID`)
}

function sourceOn(held: HeldConnection, meta: FullMeta, isLeft: boolean): TransferSource {
  const { connection, close } = held
  return {
    ...transferredRowsOn(connection),
    ...transferredFilesOn(connection),
    instanceId: meta.instanceId,
    sweptAtMicros: meta.sweptAtMicros,
    isLeft,
    leave: () =>
      attempt(true, async () => {
        const tag = await connection.command('COMMIT')
        // COMMIT rolls back after a failed statement, and its tag says so.
        if (tag !== 'COMMIT') throw new Error('the transaction was rolled back')
      }),
    close,
  }
}
