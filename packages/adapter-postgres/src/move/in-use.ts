import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../connection/sql.ts'

const others = {
  name: 'move_in_use',
  text: `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = $1 AND pid <> pg_backend_pid())`,
}

/** The server takes a moment to notice that a process has ended, such as a move that was killed. */
const looks = 10
const pauseMillis = 100

/** Whether another connection of this service to the database is open. What a pooler keeps open under another name is not noticed. */
export async function isInUse(sql: Sql, applicationName: string): Promise<boolean> {
  for (let look = 1; ; look += 1) {
    const [isUsed] = (await sql.row<[boolean]>(others, [applicationName])) ?? []
    if (isUsed !== true || look === looks) return isUsed === true
    await sleep(pauseMillis)
  }
}
