import type { TransferTarget, TransferTargetError, TransferTargetOptions } from '@sotto/core'
import { err, ok, type Result } from 'neverthrow'
import type { Pool } from '../connection/pool.ts'
import { readMeta, refusalOf, type FullMeta } from '../tables/meta.ts'
import { createTables } from '../tables/migrations.ts'
import { isInUse, isMoving } from '../tables/servers.ts'
import type { HeldConnection } from './held-connection.ts'
import { transferredFilesOn } from './files.ts'
import { addStatement, inTransaction, transferredRowsOn } from './rows.ts'
import type { PlaceToTransfer } from './source.ts'

/**
 * Begins or continues a copy.
 * @param pool makes the tables
 * @throws what pg throws
 */
export async function openTarget(
  { held, location, applicationName }: PlaceToTransfer,
  pool: Pool,
  options: TransferTargetOptions,
): Promise<Result<TransferTarget, TransferTargetError>> {
  const { connection } = held
  const { instanceId, create } = options
  if (await isMoving(connection)) return err({ code: 'move_same_place', location })
  if (await isInUse(connection, applicationName)) return err({ code: 'database_in_use', location })
  const found = await readMeta(connection)
  if (found === undefined && !create) return err({ code: 'database_missing', location })
  if (found !== undefined && !isCopyOf(found, instanceId)) return err(usedError(found, location, instanceId))
  const made = await createTables(pool, { location, applicationName, instanceId, isIncomplete: true })
  if (made.isErr()) return err(made.error)
  // Another process may have been faster.
  const now = await readMeta(connection)
  if (now === undefined || !isCopyOf(now, instanceId))
    return err({ code: 'move_target_used', location, isCopy: false })
  return ok(targetOn(held, options))
}

function isCopyOf(meta: FullMeta, instanceId: Uint8Array): boolean {
  return meta.isIncomplete && Buffer.compare(meta.instanceId, instanceId) === 0
}

function usedError(found: FullMeta, location: string, instanceId: Uint8Array): TransferTargetError {
  const refusal = refusalOf(found, location)
  if (refusal?.code === 'database_newer') return refusal
  const isCopy = refusal === undefined && Buffer.compare(found.instanceId, instanceId) === 0
  return { code: 'move_target_used', location, isCopy }
}

const addTargets = {
  name: 'move_add_targets',
  text: `INSERT INTO targets (kind, id, account_id)
    SELECT DISTINCT kind, id, account_id FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS t (kind, id, account_id)
    ON CONFLICT DO NOTHING`,
}
const setDue = {
  name: 'move_set_due',
  text: `UPDATE targets SET due_at = (SELECT min(d.due_at) FROM deliveries d
    WHERE d.target_kind = targets.kind AND d.target_id = targets.id AND d.is_head)`,
}
const finish = {
  name: 'move_finish',
  text: 'UPDATE sotto SET incomplete = false, swept_at = $1 WHERE one = 1',
}

function targetOn(
  { connection, close }: HeldConnection,
  { sweptAtMicros }: TransferTargetOptions,
): TransferTarget {
  return {
    ...transferredRowsOn(connection),
    fileContents: transferredFilesOn(connection).fileContents,
    add: (table, rows) =>
      inTransaction(connection, async (sql) => {
        if (rows.length === 0) return ok()
        if (table.name === 'deliveries') {
          const column = (name: string): string[] => {
            const at = table.columns.findIndex((each) => each.name === name)
            return rows.map((row) => row[at] as string)
          }
          await sql.changes(
            addTargets,
            ['target_kind', 'target_id', 'account_id'].map((name) => column(name)),
          )
        }
        await sql.changes(addStatement(table, rows.length), rows.flat())
        return ok()
      }),
    // Leases stayed behind: a target is due when the first of its deliveries is.
    finish: () =>
      inTransaction(connection, async (sql) => {
        await sql.changes(setDue)
        await sql.changes(finish, [sweptAtMicros])
        return ok()
      }),
    close,
  }
}
