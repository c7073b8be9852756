import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { query } from '../../../adapter-postgres/test/support/server.ts'
import { copyFixture, fixtures, readDump } from '../support/fixtures.ts'
import { testCommand, type TestCommand } from '../support/in-process.ts'
import { startPostgres } from '../support/postgres.ts'
import { withRaw } from '../support/raw-sqlite.ts'
import { treeOf } from '../support/tree.ts'

// Tables that this program does not know are told from corruption by name. The files in fixtures/unreleased are the tables that commits made
// from before version 1 was fixed, under the number of version 1; the name says which commit was the last to make them so.

const commands = ['serve', 'account list', 'doctor', 'backup new.backup', 'move --to file:elsewhere']

function commitsOf(kind: 'sqlite' | 'postgres'): readonly string[] {
  return readdirSync(join(fixtures, 'unreleased')).flatMap(
    (name) => new RegExp(`^${kind}-(\\w+)\\.sql$`).exec(name)?.[1] ?? [],
  )
}

/** An installation whose database was changed by `change`, and a backup of it that was changed likewise. */
async function changed(t: Test, change: (file: string) => void): Promise<TestCommand> {
  const command = testCommand(t)
  t.match(await command.run(['backup', 'old.backup']), { code: 0 })
  change(join(command.cwd, 'data', 'sotto.sqlite'))
  change(join(command.cwd, 'old.backup'))
  return command
}

/** Replaces a database or a backup by that of version 1, with a column that no version has. */
function addColumn(file: string): void {
  copyFileSync(
    join(fixtures, 'v1/sqlite', file.endsWith('.backup') ? 'sotto.backup' : 'data/sotto.sqlite'),
    file,
  )
  withRaw(file, (db) => db.exec('ALTER TABLE accounts ADD COLUMN shoe_size INTEGER'))
}

/** Every command that reads the database, and a restore, must end with a text, and change nothing. */
async function checkRefused(t: Test, { cwd, run }: TestCommand, text: RegExp): Promise<void> {
  const before = treeOf(cwd)
  for (const line of [...commands, 'restore old.backup']) {
    const env = line.startsWith('restore') ? { SOTTO_DATA_DIR: 'restored' } : {}
    const { code, stdout, stderr } = await run(line.split(' '), { env })
    t.equal(code, 1, line)
    t.match(stdout + stderr, text, line)
    t.notMatch(stdout + stderr, /is corrupted/, line)
  }
  t.strictSame(treeOf(cwd), before)
}

function makeTables(sql: string): (file: string) => void {
  return (file) => {
    rmSync(file)
    // A backup has no write-ahead log.
    const mode = file.endsWith('.backup') ? 'DELETE' : 'WAL'
    withRaw(file, (db) => db.exec(`PRAGMA journal_mode = ${mode}; ${sql}`))
  }
}

for (const commit of commitsOf('sqlite')) {
  // Promise (Upgrading): What an unreleased commit made is called by its name, and not corrupted
  t.test(`the tables of commit ${commit} on SQLite are called by its name`, async (t) => {
    const command = await changed(t, makeTables(readDump('unreleased', `sqlite-${commit}.sql`)))
    const text = `made by an unreleased version of Sotto, and is not corrupted: read it with commit ${commit} `
    await checkRefused(t, command, new RegExp(text))
  })
}

t.test('tables that no known commit made are not called corrupted either', async (t) => {
  const text = /has tables that this version of Sotto does not know: read it with the commit/
  await checkRefused(t, await changed(t, addColumn), text)
})

// Promise (Upgrading): What an unreleased commit made is called by its name, and not corrupted: and what a later version made
t.test('a later version is called so', async (t) => {
  const command = await changed(t, (file) => withRaw(file, (db) => db.pragma('user_version = 77')))
  await checkRefused(t, command, /by a later version of Sotto: use that version/)
})

t.test(
  'a table of another program is none of our business, and what is corrupted is called so',
  async (t) => {
    const { cwd, run } = testCommand(t, { isEmpty: true })
    copyFixture('v1', 'sqlite', cwd)
    for (const name of ['data/sotto.sqlite', 'sotto.backup'])
      withRaw(join(cwd, name), (db) => db.exec('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY)'))
    t.match(await run(['account', 'list']), { code: 0, stderr: '' })
    t.match(await run(['restore', 'sotto.backup'], { env: { SOTTO_DATA_DIR: 'restored' } }), { code: 0 })
    const file = join(cwd, 'data', 'sotto.sqlite')
    writeFileSync(file, readFileSync(file).fill(0x5a, 100, 4_096))
    t.match(await run(['doctor']), { code: 1, stdout: /✗ database: .* is corrupted \(SQLITE_/ })
  },
)

for (const commit of commitsOf('postgres')) {
  // Promise (Upgrading): What an unreleased commit made is called by its name, and not corrupted: on PostgreSQL too
  t.test(`the tables of commit ${commit} on PostgreSQL are called by its name`, async (t) => {
    const { url, env } = await startPostgres()
    await query(url, readDump('unreleased', `postgres-${commit}.sql`))
    await checkOnPostgres(
      t,
      env,
      new RegExp(`unreleased version of Sotto, .*: read it with commit ${commit} `),
    )
  })
}

t.test('on PostgreSQL unknown tables are called so, and a later version', async (t) => {
  const { url, env } = await startPostgres()
  await query(url, readDump('v1/postgres/dump.sql'))
  await query(url, 'ALTER TABLE public.accounts ADD COLUMN shoe_size int')
  await checkOnPostgres(t, env, /has tables that this version of Sotto does not know/)
  await query(url, 'UPDATE public.sotto SET version = 77, readable_from = 77')
  await checkOnPostgres(t, env, /by a later version of Sotto/)
})

async function checkOnPostgres(t: Test, env: NodeJS.ProcessEnv, text: RegExp): Promise<void> {
  const { run } = testCommand(t, { isEmpty: true })
  t.match(await run(['init']), { code: 0 }, 'there is a key file')
  for (const line of commands.filter((each) => !each.startsWith('backup'))) {
    const { code, stdout, stderr } = await run(line.split(' '), { env })
    t.equal(code, 1, line)
    t.match(stdout + stderr, text, line)
  }
}
