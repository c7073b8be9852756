import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import {
  packagedPrograms,
  query,
  startServer,
  type TestServer,
} from '../../../adapter-postgres/test/support/server.ts'
import { temporaryFolder } from './readme-examples.ts'

/** A PostgreSQL server with an empty database for a test, and the settings with which `sotto` uses it. */
export interface Postgres extends Pick<TestServer, 'crash' | 'restart'> {
  /** The database's URL, with a user and a password that appear nowhere else. */
  readonly url: string
  readonly env: { readonly SOTTO_DATABASE_URL: string }
  /** Finds every part of the URL that must not be shown. */
  readonly credentials: RegExp
  /** Runs one statement as the operator of the database. */
  query(text: string): Promise<void>
}

const [user, password] = ['canary_user_7f3a', 'canary-password-91c2']

/** Only the user `sotto` of the test server connects without a password. */
const access = 'host all sotto 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n'

/** Starts a server of its own. It ends with the test. */
export async function startPostgres(t: Test): Promise<Postgres> {
  const folder = temporaryFolder(t)
  const file = join(folder, 'pg_hba.conf')
  writeFileSync(file, access, { mode: 0o644 })
  chmodSync(folder, 0o755) // the server's own user reads the file
  const server = await startServer(packagedPrograms(), [`hba_file=${file}`])
  t.teardown(() => server.stop())
  const operator = await server.newDatabase()
  const { host, pathname } = new URL(operator)
  await query(operator, `CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
  await query(operator, `ALTER DATABASE ${pathname.slice(1)} OWNER TO ${user}`)
  const url = `postgres://${user}:${password}@${host}${pathname}`
  return {
    url,
    env: { SOTTO_DATABASE_URL: url },
    credentials: new RegExp(`${user}|${password}`),
    query: (text) => query(operator, text),
    crash: () => server.crash(),
    restart: () => server.restart(),
  }
}
