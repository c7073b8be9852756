import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'
import { openIn } from '../support/installation.ts'
import { checkMoved, fillInstallation } from '../support/moved.ts'
import { startPostgres } from '../support/postgres.ts'
import { runSotto, spawnServer } from '../support/spawned.ts'

/** The rows of {@link fillInstallation} by kind. */
const rows = {
  keys: 1,
  accounts: 1,
  folders: 1,
  access_tokens: 1,
  passwords: 1,
  webhooks: 1,
  welcomes: 1,
  known_addresses: 1,
  sign_in_attempts: /[1-9]/,
  idempotency_keys: 1,
  secrets: 6,
  opened_forms: 1,
  outbox: 1,
  deliveries: /[1-9]/,
  files: 4,
  file_sums: 1,
  file_tickets: /[1-9]/,
}

// Promise (Sealed at rest): A move copies everything except sessions and the quota
t.test('an installation moves to PostgreSQL and back with everything but sessions and quota', async (t) => {
  const postgres = await startPostgres()
  const { cwd, json, run } = testCommand(t, { isEmpty: true })
  const filled = await fillInstallation(cwd)
  const there = await json(['move', '--to', postgres.url])
  t.match(there, {
    file_bytes: /^6\d{5}$/,
    from: join(cwd, 'data'),
    to: /^postgres:\/\/127\.0\.0\.1:\d+\/test_\d+$/,
    rows,
  })
  t.match(await run(['account', 'list']), {
    code: 1,
    stderr: /data\/sotto\.sqlite was moved to postgres:.*: see SOTTO_DATABASE_URL/,
  })
  await checkMoved(t, cwd, { filled, env: postgres.env, opensLeft: 3 })
  t.match(await run(['move', '--to', postgres.url]), {
    code: 0,
    stdout: /^Everything was moved to postgres:.* before\.\n/,
  })

  const { env } = postgres
  t.match(await run(['move', '--to', 'file:data'], { env }), { code: 1, stderr: /overwrites nothing/ })
  const back = await run(['move', '--to', 'file:back'], { env })
  t.match(back, { code: 0, stderr: '' })
  t.match(
    back.stdout,
    /^Everything was moved to \/.*\/back, and compared row by row: 1 account, 1 folder, 6 secrets and drafts, 1 access token, 1 webhook and 4 files \(6\d\d\.\d kB\)\.\nSessions .*\nSet SOTTO_DATA_DIR and start the server\. postgres:.* is left for good: .*\n$/,
  )
  t.match(await run(['doctor'], { env }), { code: 1, stdout: /was moved to \/.*back: see SOTTO_DATA_DIR/ })
  await checkMoved(t, cwd, { filled, env: { SOTTO_DATA_DIR: 'back' }, opensLeft: 2 })
})

t.test('a move may go from one directory to another', async (t) => {
  const { cwd, json } = testCommand(t, { isEmpty: true })
  const filled = await fillInstallation(cwd)
  t.match(await json(['move', '--to', 'file:other']), { to: join(cwd, 'other'), rows })
  await checkMoved(t, cwd, { filled, env: { SOTTO_DATA_DIR: 'other' }, opensLeft: 3 })
})

// Promise (Sealed at rest): A move copies everything except sessions and the quota: goes from one PostgreSQL database to another, but not
// to the same one
t.test('a move goes from one PostgreSQL database to another, but not to itself', async (t) => {
  const [first, second] = [await startPostgres(), await startPostgres()]
  const { cwd, json, run } = testCommand(t, { isEmpty: true })
  const { env } = first
  const filled = await fillInstallation(cwd, env)
  for (const place of [first.url, first.url.replace('127.0.0.1', 'localhost')])
    t.match(await run(['move', '--to', place], { env }), {
      code: 1,
      stderr: /the installation is at postgres:.*\/test_\d+ already/,
    })
  t.match(await json(['move', '--to', second.url], { env }), { rows })
  t.match(await run(['account', 'list'], { env }), { code: 1, stderr: /was moved to postgres:/ })
  t.match(await run(['move', '--to', second.url], { env }), {
    code: 0,
    stdout: /^Everything was moved .* before/,
  })
  await checkMoved(t, cwd, { filled, env: second.env, opensLeft: 3 })
  t.match(await run(['move', '--to', first.url], { env: second.env }), {
    code: 1,
    stderr: /there is data at .* overwrites nothing/,
  })
})

// Promise (Sealed at rest): A move copies everything except sessions and the quota: overwrites nothing
t.test('a place with data and a wrong name are refused, and nothing changes', async (t) => {
  const postgres = await startPostgres()
  const { cwd, run } = testCommand(t)
  t.match(await run(['move', '--to', 'file:none'], { env: { SOTTO_DATA_DIR: 'missing' } }), {
    code: 1,
    stderr: /there is no database at .*missing/,
  })
  t.match(await run(['move', '--to', 'file:data']), { code: 1, stderr: /is at .*data already/ })
  for (const place of ['/data', 'mysql://a:hunter2@b/c', 'file:'])
    t.match(await run(['move', '--to', place]), {
      code: 2,
      stderr:
        /^sotto: option '--to <place>' must be postgres:\/\/… or file:DIRECTORY \(see: sotto move --help\)\n$/,
    })
  t.match(await run(['move']), { code: 2, stderr: /required option '--to <place>'/ })

  await postgres.query('CREATE TABLE accounts (a int)')
  t.match(await run(['move', '--to', postgres.url]), { code: 1, stderr: /is not a database of Sotto/ })
  await postgres.query('DROP TABLE accounts')
  await (await openIn(cwd, { env: postgres.env })).close()
  t.match(await run(['move', '--to', postgres.url]), { code: 1, stderr: /there is data at postgres:/ })
  mkdirSync(join(cwd, 'foreign'))
  writeFileSync(join(cwd, 'foreign', 'sotto.sqlite'), 'something else')
  t.match(await run(['move', '--to', 'file:foreign']), { code: 1, stderr: /foreign.* is corrupted/ })
  t.match(await run(['account', 'list']), { code: 0 }, 'the installation is as before')
})

t.test('a key file that cannot read the data is noticed before anything is copied', async (t) => {
  const { cwd, run } = testCommand(t)
  const env = { SOTTO_KEYS_FILE: 'other/keys.json', SOTTO_DATA_DIR: 'other/data' }
  t.match(await run(['init'], { env }), { code: 0 })
  const wrong = { SOTTO_KEYS_FILE: 'other/keys.json' }
  t.match(await run(['move', '--to', 'file:new'], { env: wrong }), {
    code: 1,
    stderr: /key 1 in .* is not the one/,
  })
  const missing = { SOTTO_KEYS_FILE: 'nowhere' }
  t.match(await run(['move', '--to', 'file:new'], { env: missing }), { code: 1, stderr: /no key file at/ })
  t.match(await run(['account', 'list'], { env: { SOTTO_DATA_DIR: join(cwd, 'new') } }), {
    code: 1,
    stderr: /there is no database/,
  })
})

// Promise (Sealed at rest): A move copies everything except sessions and the quota: detects a running server
t.test('a running server is noticed on either side, and goes on', async (t) => {
  const postgres = await startPostgres()
  const cwd = t.testdir()
  const { env } = postgres
  const onFiles = await spawnServer(t, { cwd })
  t.match(await runSotto(t, ['move', '--to', postgres.url], { cwd }), {
    code: 1,
    stderr: /data\/sotto\.sqlite is in use: stop every server/,
  })
  t.equal((await fetch(`${onFiles.baseUrl}/readyz`)).status, 200)
  onFiles.child.kill('SIGTERM')
  await onFiles.ended

  const other = join(cwd, 'other')
  mkdirSync(other)
  const onPostgres = await spawnServer(t, { cwd: other, env })
  for (const [from, to] of [
    [{ cwd }, postgres.url],
    [{ cwd: other, env }, 'file:back'],
  ] as const) {
    const refused = await runSotto(t, ['move', '--to', to], from)
    t.match(refused, { code: 1, stderr: /postgres:.* is in use: stop every server/ })
  }
  t.equal((await fetch(`${onPostgres.baseUrl}/readyz`)).status, 200)
  const headers = { authorization: `Bearer ${onPostgres.firstStart?.token}` }
  t.equal((await fetch(`${onPostgres.baseUrl}/api/folders`, { headers })).status, 200)
})

// Promise (Sealed at rest): A move copies everything except sessions and the quota: shows no credentials
t.test('a password comes from the environment or from a file, and no output shows credentials', async (t) => {
  const postgres = await startPostgres()
  const cwd = t.testdir()
  await fillInstallation(cwd)
  const url = new URL(postgres.url)
  const { password } = url
  url.password = ''
  const texts: string[] = []
  const here = testCommand(t, { isEmpty: true, cwd })
  const noted = ({ code, stdout, stderr }: { code: number | string; stdout: string; stderr: string }) => {
    texts.push(stdout + stderr)
    return code
  }
  /** In a process of its own, where the environment gives the password. */
  const run = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    noted(await runSotto(t, args, { cwd, env }))
  const runHere = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    noted(await here.run(args, { env }))
  const home = join(cwd, 'home')
  const passwordFile = join(home, '.pgpass')
  const [host, port] = url.host.split(':')
  mkdirSync(home)
  writeFileSync(passwordFile, `${host}:${port}:*:${url.username}:${password}\n`)
  chmodSync(passwordFile, 0o644)
  t.equal(await run(['move', '--to', url.href]), 1, 'no password')
  t.match(texts.at(-1), /the server asks for a password; the URL, PGPASSWORD and the password file have none/)
  t.equal(await run(['move', '--to', url.href], { HOME: home }), 1, 'a file that others may read')
  t.match(texts.at(-1), /others have access to the password file: make its mode 0600/)
  chmodSync(passwordFile, 0o600)
  t.equal(
    await runHere(['move', '--to', postgres.url.replace(password, `${password}-wrong`)]),
    1,
    'a wrong one',
  )
  t.equal(await runHere(['move', '--to', `${postgres.url}?sslmode=prefer`]), 1, 'an option that is refused')
  t.equal(await runHere(['move', '--to', postgres.url.replace('postgres:', 'postgre:')]), 2, 'a wrong scheme')
  t.equal(await run(['move', '--to', url.href, '--json'], { PGPASSWORD: password }), 0, 'the right one')
  t.equal(await runHere(['account', 'list']), 1)
  const fromFile = { SOTTO_DATABASE_URL: url.href, PGPASSFILE: passwordFile }
  t.equal(await run(['move', '--to', 'file:back'], fromFile), 0, 'one in a file')
  t.equal(texts.at(-1)?.includes('Warning'), false, 'and nothing warns of that')
  t.equal(await runHere(['doctor'], postgres.env), 1)
  for (const text of texts) {
    t.not(text, '')
    t.notMatch(text, postgres.credentials)
  }
  t.match(postgres.url, postgres.credentials)
})
