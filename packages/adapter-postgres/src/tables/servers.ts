import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { idleMillis } from '../connection/connecting.ts'
import type { Sql } from '../connection/sql.ts'

/**
 * The name under which the server of the database lists the connections of this program: it tells which version of the tables the program
 * knows.
 */
export function nameOfServer(applicationName: string, version: number): string {
  return `${applicationName}/${version}`
}

/** Distinguishes the connections of moves in this process. */
const mover = randomUUID().slice(0, 8)

/** The name of a connection of a move; it begins with that of the program. */
export function nameOfMove(serverName: string): string {
  return `${serverName}/${mover}`
}

/** The server of the database takes a moment to notice that a process has ended, such as a move that was killed. */
const looks = 10
const pauseMillis = 100

/** How long a connection of this program may be unused: its pools close it before. A pooler keeps one that is unused for longer. */
export const unusedMillis = idleMillis + 15_000

/**
 * Whether another connection of this service to the database is at work, those of moves in this process aside. One that has not been used for
 * `afterMillis` is a pooler's, which keeps it after the server has ended. What a pooler keeps open under another name is not noticed.
 */
export function isInUse(sql: Sql, applicationName: string, afterMillis = unusedMillis): Promise<boolean> {
  return isListed(
    sql,
    ({ name, isUnused }) =>
      !isUnused && knownOf(name, applicationName) !== undefined && !name.endsWith(nameOfMove('')),
    afterMillis,
  )
}

/** Whether a move of this process has another connection to the database, under whatever URL. */
export function isMoving(sql: Sql): Promise<boolean> {
  return isListed(sql, ({ name }) => name.endsWith(nameOfMove('')))
}

/** Whether a server that knows only earlier versions than this one has a connection; see {@link isInUse}. */
export function areOlderServersOpen(
  sql: Sql,
  { applicationName, version }: { readonly applicationName: string; readonly version: number },
): Promise<boolean> {
  return isListed(sql, ({ name }) => (knownOf(name, applicationName) ?? version) < version)
}

/** The version in the name of a connection; `undefined` for one of another program. */
function knownOf(name: string, applicationName: string): number | undefined {
  const start = nameOfServer(applicationName, 0).slice(0, -1)
  return name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : undefined
}

/** Another connection to the database. */
interface Other {
  readonly name: string
  /** Whether it has done nothing for the time that was asked for. Not known of connections of other users, whose state is hidden. */
  readonly isUnused: boolean
}

/** The time is that of this statement, as the server has it. */
const others = {
  name: 'servers_others',
  text: `SELECT other.application_name,
      coalesce(other.state = 'idle' AND own.query_start - other.state_change > $1::int * interval '1 millisecond', false)
    FROM pg_stat_activity AS own, pg_stat_activity AS other
    WHERE own.pid = pg_backend_pid() AND other.pid <> own.pid AND other.datname = current_database()`,
}

/** Whether other connections to the database that `isMeant` picks are there for as long as it looks. */
async function isListed(
  sql: Sql,
  isMeant: (other: Other) => boolean,
  afterMillis = unusedMillis,
): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const found = await sql.rows<[string | null, boolean]>(others, [afterMillis])
    const isOpen = found.some(([name, isUnused]) => isMeant({ name: name ?? '', isUnused }))
    if (!isOpen || look === looks) return isOpen
    await sleep(pauseMillis)
  }
}
