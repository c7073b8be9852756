import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import {
  packagedPrograms,
  query,
  startServer,
  type TestServer,
} from '../../../adapter-postgres/test/support/server.ts'

/** An empty database for a test, and the settings with which `sotto` uses it. */
export interface Postgres {
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

let shared: Promise<TestServer> | undefined

/** A database on the server that all tests of this process share. */
export async function startPostgres(): Promise<Postgres> {
  return databaseOn(await (shared ??= startGuarded(tap)))
}

/** A database on a server of its own, which ends with the test. */
export async function startOwnPostgres(t: Test): Promise<Postgres & Pick<TestServer, 'crash' | 'restart'>> {
  const server = await startGuarded(t)
  return { ...(await databaseOn(server)), crash: () => server.crash(), restart: () => server.restart() }
}

/** A server that asks the user of the databases for a password. */
async function startGuarded(t: Pick<Test, 'teardown'>): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-hba-'))
  const file = join(folder, 'pg_hba.conf')
  writeFileSync(file, access)
  // The server's own user reads the file.
  chmodSync(file, 0o644)
  chmodSync(folder, 0o755)
  const server = await startServer(packagedPrograms(), [`hba_file=${file}`])
  t.teardown(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  await query(server.urlOf('postgres'), `CREATE ROLE ${user} LOGIN PASSWORD '${password}'`)
  return server
}

async function databaseOn(server: TestServer): Promise<Postgres> {
  const operator = await server.newDatabase()
  const { host, pathname } = new URL(operator)
  await query(operator, `ALTER DATABASE ${pathname.slice(1)} OWNER TO ${user}`)
  const url = `postgres://${user}:${password}@${host}${pathname}`
  return {
    url,
    env: { SOTTO_DATABASE_URL: url },
    credentials: new RegExp(`${user}|${password}`),
    query: (text) => query(operator, text),
  }
}
