import type { Finding, StorageError, StorageUnavailable, Upkeep } from '@sotto/core'
import type { Result } from 'neverthrow'
import type { Database } from '../connection/database.ts'
import { unfitness } from '../connection/fitness.ts'
import type { Sql } from '../connection/sql.ts'
import { standbysOf, standbysText, type Standbys } from './standbys.ts'
import { vacuumOf, vacuumVerdict, type Vacuum } from './vacuum.ts'

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

/** The share of connections in use from which the server may soon refuse some: a few are reserved for its operator. */
const fullShare = 0.9

function checkConnections(connections: Read<Connections>): Finding {
  const check = 'connections'
  if (connections.isErr()) return notChecked(check, connections.error)
  const { used, max } = connections.value
  const text = `${used} of ${max} connections of the server are in use`
  if (used < max * fullShare) return { check, ok: true, text }
  return { check, ok: false, text: `${text}: raise max_connections, or lower SOTTO_DATABASE_CONNECTIONS` }
}

function checkVacuum(vacuum: Read<Vacuum>): Finding {
  const check = 'vacuum'
  return vacuum.isErr() ? notChecked(check, vacuum.error) : { check, ...vacuumVerdict(vacuum.value) }
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
