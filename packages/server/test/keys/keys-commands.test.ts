import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { withRaw } from '../support/raw-sqlite.ts'

const ann = ['--account', 'ann@example.org']

/** An installation with an account, a folder, a token, a draft and a shared secret: five rows under key 1. */
async function withRows(t: Test) {
  const { cwd, run, json } = testCommand(t)
  await json(['account', 'create', '--email', 'ann@example.org'])
  const { id: folder } = await json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Doors'])
  await json(['token', 'create', ...ann, '--name', 'laptop'])
  const create = ['draft', 'create', ...ann, '--folder', folder, '--label']
  const { id: draft } = await json<{ id: string }>([...create, 'front'], { stdin: 'note' })
  const { id: shared } = await json<{ id: string }>([...create, 'back', '--password-stdin'], {
    stdin: 'pass\nnote',
  })
  const { link } = await json<{ link: { url: string } }>(['draft', 'share', ...ann, shared])
  return { cwd, run, json, draft, link: link.url, database: join(cwd, 'data', 'sotto.sqlite') }
}

const kidsIn = (cwd: string) =>
  (
    JSON.parse(readFileSync(join(cwd, 'keys', 'sotto-keys.json'), 'utf8')) as { keys: { kid: number }[] }
  ).keys.map(({ kid }) => kid)

t.test('a rotation adds a key, moves every row to it, and reports that', async (t) => {
  const { cwd, run, json } = await withRows(t)
  t.strictSame(await run(['keys', 'rotate']), {
    code: 0,
    stdout:
      'Key 2 was added and is active: 5 rows were moved to it.\n' +
      'No row is under key 1 any more: see sotto keys retire --help.\n',
    stderr: '',
  })
  t.strictSame(kidsIn(cwd), [1, 2], 'the old key stays')
  const status = await json<object[]>(['keys', 'status'])
  t.match(status, [
    { kid: 1, created_at: /Z$/, active: false, rows: 0 },
    { kid: 2, created_at: /Z$/, active: true, rows: 5 },
  ])
  t.match(
    (await run(['keys', 'status'])).stdout,
    /^KEY +CREATED +ACTIVE +ROWS +LACKED BY\n1 .* no +0 +none\n2 .* yes +5 +none\n$/,
  )
  t.strictSame(await json(['keys', 'rotate']), { kid: 3, added: true, rewrapped: 5, damaged: [] })
  const drafts = await json<{ label: string }[]>(['draft', 'list', ...ann])
  t.match(drafts, [{ label: 'front' }])
})

t.test('corrupted rows are named and left as they are, with exit code 1', async (t) => {
  const { run, json, database, draft } = await withRows(t)
  withRaw(database, (db) =>
    db
      .prepare(
        'UPDATE ciphertexts SET head = zeroblob(130) WHERE nr = (SELECT nr FROM secrets WHERE hex(id) = ?)',
      )
      .run(draft.replaceAll('-', '').toUpperCase()),
  )
  const rotated = await run(['keys', 'rotate'])
  t.match(rotated, {
    code: 1,
    stdout: new RegExp(
      `4 rows were moved to it\\.\\nsecret\\.head of ${draft} does not decrypt: it was left as it is\\.\\n$`,
    ),
    stderr: /^sotto: 1 row does not decrypt: restore a backup, or see: sotto damage --help\n$/,
  })
  const { code, stdout } = await run(['keys', 'rotate', '--json'])
  t.equal(code, 1)
  t.match(JSON.parse(stdout), {
    added: true,
    damaged: [{ code: 'data_damaged', what: 'secret.head', id: draft }],
  })
  t.match(await run(['keys', 'retire', '1']), { code: 1, stderr: /the key is in use: 1 row is under it/ })
  await json(['draft', 'delete', ...ann, draft])
  t.match(await run(['keys', 'retire', '1', '--yes']), { code: 0, stdout: /^Key 1 is retired\.\n/ })
})

// Promise (Sealed at rest): A key is retired only when no row is under it
t.test('a key is retired only when no row is under it', async (t) => {
  const { cwd, run, json } = await withRows(t)
  t.match(await run(['keys', 'retire', '1']), {
    code: 1,
    stdout: '',
    stderr: /the key is in use: 5 rows are under it/,
  })
  await json(['keys', 'rotate'])
  t.match(await run(['keys', 'retire', '2', '--yes']), {
    code: 1,
    stderr: /the key is in use: 5 rows are under it/,
  })
  t.strictSame(await json(['keys', 'retire', '1', '--yes']), { kid: 1, retired: true })
  t.strictSame(kidsIn(cwd), [2])
  for (const yes of [[], ['--yes']])
    t.match(await run(['keys', 'retire', '1', ...yes]), { code: 1, stderr: 'sotto: there is no such key\n' })
  for (const wrong of ['0', '-1', '1.5', 'hunter2', '', "x' is invalid. "]) {
    const { code, stdout, stderr } = await run(['keys', 'retire', '--', wrong])
    t.strictSame({ code, stdout }, { code: 2, stdout: '' }, wrong)
    t.equal(
      stderr,
      'sotto: kid must be the number of a key (see: sotto keys retire --help)\n',
      'nothing that was typed is repeated',
    )
  }
})

// Promise (Sealed at rest): A key is retired only when no row is under it: and only with --yes, after the command has said which backups
// need it
t.test('without --yes no key is retired, and the command says which backups need it', async (t) => {
  const { cwd, run, json } = await withRows(t)
  await json(['keys', 'rotate'])
  await json(['keys', 'rotate'])
  const [, { created_at: replacedAt = '' } = {}] = await json<{ created_at?: string }[]>(['keys', 'status'])
  const backups = `backups made before ${replacedAt} or during the rotation that followed`
  for (const format of [[], ['--json']])
    t.strictSame(await run(['keys', 'retire', '1', ...format]), {
      code: 2,
      stdout: '',
      stderr:
        `sotto: --yes is required: ${backups} need key 1. Copy the key file first: without that key they cannot be restored ` +
        '(see: sotto keys retire --help)\n',
    })
  t.strictSame(kidsIn(cwd), [1, 2, 3])
  t.match(await json(['keys', 'status']), [{ kid: 1 }, { kid: 2 }, { kid: 3 }])
  t.strictSame(await run(['keys', 'retire', '1', '--yes']), {
    code: 0,
    stdout: `Key 1 is retired.\nOnly a copy of the key file can restore ${backups}.\n`,
    stderr: '',
  })
  t.strictSame(kidsIn(cwd), [2, 3])
})
