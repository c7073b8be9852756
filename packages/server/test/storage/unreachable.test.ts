import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testCommand } from '../support/in-process.ts'
import { spawnSotto } from '../support/spawned.ts'

// Nothing listens on port 1 of this machine.
const env = { SOTTO_DATABASE_URL: 'postgresql://ann:hunter2@127.0.0.1:1/sotto?application_name=canary' }
const address = 'postgres://127.0.0.1:1/sotto'

const commands = [
  ['init'],
  ['account', 'create', '--email', 'ann@example.org'],
  ['account', 'list'],
  ['keys', 'status'],
  ['purge'],
] as const

for (const args of commands) {
  t.test(`an unreachable database is an error, and no key file is made: ${args.join(' ')}`, async (t) => {
    const { run, cwd } = testCommand(t, { isEmpty: true })
    const { code, stdout, stderr } = await run(args, { env })
    t.equal(code, 1)
    t.equal(stdout, '')
    t.ok(stderr.startsWith(`sotto: the database ${address} cannot be reached (`), stderr)
    t.match(stderr, /see SOTTO_DATABASE_URL$/m)
    t.notMatch(stderr, /hunter2|canary|no database/)
    t.strictSame(readdirSync(cwd), [])
  })
}

t.test('serve ends with an error, for a supervisor to start it again', async (t) => {
  const cwd = t.testdir()
  const served = spawnSotto(t, ['serve'], { cwd, env })
  t.equal(await served.ended, 1)
  t.ok(served.stderr().startsWith(`sotto: the database ${address} cannot be reached (`), served.stderr())
  t.notMatch(served.stderr(), /hunter2|canary/)
  t.strictSame(readdirSync(cwd), [])
})

t.test('doctor says that the database cannot be reached, and what it could not check', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  const { code, stdout, stderr } = await run(['doctor'], { env })
  t.equal(code, 1)
  t.match(stdout, /^✓ settings: all are valid$/m)
  t.match(stdout, /^✗ database: the database postgres:\/\/127\.0\.0\.1:1\/sotto cannot be reached/m)
  t.match(
    stdout,
    /^– key file: not checked: the database cannot be reached, and .*sotto-keys.json does not exist$/m,
  )
  t.match(stdout, /^– rows: not checked: the database cannot be opened$/m)
  t.notMatch(stdout + stderr, /hunter2|canary|data directory/)
  t.strictSame(readdirSync(cwd), [])
})

t.test('doctor finds the database although other settings are not valid', async (t) => {
  const { run } = testCommand(t, { isEmpty: true })
  const { stdout } = await run(['doctor'], { env: { ...env, SOTTO_PORT: 'x' } })
  t.match(stdout, /^✗ settings: SOTTO_PORT/m)
  t.match(stdout, /^✗ database: the database postgres:\/\/127/m)
})

t.test('backup and restore name the programs of PostgreSQL, and make nothing', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  for (const [command, program] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const { code, stdout, stderr } = await run([command, join(cwd, 'b')], { env })
    t.equal(code, 1)
    t.equal(stdout, '')
    t.match(stderr, new RegExp(`^sotto: this database is not .* by sotto: .*${program}`))
  }
  t.strictSame(readdirSync(cwd), [])
})

t.test('a URL that is not valid is not repeated', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  for (const args of [['serve'], ['doctor'], ['account', 'list']]) {
    const { code, stdout, stderr } = await run(args, {
      env: { SOTTO_DATABASE_URL: 'postgres://ann:hunter2@/' },
    })
    t.equal(code, 1)
    t.match(stdout + stderr, 'SOTTO_DATABASE_URL must be postgres://')
    t.notMatch(stdout + stderr, /hunter2/)
  }
  t.strictSame(readdirSync(cwd), [])
})
