import { chmodSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testCommand } from '../support/in-process.ts'
import { withRaw } from '../support/raw-sqlite.ts'
import { onSmallDisk } from '../../../adapter-postgres/test/support/small-disk.ts'
import { treeOf } from '../support/tree.ts'

interface Finding {
  readonly check: string
  readonly ok: boolean | null
  readonly text: string
}

async function installed(t: Test) {
  const { cwd, run, json } = testCommand(t)
  await json(['account', 'create', '--email', 'ann@example.org'])
  /** All findings, and those that something is wrong, each as one text. */
  const findings = async (env: NodeJS.ProcessEnv = {}) => {
    const { code, stdout, stderr } = await run(['doctor', '--json'], { env })
    const all = JSON.parse(stdout) as Finding[]
    const wrong = all.filter(({ ok }) => ok === false)
    t.equal(code, wrong.length > 0 ? 1 : 0)
    t.match(stderr, wrong.length > 0 ? /^sotto: \d+ problems? (?:was|were) found\n$/ : /^$/)
    const lines = (await run(['doctor'], { env })).stdout.trimEnd().split('\n')
    t.equal(lines.length, all.length, 'one line each')
    for (const [at, { ok }] of all.entries()) t.equal(lines[at]?.[0], ok === null ? '–' : ok ? '✓' : '✗')
    return { wrong: wrong.map(({ check, text }) => `${check}: ${text}`), all }
  }
  const at = {
    data: join(cwd, 'data'),
    database: join(cwd, 'data', 'sotto.sqlite'),
    keys: join(cwd, 'keys', 'sotto-keys.json'),
  }
  return { cwd, run, json, findings, ...at }
}

const checks = [
  'settings',
  'data directory',
  'disk',
  'key file',
  'database',
  'pragmas',
  'erasure',
  'quota',
  'keys',
  'rows',
  'clock',
  'sweep',
  'files',
  'notifications',
]

t.test('when everything is in order, every check says so', async (t) => {
  const { findings } = await installed(t)
  const { all, wrong } = await findings()
  t.strictSame(
    all.map(({ check }) => check),
    checks,
  )
  t.strictSame(wrong, [])
  t.match(
    all.find(({ check }) => check === 'pragmas')?.text,
    /journal_mode=wal synchronous=2 .*secure_delete=1/,
  )
})

t.test('each row that does not decrypt is named', async (t) => {
  const { json, findings, database } = await installed(t)
  const ann = ['--account', 'ann@example.org']
  const { id } = await json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Doors'])
  withRaw(database, (db) =>
    db.exec('UPDATE texts SET text = zeroblob(length(text)) WHERE nr IN (SELECT label_nr FROM folders)'),
  )
  const { wrong } = await findings()
  t.strictSame(wrong, [
    `rows: folder.label of ${id} does not decrypt: restore a backup that has it, or see: sotto damage --help`,
  ])
})

t.test('where there is no installation, none is created', async (t) => {
  const { cwd, run } = testCommand(t, { isEmpty: true })
  const { code, stdout } = await run(['doctor'])
  t.equal(code, 1)
  t.match(
    stdout,
    /✓ key file: .* does not exist yet: the first start creates it\n✗ database: there is no database at/,
  )
  t.same(treeOf(cwd), {})
})

t.test('more workers than processors are reported', async (t) => {
  const { findings } = await installed(t)
  const most = Math.min(availableParallelism(), 64)
  t.strictSame((await findings({ SOTTO_WORKERS: String(most) })).wrong, [])
  if (most === 64) return
  const { wrong } = await findings({ SOTTO_WORKERS: '64' })
  t.match(wrong, [
    /^settings: SOTTO_WORKERS is 64, and \d+ processors? can be used here: more workers are slower$/,
  ])
})

t.test('a base URL by which browsers do not encrypt is a warning, which changes no exit code', async (t) => {
  const { findings } = await installed(t)
  const { all, wrong } = await findings({ SOTTO_BASE_URL: 'http://sotto.example.org' })
  t.match(all[1], { check: 'encryption in the browser', ok: null, text: /^SOTTO_BASE_URL is http: / })
  t.strictSame(wrong, [])
})

t.test('invalid settings are reported, and everything else is examined', async (t) => {
  const { findings } = await installed(t)
  const { wrong, all } = await findings({ SOTTO_PORT: 'x', SOTTO_PROT: '1' })
  t.match(wrong, [/^settings: SOTTO_PORT must be /, /^settings: SOTTO_PROT is not a setting/])
  t.equal(all.filter(({ ok }) => ok === true).length, checks.length - 1)
  const blind = await findings({ SOTTO_KEYS_FILE: 'data/k' })
  t.match(blind.wrong, [/SOTTO_KEYS_FILE must be outside/])
  t.match(blind.all.at(-1), { check: 'everything else', ok: null })
})

t.test('files that are open to others are reported', async (t) => {
  const { findings, data, database, keys } = await installed(t)
  chmodSync(data, 0o755)
  chmodSync(database, 0o644)
  chmodSync(keys, 0o640)
  const { wrong } = await findings()
  t.strictSame(wrong, [
    `data directory: ${data} is open to others: use a directory of its own, with mode 0700`,
    `data directory: sotto.sqlite is open to others: chmod 600 ${database}`,
    `key file: The key file ${keys} is open to others: set its mode to 0600`,
  ])
})

t.test('directories in which others can replace files are reported', async (t) => {
  const { findings, data, keys } = await installed(t)
  chmodSync(data, 0o777)
  chmodSync(join(keys, '..'), 0o770)
  const remedy = "use a directory that is this user's alone"
  t.strictSame((await findings()).wrong, [
    `data directory: everybody can replace what is in ${data}: ${remedy}`,
    `key file: its group can replace what is in ${join(keys, '..')}: ${remedy}`,
  ])
})

t.test('a key file that is missing, wrong or incomplete is reported', async (t) => {
  const { findings, json, keys } = await installed(t)
  const sound = readFileSync(keys, 'utf8')
  writeFileSync(keys, sound.replace(/"key": "[^"]*"/, `"key": "${Buffer.alloc(32, 7).toString('base64')}"`))
  t.strictSame((await findings()).wrong, [
    'keys: key 1 in the key file is a different key: put back the right file',
  ])
  writeFileSync(
    keys,
    sound
      .replace('"kid": 1', '"kid": 2')
      .replace('"active_kid": 1', '"active_kid": 2')
      .replace('"next_kid": 2', '"next_kid": 3'),
  )
  t.strictSame((await findings()).wrong, ['keys: the key file lacks key 1: put back a copy that holds it'])
  rmSync(keys)
  const { wrong, all } = await findings()
  t.match(wrong, [/^key file: there is none at .* put it back$/])
  t.match(
    all.find(({ check }) => check === 'keys'),
    { ok: null, text: 'not checked: the key file cannot be used' },
  )
  t.match(
    all.find(({ check }) => check === 'database'),
    { ok: true },
  )
  writeFileSync(keys, sound, { mode: 0o600 })
  t.strictSame((await findings()).wrong, [])
  t.ok(await json(['keys', 'status']))
})

t.test('rows under an old key are reported, with what to do', async (t) => {
  const { findings, json, database } = await installed(t)
  await json(['keys', 'rotate'])
  t.strictSame((await findings()).wrong, [])
  withRaw(database, (db) => db.exec('UPDATE accounts SET kid = 1'))
  t.match((await findings()).wrong, [
    'keys: 1 row is still under an old key (1): sotto keys rotate',
    /^rows: account\.name of .* does not decrypt/, // this test has changed nothing but the row's kid
  ])
})

// Promise (Sealed at rest): doctor reports what is wrong, and checks everything else
t.test('a corrupted database is reported, and everything else is examined', async (t) => {
  const { findings, database } = await installed(t)
  const sound = readFileSync(database)
  const bytes = Buffer.from(sound)
  // The root page of the index on the names of accounts.
  const { rootpage } = withRaw(database, (db) =>
    db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_accounts_2'").get(),
  ) as { rootpage: number }
  bytes.fill(0xff, (rootpage - 1) * 4_096, rootpage * 4_096)
  writeFileSync(database, bytes)
  const torn = await findings()
  t.match(torn.wrong[0], /^database: it (?:is corrupted|cannot be read) \(.+\): restore a backup$/)
  t.match(
    torn.all.find(({ check }) => check === 'disk'),
    { ok: true },
  )
  truncateSync(database, 5_000)
  const short = await findings()
  t.match(short.wrong, [/^database: .*sotto\.sqlite is (?:corrupted|not)/])
  t.match(
    short.all.filter(({ ok }) => ok === null).map(({ check }) => check),
    ['keys', 'rows', 'clock', 'sweep', 'files', 'notifications'],
  )
  t.match(
    short.all.find(({ check }) => check === 'key file'),
    { ok: true },
  )
  writeFileSync(database, sound)
  t.strictSame((await findings()).wrong, [])
})

t.test('a backup in the place of the database is reported', async (t) => {
  const { findings, database } = await installed(t)
  withRaw(database, (db) => db.exec('UPDATE meta SET backed_up_at = 1'))
  t.match((await findings()).wrong, [
    /^database: .*sotto\.sqlite is a backup that was copied into place: move it away, and run: sotto restore$/,
  ])
})

t.test('a disk that is nearly full is reported', async (t) => {
  const { findings } = await installed(t)
  const mounted = await onSmallDisk(1_048_576, async (small) => {
    const { wrong } = await findings({ SOTTO_DATA_DIR: join(small, 'data') })
    t.match(wrong[0], /^disk: only [\d.]+ MB are free where .* lies: make room$/)
  })
  if (!mounted) t.pass('a nearly full disk', { skip: 'mounting is not permitted here' })
})
