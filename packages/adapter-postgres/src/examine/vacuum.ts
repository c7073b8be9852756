import type { Finding } from '@sotto/core'
import type { Sql } from '../connection/sql.ts'

/** What a server says about the rows that were erased or changed. */
export interface Vacuum {
  readonly tables: readonly VacuumedTable[]
  /** The oldest snapshot of another connection; `undefined` when none is old. */
  readonly snapshot: Snapshot | undefined
}

interface VacuumedTable {
  readonly name: string
  readonly isOn: boolean
  readonly liveRows: number
  readonly deadRows: number
}

interface Snapshot {
  readonly pid: number
  /** The `application_name` of the connection. */
  readonly name: string
}

/**
 * The number of transactions that have begun since a snapshot was taken that counts as old. Statements of servers take theirs for a moment.
 */
const oldTransactions = 1_000

export async function vacuumOf(sql: Sql): Promise<Vacuum> {
  const tables = await sql.rows<[string, boolean, number, number]>({
    name: 'examine_vacuum',
    text: `SELECT c.relname, current_setting('autovacuum') = 'on' AND current_setting('track_counts') = 'on'
        AND NOT EXISTS (SELECT 1 FROM unnest(c.reloptions) AS o WHERE o ~ '^autovacuum_enabled=(f|n|of|0)'),
        pg_stat_get_live_tuples(c.oid), pg_stat_get_dead_tuples(c.oid)
      FROM pg_class c WHERE c.oid IN (to_regclass('secrets'), to_regclass('quota'), to_regclass('file_chunks')) ORDER BY c.relname DESC`,
  })
  const snapshot = await sql.row<[number, string | null]>(
    {
      name: 'examine_snapshot',
      text: `SELECT pid, application_name FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND age(backend_xmin) >= $1::int ORDER BY age(backend_xmin) DESC LIMIT 1`,
    },
    [oldTransactions],
  )
  return {
    tables: tables.map(([name, isOn, liveRows, deadRows]) => ({ name, isOn, liveRows, deadRows })),
    snapshot: snapshot && { pid: snapshot[0], name: snapshot[1] ?? '' },
  }
}

/** A table is vacuumed by default when 50 rows and a fifth of its rows are dead. Something is in the way when there are this many more. */
const deadRowsFine = 10_000

/** Whether what was erased is removed, and the counters of the quota stay quick: a sentence for operators, which says what to do. */
export function vacuumVerdict({ tables, snapshot }: Vacuum): Pick<Finding, 'ok' | 'text'> {
  const rowsOf = ({ name, liveRows, deadRows }: VacuumedTable): string =>
    `${deadRows} dead rows of ${name} beside ${liveRows}`
  const rows = tables.map(rowsOf).join(', ')
  const off = tables.filter(({ isOn }) => !isOn)
  if (off.length > 0) {
    const names = off.map(({ name }) => name).join(' and ')
    return {
      ok: false,
      text: `autovacuum is off for ${names}: what was erased stays in the database (${rows})`,
    }
  }
  const full = tables.filter(({ liveRows, deadRows }) => deadRows > liveRows + deadRowsFine)
  if (full.length === 0) return { ok: true, text: `autovacuum is on: ${rows}` }
  return { ok: false, text: `${full.map(rowsOf).join(', ')}: ${remedyOf(snapshot)}` }
}

function remedyOf(snapshot: Snapshot | undefined): string {
  if (snapshot === undefined)
    return 'autovacuum does not keep up, or a replication slot or prepared transaction keeps it from removing them'
  const { pid, name } = snapshot
  return (
    `the snapshot of connection ${pid} (${name}) keeps autovacuum from removing them: let it end, ` +
    `or end it with SELECT pg_terminate_backend(${pid})`
  )
}
