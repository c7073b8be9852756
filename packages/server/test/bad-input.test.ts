import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { testCommand, type RunOptions } from './support/in-process.ts'
import { pragmaIn, withRaw } from './support/raw-sqlite.ts'
import { onSmallDisk } from '../../adapter-postgres/test/support/small-disk.ts'
import { treeOf } from './support/tree.ts'

/** An installation, and its files. */
interface Place {
  readonly cwd: string
  readonly database: string
  readonly keys: string
  /** A valid backup. */
  readonly backup: string
  readonly run: ReturnType<typeof testCommand>['run']
}

/** An installation with a backup. */
async function place(t: Test): Promise<Place> {
  const { cwd, run, json } = testCommand(t)
  const ann = ['--account', 'ann@example.org']
  await json(['account', 'create', '--email', 'ann@example.org'])
  const { id } = await json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Doors'])
  await json(['draft', 'create', ...ann, '--folder', id, '--label', 'front'], { stdin: 'x'.repeat(20_000) })
  await json(['backup', 'sound.backup'])
  return {
    cwd,
    database: join(cwd, 'data', 'sotto.sqlite'),
    keys: join(cwd, 'keys', 'sotto-keys.json'),
    backup: join(cwd, 'sound.backup'),
    run,
  }
}

/** Runs a command that must be refused with one sentence and must change nothing. */
async function refused(
  t: Test,
  { cwd, run }: Pick<Place, 'cwd' | 'run'>,
  args: readonly string[],
  text: RegExp,
  options?: RunOptions,
) {
  const before = treeOf(cwd)
  const { code, stdout, stderr } = await run(args, options)
  const command = args.join(' ')
  t.equal(code, 1, command)
  t.equal(stdout, '', command)
  t.match(stderr, /^sotto: [^\n]+\n$/, `${command}: one sentence`)
  t.match(stderr, text, command)
  t.same(treeOf(cwd), before, `${command} changes nothing`)
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path)
  bytes[at] = bytes[at]! ^ 0xff
  writeFileSync(path, bytes)
}

const lose = ({ cwd }: Place) => rmSync(join(cwd, 'data'), { recursive: true })

// Promise (Sealed at rest): Invalid backups, keys and paths are refused, and nothing is changed
t.test('a truncated backup is refused', async (t) => {
  const at = await place(t)
  lose(at)
  const { size } = statSync(at.backup)
  for (const [length, text] of [
    [size - 1, /is corrupted \(it has \d+ bytes of \d+\): use another one/],
    [size - 4_096, /is corrupted \(it has/],
    [8_192, /is corrupted \(it has/],
    [99, /was not made by: sotto backup/],
    [0, /was not made by/],
  ] as const) {
    copyFileSync(at.backup, join(at.cwd, 'torn'))
    truncateSync(join(at.cwd, 'torn'), length)
    await refused(t, at, ['restore', 'torn'], text)
  }
})

t.test('a backup that was changed is refused', async (t) => {
  const at = await place(t)
  lose(at)
  for (let page = 1; page < 8; page += 1) {
    copyFileSync(at.backup, join(at.cwd, 'changed'))
    flip(join(at.cwd, 'changed'), page * 4_096)
    await refused(t, at, ['restore', 'changed'], /changed is corrupted \(.+\): use another one/)
  }
  copyFileSync(at.backup, join(at.cwd, 'cut'))
  withRaw(join(at.cwd, 'cut'), (db) => {
    db.pragma('foreign_keys = OFF')
    db.exec('DELETE FROM accounts')
  })
  await refused(t, at, ['restore', 'cut'], /is corrupted \(a row of \w+ refers to none of accounts\)/)
})

t.test('a file that is not a backup is refused', async (t) => {
  const at = await place(t)
  const inPlace = (name: string) => join(at.cwd, name)
  writeFileSync(inPlace('text'), 'not a backup at all'.repeat(100))
  mkdirSync(inPlace('directory'))
  withRaw(inPlace('other.sqlite'), (db) => db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)'))
  copyFileSync(join(at.cwd, 'data', 'quota.sqlite'), inPlace('quota'))
  copyFileSync(at.database, inPlace('copy-of-the-file'))
  copyFileSync(at.backup, inPlace('empty-of-ours'))
  withRaw(inPlace('empty-of-ours'), (db) => db.exec('UPDATE meta SET backed_up_at = NULL'))
  lose(at)
  for (const name of ['text', 'directory', 'other.sqlite', 'quota', 'copy-of-the-file', 'empty-of-ours'])
    await refused(t, at, ['restore', name], new RegExp(`${name} was not made by: sotto backup`))
  await refused(t, at, ['restore', 'nowhere'], /nowhere cannot be read \(ENOENT\)/)
})

t.test('a backup of a later version is refused', async (t) => {
  const at = await place(t)
  lose(at)
  withRaw(at.backup, (db) => db.pragma('user_version = 99'))
  await refused(t, at, ['restore', 'sound.backup'], /was made by a later version of Sotto: use that version/)
})

t.test('a database of a later version, a foreign, a corrupted and a missing one are refused', async (t) => {
  const at = await place(t)
  withRaw(at.database, (db) => db.pragma('user_version = 99'))
  for (const command of [
    ['backup', 'b'],
    ['keys', 'rotate'],
    ['keys', 'status'],
  ])
    await refused(t, at, command, /was written by a later version of Sotto/)
  withRaw(at.database, (db) => {
    db.pragma('user_version = 1')
    db.pragma('application_id = 7')
  })
  for (const command of [
    ['backup', 'b'],
    ['keys', 'rotate'],
  ])
    await refused(t, at, command, /is not a database of Sotto/)
  truncateSync(at.database, 8_192)
  for (const command of [
    ['backup', 'b'],
    ['keys', 'rotate'],
  ])
    await refused(t, at, command, /sotto\.sqlite (?:is corrupted|is not)/)
  lose(at)
  await refused(t, at, ['backup', 'b'], /there is no database at .*sotto\.sqlite: see SOTTO_DATA_DIR/)
})

t.test('a corrupted database gets no backup that looks valid', async (t) => {
  const at = await place(t)
  const { size } = statSync(at.database)
  let refusals = 0
  for (let page = 2; page < size / 4_096; page += 3) {
    const before = readFileSync(at.database)
    flip(at.database, page * 4_096)
    const { code, stderr } = await at.run(['backup', `b${page}`])
    const file = join(at.cwd, `b${page}`)
    if (code === 0) {
      // On some pages that byte is not used.
      t.equal(pragmaIn(file, 'integrity_check'), 'ok')
    } else {
      refusals += 1
      t.match(stderr, /^sotto: the (?:backup|database) .*\n$/)
      t.notOk(existsSync(file))
    }
    writeFileSync(at.database, before)
  }
  t.ok(refusals > 5, `${refusals} of them were refused`)
})

t.test(
  'a key file that is missing, exposed, shortened, not JSON, wrong or incomplete is refused',
  async (t) => {
    const at = await place(t)
    const sound = readFileSync(at.keys, 'utf8')
    const edited = (edit: (file: { keys: { kid: number; key: string }[]; active_kid: number }) => void) => {
      const file = JSON.parse(sound) as Parameters<typeof edit>[0]
      edit(file)
      return JSON.stringify({ ...file, next_kid: 9 })
    }
    const cases: Readonly<Record<string, { text?: string; mode?: number; says: RegExp }>> = {
      exposed: { mode: 0o640, says: /is open to others: set its mode to 0600/ },
      shortened: { text: sound.slice(0, -20), says: /is not JSON/ },
      empty: { text: '', says: /is not JSON/ },
      'not JSON': { text: 'hunter2', says: /is not JSON/ },
      'of another shape': { text: '{"version":1}', says: /does not have the shape of a key file/ },
      'a short key': {
        text: edited(({ keys }) => (keys[0]!.key = 'aGk=')),
        says: /is not 32 bytes in base64/,
      },
      wrong: {
        text: edited(({ keys }) => (keys[0]!.key = Buffer.alloc(32, 7).toString('base64'))),
        says: /key 1 in .* is not the one that the (?:database was written|backup was made)/,
      },
      'without the key': {
        text: edited((file) => ((file.keys[0]!.kid = 2), (file.active_kid = 2))),
        says: /lacks key 1, which the (?:database was written|backup was made)/,
      },
    }
    for (const where of ['with a database', 'without one']) {
      const commands =
        where === 'with a database'
          ? [
              ['keys', 'rotate'],
              ['keys', 'status'],
            ]
          : [['restore', 'sound.backup']]
      if (where === 'without one') lose(at)
      for (const [what, { text = sound, mode = 0o600, says }] of Object.entries(cases)) {
        writeFileSync(at.keys, text)
        chmodSync(at.keys, mode)
        for (const command of commands) await refused(t, at, command, says)
        t.pass(`${what}, ${where}`)
      }
      rmSync(at.keys)
      for (const command of commands)
        await refused(t, at, command, /there is (?:a database but )?no key file at/)
      writeFileSync(at.keys, sound, { mode: 0o600 })
    }
  },
)

t.test('a path that cannot be written is refused', async (t) => {
  const at = await place(t)
  writeFileSync(join(at.cwd, 'file'), '')
  await refused(t, at, ['backup', 'file/b'], /the backup .* cannot be written \(ENOTDIR\)/)
  await refused(t, at, ['backup', 'nowhere/b'], /the backup .* cannot be written \(ENOENT\)/)
  lose(at)
  const env = { SOTTO_DATA_DIR: 'file/data' }
  await refused(t, at, ['restore', 'sound.backup'], /the database .* cannot be written \(ENOTDIR\)/, { env })
  const deep = { SOTTO_DATA_DIR: 'file/deep/data' }
  await refused(t, at, ['restore', 'sound.backup'], /cannot be written \(ENOTDIR\)/, { env: deep })
})

t.test(
  'a directory without write permission is refused',
  { skip: process.getuid?.() === 0 && 'root may write anywhere' },
  async (t) => {
    const at = await place(t)
    mkdirSync(join(at.cwd, 'closed'), { mode: 0o500 })
    await refused(t, at, ['backup', 'closed/b'], /cannot be written \(EACCES\)/)
  },
)

t.test('on a full disk nothing is left behind', async (t) => {
  const at = await place(t)
  const mounted = await onSmallDisk(65_536, async (small) => {
    const onIt = { ...at, cwd: small }
    const backup = join(small, 'b')
    await refused(t, onIt, ['backup', backup], /the backup .* cannot be written \(the disk is full\)/)
    const env = { SOTTO_DATA_DIR: join(small, 'data') }
    await refused(t, onIt, ['restore', at.backup], /the database .* cannot be written \(the disk is full\)/, {
      env,
    })
    const keys = join(small, 'keys.json')
    copyFileSync(at.keys, keys)
    chmodSync(keys, 0o600)
    for (let at = 0; fill(join(small, `filler${at}`)); at += 1);
    const full = { SOTTO_KEYS_FILE: keys }
    await refused(t, onIt, ['keys', 'rotate'], /the key file .* cannot be written \(ENOSPC\)/, { env: full })
  })
  if (!mounted) t.pass('a full disk', { skip: 'mounting is not permitted here' })
})

/** False when the disk is full. */
function fill(path: string): boolean {
  try {
    writeFileSync(path, Buffer.alloc(4_096))
    return true
  } catch {
    return false
  }
}
