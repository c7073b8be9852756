import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from './connection/sql.ts'

/**
 * The name under which the server of the database lists the connections of this program: it tells which version of the tables the program
 * knows.
 */
export function nameOfServer(applicationName: string, version: number): string {
  return `${applicationName}/${version}`
}

/** The server of the database takes a moment to notice that a process has ended, such as a move that was killed. */
const looks = 10
const pauseMillis = 100

/** Whether another connection of this service to the database is open. What a pooler keeps open under another name is not noticed. */
export function isInUse(sql: Sql, applicationName: string): Promise<boolean> {
  return isListed(sql, applicationName, () => true)
}

/** Whether a server that knows only earlier versions than this one has a connection; see {@link isInUse}. */
export function areOlderServersOpen(
  sql: Sql,
  { applicationName, version }: { readonly applicationName: string; readonly version: number },
): Promise<boolean> {
  return isListed(sql, applicationName, (known) => known < version)
}

const others = {
  name: 'servers_names',
  text: `SELECT application_name FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`,
}

/** Whether the connections of this name, whose versions `isMeant` picks, are there for as long as it looks. */
async function isListed(
  sql: Sql,
  applicationName: string,
  isMeant: (known: number) => boolean,
): Promise<boolean> {
  const start = nameOfServer(applicationName, 0).slice(0, -1)
  for (let look = 1; ; look += 1) {
    const names = (await sql.rows<[string | null]>(others)).map(([name]) => name ?? '')
    const isOpen = names.some((name) => name.startsWith(start) && isMeant(Number(name.slice(start.length))))
    if (!isOpen || look === looks) return isOpen
    await sleep(pauseMillis)
  }
}
