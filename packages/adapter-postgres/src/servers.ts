import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from './connection/sql.ts'

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

/**
 * Whether another connection of this service to the database is open, those of moves in this process aside. What a pooler keeps open under
 * another name is not noticed.
 */
export function isInUse(sql: Sql, applicationName: string): Promise<boolean> {
  return isListed(
    sql,
    (name) => knownOf(name, applicationName) !== undefined && !name.endsWith(nameOfMove('')),
  )
}

/** Whether a move of this process has another connection to the database, under whatever URL. */
export function isMoving(sql: Sql): Promise<boolean> {
  return isListed(sql, (name) => name.endsWith(nameOfMove('')))
}

/** Whether a server that knows only earlier versions than this one has a connection; see {@link isInUse}. */
export function areOlderServersOpen(
  sql: Sql,
  { applicationName, version }: { readonly applicationName: string; readonly version: number },
): Promise<boolean> {
  return isListed(sql, (name) => (knownOf(name, applicationName) ?? version) < version)
}

/** The version in the name of a connection; `undefined` for one of another program. */
function knownOf(name: string, applicationName: string): number | undefined {
  const start = nameOfServer(applicationName, 0).slice(0, -1)
  return name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : undefined
}

const others = {
  name: 'servers_names',
  text: `SELECT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`,
}

/** Whether other connections to the database whose names `isMeant` picks are there for as long as it looks. */
async function isListed(sql: Sql, isMeant: (name: string) => boolean): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const names = await sql.rows<[string | null]>(others)
    const isOpen = names.some(([name]) => name !== null && isMeant(name))
    if (!isOpen || look === looks) return isOpen
    await sleep(pauseMillis)
  }
}
