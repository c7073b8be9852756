import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock, expectOk, type ManualClock } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { query } from '../../adapter-postgres/test/support/server.ts'
import { backUpInstallation, restoreInstallation } from '../src/storage/backups.ts'
import { errorText } from '../src/errors/error-text.ts'
import { examine } from '../src/doctor/examine.ts'
import { transferInstallation } from '../src/storage/transfer.ts'
import { checkUpkeep, checkUse, everything, type Kept } from './fixtures/check-use.ts'
import type { Facts } from './fixtures/facts.ts'
import { copyFixture, fixtureVersions, readDump } from './support/fixtures.ts'
import { testCommand } from './support/in-process.ts'
import { openIn, settingsIn, startTestServer, type TestServer } from './support/installation.ts'
import { startPostgres, type Postgres } from './support/postgres.ts'
import { withRaw } from './support/raw-sqlite.ts'

// What each earlier version has left behind is opened, migrated, served, examined, backed up, restored and moved by today's code. A test's
// clock begins when the fixture was left, because secrets expire.

/**
 * What was restored or moved is migrated as what is opened is, which is used for each version: the oldest one shows that, and the newest one
 * what is restored or moved.
 */
const ends = [fixtureVersions[0], fixtureVersions.at(-1)]

const atRest: Kept = { ...everything, sessions: false }

/** A copy of a fixture, in a directory of the test's own. */
interface Copy {
  readonly cwd: string
  readonly facts: Facts
  readonly clock: ManualClock
}

function copyOf(t: Test, version: string, kind: 'sqlite' | 'postgres'): Copy {
  const cwd = t.testdir()
  copyFixture(version, kind, cwd)
  const facts = JSON.parse(readFileSync(join(cwd, 'facts.json'), 'utf8')) as Facts
  return { cwd, facts, clock: createManualClock(facts.madeAtMicros) }
}

async function startPostgresWith(version: string): Promise<Postgres> {
  const postgres = await startPostgres()
  await query(postgres.url, readDump(version, 'postgres/dump.sql'))
  return postgres
}

async function use(
  t: Test,
  { cwd, facts, clock }: Copy,
  env: NodeJS.ProcessEnv,
  kept?: Kept,
): Promise<TestServer> {
  const server = await startTestServer(t, cwd, { env, replace: { clock } })
  await checkUse(t, server, facts, kept)
  return server
}

/** Nothing may be wrong but what was left on purpose: a rotation that was cut off, and messages that were given up. */
async function checkDoctor(t: Test, { cwd, clock }: Copy, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const findings = await examine({ env, cwd, clock, textOf: errorText })
  t.strictSame(
    findings.filter(({ ok }) => ok !== true).map(({ check }) => check),
    ['keys', 'notifications'],
  )
}

for (const version of fixtureVersions) {
  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one
  t.test(`${version}: a database on SQLite and its counters are served, examined and migrated`, async (t) => {
    const copy = copyOf(t, version, 'sqlite')
    const { cwd, clock, facts } = copy
    withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) => {
      const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
      for (const { name } of tables as readonly { readonly name: string }[])
        t.ok(db.prepare(`SELECT 1 FROM ${name}`).get(), `there are ${name}`)
    })
    const { sotto, close } = await openIn(cwd, { replace: { clock } })
    const bucket = { kind: 'account', accountId: facts.owner.accountId } as const
    const { limit, remaining } = expectOk(await sotto.peekQuota({ bucket }))
    t.equal(remaining, limit - 1, 'calls are counted on')
    await close()
    await checkDoctor(t, copy)
    await checkUpkeep(t, await use(t, copy, {}))
  })

  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one: and its
  // backups are restored
  t.test(`${version}: a backup is restored, and so is one that the code of today makes`, async (t) => {
    const copy = copyOf(t, version, 'sqlite')
    const { cwd, clock } = copy
    const restore = async (env: NodeJS.ProcessEnv, name: string) => {
      const options = { settings: settingsIn(cwd, env), file: join(cwd, name), clock }
      const restored = await restoreInstallation({ ...options, keepLimited: true, keepTokens: true })
      t.strictSame(expectOk(expectOk(restored).corrupted), [], name)
    }
    const [first, second] = [{ SOTTO_DATA_DIR: 'first' }, { SOTTO_DATA_DIR: 'second' }]
    await restore(first, 'sotto.backup')
    const file = join(cwd, 'new.backup')
    expectOk(await backUpInstallation({ settings: settingsIn(cwd, first), file, clock }))
    await restore(second, 'new.backup')
    if (!ends.includes(version)) return
    await use(t, copy, second, { sessions: false, welcomes: false, tickets: false, messages: false })
  })

  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one: and a dump of
  // PostgreSQL is served
  t.test(`${version}: a dump of PostgreSQL is served and examined`, async (t) => {
    const copy = copyOf(t, version, 'postgres')
    const { env } = await startPostgresWith(version)
    await (await openIn(copy.cwd, { env, replace: { clock: copy.clock } })).close()
    await checkDoctor(t, copy, env)
    await checkUpkeep(t, await use(t, copy, env))
  })

  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one: and so is what
  // `sotto login` kept
  t.test(`${version}: what sotto login has kept is used by sotto share`, async (t) => {
    const { cwd, clock } = copyOf(t, version, 'sqlite')
    const { baseUrl } = await startTestServer(t, cwd, { replace: { clock } })
    const kept = readFileSync(join(cwd, 'client.json'), 'utf8')
    const config = join(cwd, '.config/sotto')
    mkdirSync(config, { recursive: true })
    // The port is another one in each test.
    writeFileSync(join(config, 'client.json'), kept.replace(/http:\/\/127\.0\.0\.1:\d+/, baseUrl), {
      mode: 0o600,
    })
    const { run } = testCommand(t, { cwd, isEmpty: true })
    const options = { stdin: 'a note', env: { HOME: cwd } }
    const shared = await run(['share', '--folder', 'Doors', '--label', 'from a terminal'], options)
    t.match(shared, { code: 0, stdout: /^http:\S+\/[\w-]{43}$/m })
  })
}

for (const version of ends) {
  if (version === undefined) continue
  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one: and it moves
  // to PostgreSQL
  t.test(`${version}: an installation on SQLite moves to PostgreSQL`, async (t) => {
    const copy = copyOf(t, version, 'sqlite')
    const { cwd, clock } = copy
    const { env } = await startPostgres()
    expectOk(await transferInstallation({ settings: settingsIn(cwd), to: settingsIn(cwd, env), clock }))
    await use(t, copy, env, atRest)
  })

  // Promise (Upgrading): What an earlier version left on SQLite is opened, migrated, served and examined by every later one: and moves to
  // SQLite
  t.test(`${version}: an installation on PostgreSQL moves to SQLite`, async (t) => {
    const copy = copyOf(t, version, 'postgres')
    const { cwd, clock } = copy
    const { env } = await startPostgresWith(version)
    expectOk(await transferInstallation({ settings: settingsIn(cwd, env), to: settingsIn(cwd), clock }))
    await use(t, copy, {}, atRest)
  })
}

t.test('there is a fixture', async (t) => {
  t.ok(fixtureVersions.includes('v1'))
})
