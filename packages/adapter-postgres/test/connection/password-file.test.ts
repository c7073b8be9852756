import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type Test } from 'tap'
import { NoPassword } from '../../src/connection/errors.ts'
import { passwordFromFile } from '../../src/connection/password-file.ts'

const wanted = { host: 'db.example', port: 5432, database: 'sotto', user: 'ann' }

/** The environment of a user with this password file. */
function homeWith(t: Test, text: string, mode = 0o600): { readonly HOME: string } {
  const home = t.testdir({ '.pgpass': text })
  chmodSync(join(home, '.pgpass'), mode)
  return { HOME: home }
}

test('the password is that of the first line that fits, whose parts may be stars', async (t) => {
  const env = homeWith(
    t,
    `# hosts of ours
#db.example:5432:sotto:ann:comment
other.example:5432:sotto:ann:of another host
db.example:5433:sotto:ann:of another port
db.example:5432:other:ann:of another database
db.example:5432:sotto:bob:of another user
db.example:5432:sotto:ann
*:*:sotto:*:the first that fits
db.example:5432:sotto:ann:exact
*:*:*:*:of all others
`,
  )
  t.equal(await passwordFromFile(wanted, env), 'the first that fits')
  t.equal(await passwordFromFile({ ...wanted, port: 5433, database: 'none' }, env), 'of all others')
})

test('colons and backslashes are escaped, and a star may be part of a password', async (t) => {
  const env = homeWith(t, String.raw`2001\:db8\:\:7:5432:sotto:a\\b:p\:a\\s*s\w` + '\r\n')
  t.equal(
    await passwordFromFile({ ...wanted, host: '2001:db8::7', user: String.raw`a\b` }, env),
    String.raw`p:a\s*sw`,
  )
})

test('the directory of a Unix socket is called localhost', async (t) => {
  const env = homeWith(t, 'localhost:*:*:*:here\n')
  t.equal(await passwordFromFile({ ...wanted, host: '/run/postgresql' }, env), 'here')
  t.equal(await passwordFromFile({ ...wanted, host: 'localhost' }, env), 'here')
})

test('a directory of a Unix socket may be called by its path', async (t) => {
  const env = homeWith(t, '/srv/other:*:*:*:there\n/srv/db:*:*:*:here\n')
  t.equal(await passwordFromFile({ ...wanted, host: '/srv/db' }, env), 'here')
})

test('a star that is escaped fits nothing but a star', async (t) => {
  const env = homeWith(t, String.raw`*:*:*:\*:of the star` + '\n*:*:*:*:of anybody\n')
  t.equal(await passwordFromFile(wanted, env), 'of anybody')
  t.equal(await passwordFromFile({ ...wanted, user: '*' }, env), 'of the star')
})

test('PGPASSFILE names another file', async (t) => {
  const { HOME } = homeWith(t, '*:*:*:*:at home\n')
  const file = join(HOME, 'other')
  writeFileSync(file, '*:*:*:*:elsewhere\n', { mode: 0o600 })
  t.equal(await passwordFromFile(wanted, { HOME, PGPASSFILE: file }), 'elsewhere')
})

test('a file that others may read or write is not used, and no message has a part of it', async (t) => {
  for (const mode of [0o640, 0o604, 0o620, 0o601]) {
    const refused = passwordFromFile(wanted, homeWith(t, '*:*:*:*:canary-7f3a\n', mode))
    await t.rejects(refused, new NoPassword('others have access to the password file: make its mode 0600'))
  }
})

test('without a file, and in a file without a line that fits, there is no password', async (t) => {
  const none = new NoPassword(
    'the server asks for a password; the URL, PGPASSWORD and the password file have none',
  )
  await t.rejects(passwordFromFile(wanted, { HOME: t.testdir() }), none)
  for (const text of ['', 'other.example:*:*:*:canary-7f3a\n', '*:*:*:*:\n', '*:*:*\n'])
    await t.rejects(passwordFromFile(wanted, homeWith(t, text)), none)
  const home = t.testdir()
  mkdirSync(join(home, '.pgpass'))
  await t.rejects(
    passwordFromFile(wanted, { HOME: home }),
    new NoPassword('the password file is no plain file'),
  )
})
