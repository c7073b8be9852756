import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { corruptionCases, flipBit } from '../support/corruption.ts'
import { testCommand } from '../support/in-process.ts'
import { openIn } from '../support/installation.ts'
import { rowIn, withRaw } from '../support/raw-sqlite.ts'
import { hitsIn } from '../system/support/search.ts'

const ann = ['--account', 'ann@example.org']
const email = ['--email', 'ann@example.org']

interface Corrupted {
  readonly id: string
  readonly what: string
}

/** An installation with a row of each kind, and a backup of it. */
async function withRows(t: Test) {
  const { cwd, run, json } = testCommand(t)
  const idOf = async (args: readonly string[], stdin = '') =>
    (await json<{ id: string }>([...args, ...ann], { stdin })).id
  const { id: account } = await json<{ id: string }>(['account', 'create', ...email])
  const folder = await idOf(['folder', 'create', '--label', 'Doors'])
  const token = await idOf(['token', 'create', '--name', 'laptop'])
  const create = ['draft', 'create', '--folder', folder, '--label', 'x']
  const locked = [...create, '--password-stdin']
  const ids = {
    ...{ account, folder, token, draft: await idOf(create, 'note'), shared: await idOf(create, 'note') },
    ...{ locked: await idOf(locked, 'pass\nnote'), long: await idOf(locked, `pass\n${'n'.repeat(9_000)}`) },
  }
  for (const id of [ids.shared, ids.locked, ids.long]) await idOf(['draft', 'share', id])
  await json(['backup', 'sound'])
  const data = join(cwd, 'data')
  cpSync(data, join(cwd, 'data.sound'), { recursive: true })
  const lose = () => rmSync(data, { recursive: true })
  const reset = () => {
    lose()
    cpSync(join(cwd, 'data.sound'), data, { recursive: true })
  }
  const list = () => json<Corrupted[]>(['damage', 'list'])
  return { cwd, run, json, ids, data, database: join(data, 'sotto.sqlite'), lose, reset, list }
}

// Promise (Sealed at rest): A restore lists rows that do not decrypt
t.test('a bit that flipped in any column of a backup is reported by the restore, exit code 1', async (t) => {
  const { cwd, run, ids, lose, list } = await withRows(t)
  for (const each of corruptionCases) {
    const id = ids[each.of]
    const at = `${each.table}.${each.column} of ${each.of}`
    const torn = join(cwd, 'torn')
    cpSync(join(cwd, 'sound'), torn)
    withRaw(torn, (db) => flipBit(db, each, id))
    lose()
    const { code, stdout, stderr } = await run(['restore', torn, '--json'])
    t.equal(code, 1, at)
    const row = { kind: each.kind, id, account_id: ids.account, code: 'data_damaged', what: each.what }
    t.strictSame((JSON.parse(stdout) as { damaged: unknown }).damaged, [row], at)
    t.equal(
      stderr,
      `sotto: ${each.what} of ${id} does not decrypt\n` +
        'sotto: the database was restored, but 1 row of the backup does not decrypt: ' +
        'use another backup, or see: sotto damage list, sotto damage drop --help\n',
      at,
    )
    t.strictSame(await list(), [row], `${at}: the database is in place`)
  }
  lose()
  const restored = await run(['restore', 'sound', '--json'])
  t.match(restored, { code: 0, stderr: '' })
  t.strictSame((JSON.parse(restored.stdout) as { damaged: unknown }).damaged, [])
})

t.test('a restore names the first twenty corrupted rows and counts the rest', async (t) => {
  const { cwd, run, json } = testCommand(t)
  await json(['account', 'create', ...email])
  for (let nr = 0; nr < 22; nr += 1) await json(['folder', 'create', ...ann, '--label', 'x'])
  await json(['backup', 'b'])
  withRaw(join(cwd, 'b'), (db) =>
    db.exec('UPDATE texts SET text = zeroblob(length(text)) WHERE nr IN (SELECT label_nr FROM folders)'),
  )
  rmSync(join(cwd, 'data'), { recursive: true })
  const { code, stdout, stderr } = await run(['restore', 'b'])
  t.equal(code, 1)
  t.match(stdout, /^The database was restored /)
  t.match(
    stderr,
    /^(?:sotto: folder\.label of \S+ does not decrypt\n){20}sotto: and 2 more\nsotto: the database was restored, but 22 rows /,
  )
})

// Promise (Sealed at rest): doctor and damage list find every corrupted row, and it can be dropped
t.test('a bit that flipped in any column of the database is listed and can be dropped', async (t) => {
  const { run, ids, database, reset, list } = await withRows(t)
  t.strictSame(await list(), [])
  for (const each of corruptionCases) {
    const id = ids[each.of]
    const at = `${each.table}.${each.column} of ${each.of}`
    reset()
    withRaw(database, (db) => flipBit(db, each, id))
    t.match(await list(), [{ id, kind: each.kind, what: each.what }], at)
    const doctor = await run(['doctor'])
    t.match(doctor, { code: 1, stdout: new RegExp(`✗ rows: ${each.what} of ${id} does not decrypt`) }, at)
    const { code, stdout } = await run(['damage', 'drop', '--yes', '--json', id, ...email])
    t.equal(code, 0, at)
    const outcome = ['account', 'folder'].includes(each.kind) ? 'replaced' : 'erased'
    t.match(JSON.parse(stdout), { dropped: [{ id, what: each.what, outcome }], refused: [] }, at)
    t.strictSame(await list(), [], at)
  }
})

// Promise (Sealed at rest): A row that decrypts is never dropped
t.test('what is not corrupted is not dropped, whatever is named beside it', async (t) => {
  const { run, json, ids, database } = await withRows(t)
  withRaw(database, (db) => {
    for (const each of corruptionCases) if (each.column === 'label') flipBit(db, each, ids.folder)
  })
  const unknown = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'
  t.strictSame(await run(['damage', 'drop', '--yes', ids.draft, ids.folder, unknown]), {
    code: 1,
    stdout: `folder.label of ${ids.folder} does not decrypt: the text was replaced.\n`,
    stderr:
      `sotto: ${ids.draft} is not the id of a corrupted row\n` +
      `sotto: ${unknown} is not the id of a corrupted row\n` +
      'sotto: 2 rows were not dropped\n',
  })
  t.match(await json(['folder', 'list', ...ann]), [{ label: '(damaged label)', secrets_count: 3 }])
  t.match(await json(['draft', 'list', ...ann]), [{ id: ids.draft }])
  t.match(await run(['damage', 'drop', '--yes', ids.draft]), {
    code: 1,
    stdout: 'Nothing was changed.\n',
    stderr: /\nsotto: 1 row was not dropped\n$/,
  })
})

t.test('the name of an account is written again from its email, and from no other', async (t) => {
  const { run, json, ids, database } = await withRows(t)
  await json(['account', 'create', '--email', 'bob@example.org'])
  withRaw(database, (db) => flipBit(db, corruptionCases[0]!, ids.account))
  t.match(await run(['damage', 'list', ...ann]), { code: 1, stderr: /account\.name of .* does not decrypt/ })
  const drop = ['damage', 'drop', '--yes', ids.account]
  t.match(await run(drop), { code: 1, stderr: /name its email with --email/ })
  t.match(await run([...drop, '--email', 'bob@example.org']), { code: 1, stderr: /with another email/ })
  t.match(await run([...drop, '--email', 'Ann@example.org']), { code: 0 })
  t.strictSame(await json(['damage', 'list', ...ann]), [])
  t.match(await json(['draft', 'list', ...ann]), [{ id: ids.draft }])
})

t.test(
  'a corrupted password of an account is erased, and the command says how its owner gets another',
  async (t) => {
    const { cwd, run, json } = testCommand(t)
    const installation = await openIn(cwd)
    const { account, token } = expectOk(await installation.sotto.inviteAccount({ email: 'ann@example.org' }))
    const chosen = { token, password: 'four words in a row', address: '192.0.2.1' }
    expectOk(await installation.sotto.choosePassword(chosen))
    const id = expectOk(await installation.ports.passwords.find(account.id))?.id ?? ''
    await installation.close()
    const database = join(cwd, 'data', 'sotto.sqlite')
    withRaw(database, (db) => flipBit(db, { table: 'passwords', column: 'hash' }, id))
    t.strictSame(await run(['damage', 'drop', '--yes', id]), {
      code: 0,
      stdout: `account.password of ${id} does not decrypt: the row was erased.\n`,
      stderr:
        `sotto: account ${account.id} has no password now: its owner needs a one-time link, ` +
        'which sotto account reset prints\n',
    })
    t.strictSame(await json(['damage', 'list']), [])
    t.match(await run(['account', 'reset', ...email]), { code: 0 })
    t.match(
      (await run(['damage', 'drop', '--help'])).stdout.replaceAll(/\s+/g, ' '),
      /passwords of accounts are erased/,
    )
  },
)

t.test('the list shows one account or all of them, and is a table for people', async (t) => {
  const { run, json, ids, database } = await withRows(t)
  await json(['account', 'create', '--email', 'bob@example.org'])
  withRaw(database, (db) => flipBit(db, corruptionCases[1]!, ids.folder))
  t.match(await json(['damage', 'list', ...ann]), [{ id: ids.folder }])
  t.strictSame(await json(['damage', 'list', '--account', 'bob@example.org']), [])
  t.match(await run(['damage', 'list']), {
    code: 0,
    stdout: new RegExp(`^ID +KIND +DAMAGED\\n${ids.folder}  folder +folder\\.label\\n$`),
  })
})

t.test('nothing is dropped without --yes, and what was typed is not repeated', async (t) => {
  const { run, ids } = await withRows(t)
  t.match(await run(['damage', 'drop', ids.draft]), { code: 2, stdout: '', stderr: /--yes/ })
  t.match(await run(['damage', 'drop', '--yes']), { code: 2, stderr: /missing required argument/ })
  t.strictSame(await run(['damage', 'drop', '--yes', ids.draft, 'hunter2']), {
    code: 2,
    stdout: '',
    stderr: 'sotto: id must be the id of a row (see: sotto damage drop --help)\n',
  })
})

// Promise (Sealed at rest): Dropped rows are in no file
t.test('what was dropped is in no file of the data directory', async (t) => {
  const { run, ids, data, database } = await withRows(t)
  const wrapOf = corruptionCases.find(
    ({ of, column }) => of === 'long' || (of === 'locked' && column === 'wrap'),
  )!
  withRaw(database, (db) => flipBit(db, wrapOf, ids.locked))
  withRaw(database, (db) => flipBit(db, corruptionCases[2]!, ids.token))
  const nr = `(SELECT nr FROM secrets WHERE hex(id) = '${ids.locked.replaceAll('-', '').toUpperCase()}')`
  const row = rowIn<Record<'head' | 'wrap' | 'note', Buffer>>(
    database,
    `SELECT head, wrap, note FROM ciphertexts WHERE nr = ${nr}`,
  )
  const { name } = rowIn<{ name: Buffer }>(
    database,
    'SELECT text AS name FROM texts WHERE nr = (SELECT name_nr FROM access_tokens)',
  )
  const files = () => readdirSync(data).map((file) => join(data, file))
  const needles = { ...row, name }
  t.equal(hitsIn(files(), needles).length >= 4, true, 'they would be found')
  t.match(await run(['damage', 'drop', '--yes', ids.locked, ids.token]), { code: 0 })
  t.same(hitsIn(files(), needles), [])
})
