import type { Finding, StorageError, StorageUnavailable, Upkeep } from '@sotto/core'
import type { Result } from 'neverthrow'
import type { Database } from './connection/database.ts'
import { unfitness } from './connection/fitness.ts'
import type { Sql } from './connection/sql.ts'
import { standbysOf, standbysText, type Standbys } from './standbys.ts'

/**
 * Checks that the database and the counters of the quota can be written, and that the server keeps what it acknowledges. Says what a standby
 * would have of it. Also checks that the server has connections left, and that it removes what was erased.
 */
export async function examineDatabase(
  db: Database,
  canWrite: Upkeep['canWrite'],
): Promise<readonly Finding[]> {
  return [
    checkDatabase(await db.read(versionOf), await canWrite()),
    checkSettings(await db.read(unfitness)),
    checkStandbys(await db.read(standbysOf)),
    checkConnections(await db.read(connectionsOf)),
    checkVacuum(await db.read(vacuumOf)),
  ]
}

type Read<T> = Result<T, StorageError>

async function versionOf(sql: Sql): Promise<string> {
  const row = await sql.row<[string, number]>({
    name: 'examine_version',
    text: `SELECT current_setting('server_version'), (SELECT version FROM sotto WHERE one = 1)`,
  })
  const [server, version] = row ?? []
  return `it has version ${version} of the tables, on PostgreSQL ${server}`
}

function checkDatabase(version: Read<string>, written: Read<void>): Finding {
  const check = 'database'
  if (version.isErr()) return { check, ok: false, text: `it cannot be read (${reasonOf(version.error)})` }
  if (written.isErr())
    return {
      check,
      ok: false,
      text: `it, or the quota's counters in it, cannot be written (${reasonOf(written.error)})`,
    }
  return { check, ok: true, text: `${version.value}, and can be written, the quota's counters too` }
}

function checkSettings(fault: Read<string | undefined>): Finding {
  const check = 'settings'
  if (fault.isErr()) return notChecked(check, fault.error)
  return fault.value === undefined
    ? { check, ok: true, text: 'the server keeps what it acknowledges: fsync and full_page_writes are on' }
    : { check, ok: false, text: fault.value }
}

function checkStandbys(standbys: Read<Standbys>): Finding {
  const check = 'standbys'
  if (standbys.isErr()) return notChecked(check, standbys.error)
  return { check, ok: true, text: standbysText(standbys.value) }
}

interface Connections {
  readonly used: number
  readonly max: number
}

async function connectionsOf(sql: Sql): Promise<Connections> {
  const row = await sql.row<[number, string]>({
    name: 'examine_connections',
    text: `SELECT count(*), current_setting('max_connections') FROM pg_stat_activity
      WHERE backend_type = 'client backend'`,
  })
  return { used: row?.[0] ?? 0, max: Number(row?.[1] ?? 0) }
}

/** From this share on the server may soon refuse connections: some are reserved for its operator. */
const fullShare = 0.9

function checkConnections(connections: Read<Connections>): Finding {
  const check = 'connections'
  if (connections.isErr()) return notChecked(check, connections.error)
  const { used, max } = connections.value
  const text = `${used} of ${max} connections of the server are in use`
  if (used < max * fullShare) return { check, ok: true, text }
  return { check, ok: false, text: `${text}: raise max_connections, or lower SOTTO_DATABASE_CONNECTIONS` }
}

interface Vacuum {
  readonly isOn: boolean
  readonly liveRows: number
  readonly deadRows: number
}

async function vacuumOf(sql: Sql): Promise<Vacuum> {
  const row = await sql.row<[boolean, number, number]>({
    name: 'examine_vacuum',
    text: `SELECT current_setting('autovacuum') = 'on' AND current_setting('track_counts') = 'on'
        AND NOT EXISTS (SELECT 1 FROM unnest(c.reloptions) AS o WHERE o ~ '^autovacuum_enabled=(f|n|of|0)'),
        pg_stat_get_live_tuples(c.oid), pg_stat_get_dead_tuples(c.oid)
      FROM pg_class c WHERE c.oid = to_regclass('secrets')`,
  })
  const [isOn = false, liveRows = 0, deadRows = 0] = row ?? []
  return { isOn, liveRows, deadRows }
}

/** By default a table is vacuumed when 50 rows and a fifth of its rows are dead. So many more, and something is in the way. */
const deadRowsFine = 10_000

function checkVacuum(vacuum: Read<Vacuum>): Finding {
  const check = 'vacuum'
  if (vacuum.isErr()) return notChecked(check, vacuum.error)
  const { isOn, liveRows, deadRows } = vacuum.value
  const rows = `${deadRows} dead rows of secrets beside ${liveRows}`
  if (!isOn)
    return { check, ok: false, text: `autovacuum is off: what was erased stays in the database (${rows})` }
  if (deadRows > liveRows + deadRowsFine)
    return { check, ok: false, text: `${rows}: something keeps autovacuum from removing what was erased` }
  return { check, ok: true, text: `autovacuum is on: ${rows}` }
}

function notChecked(check: string, error: StorageError): Finding {
  return { check, ok: undefined, text: `not checked: the server does not tell (${reasonOf(error)})` }
}

const reasons: Readonly<Record<StorageUnavailable['reason'], string>> = {
  busy: 'it is busy',
  full: 'the disk is full',
  disk_failed: 'the disk cannot be read or written',
  read_only: 'it is a standby or otherwise read-only',
  moved: 'it was replaced',
  closed: 'it is being closed',
  outcome_unknown: 'no answer came in time: the connection broke, or the commit waits for a standby',
}

function reasonOf(error: StorageError): string {
  return error.code === 'storage_failed' ? error.detail : (error.detail ?? reasons[error.reason])
}
