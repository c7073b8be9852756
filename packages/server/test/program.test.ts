import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testCommand } from './support/in-process.ts'
import { treeOf } from './support/tree.ts'

const commands = [
  'serve',
  'init',
  'account create',
  'account invite',
  'account reset',
  'account rename',
  'account list',
  'account disable',
  'account delete',
  'folder create',
  'folder list',
  'folder rename',
  'folder delete',
  'draft create',
  'draft share',
  'draft list',
  'draft delete',
  'secret list',
  'secret unlock',
  'secret destroy',
  'request create',
  'request list',
  'request close',
  'token create',
  'token list',
  'token revoke',
  'purge',
  'backup',
  'restore',
  'keys rotate',
  'keys status',
  'keys retire',
  'doctor',
  'login',
  'share',
  'open',
  'answer',
  'completion',
]

t.test('every command has help with an example, and --json', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  const overview = await run(['--help'])
  for (const command of commands) {
    const { code, stdout, stderr } = await run([...command.split(' '), '--help'])
    t.equal(code, 0, command)
    t.match(stdout, new RegExp(`^Usage: sotto ${command} `))
    t.match(stdout, /--json/)
    t.match(stdout, /\nExample:\n {2}\$ .*sotto /)
    t.equal(stderr, '')
    t.match(overview.stdout, new RegExp(`^ {2}${command.split(' ')[0] ?? ''} `, 'm'))
  }
  t.notOk(existsSync(join(cwd, 'data')), 'help creates nothing')
})

t.test('the help of serve lists every setting', async (t) => {
  const { run } = testCommand(t, { isEmpty: true })
  const { stdout } = await run(['serve', '--help'])
  t.match(stdout, /SOTTO_HOST +127\.0\.0\.1\n/)
  t.match(stdout, /SOTTO_LOG_LEVEL +info\n +one of fatal, /)
})

t.test('--version prints the version of the package', async (t) => {
  const { run } = testCommand(t, { isEmpty: true })
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  t.strictSame(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
})

t.test(
  'wrong usage is exit code 2 and one sentence, which repeats nothing that may be confidential',
  async (t) => {
    const { run, cwd } = testCommand(t, { isEmpty: true })
    const wrong: [string[], string][] = [
      [['serf'], 'there is no command serf; did you mean serve? (see: sotto --help)'],
      [['account', 'kreate'], 'there is no command kreate; did you mean create? (see: sotto account --help)'],
      [['hunter2'], 'there is no command (see: sotto --help)'],
      [
        ['account', 'create'],
        "required option '--email <email>' not specified (see: sotto account create --help)",
      ],
      [
        ['account', 'create', '--email'],
        "option '--email <email>' argument missing (see: sotto account create --help)",
      ],
      [
        ['account', 'create', '--email', 'a@b', '--emial', 'a@b'],
        'there is no option --emial; did you mean --email? (see: sotto account create --help)',
      ],
      [
        ['account', 'create', '--emial', 'a@b'],
        'there is no option --emial; did you mean --email? (see: sotto account create --help)',
      ],
      [
        ['draft', 'create', '--account', 'a@b', '--lable', 'x'],
        'there is no option --lable; did you mean --label? (see: sotto draft create --help)',
      ],
      [
        ['share', '--nottify'],
        'there is no option --nottify; did you mean --notify? (see: sotto share --help)',
      ],
      [
        ['draft', 'list', '--account', 'a@b', '--pasword=hunter2'],
        'there is no option --pasword (see: sotto draft list --help)',
      ],
      [
        ['draft', 'list', '--account', 'a@b', '-hunter2'],
        'there is no option (see: sotto draft list --help)',
      ],
      [['purge', 'hunter2'], 'there are too many arguments (see: sotto purge --help)'],
      [
        ['draft', 'share', '--account', 'a@b'],
        "missing required argument 'id' (see: sotto draft share --help)",
      ],
      [
        ['token', 'create', '--account', 'a@b', '--name', 'n', '--expires-in', "hunter' is invalid. x"],
        "option '--expires-in <duration>' must be a duration such as 90d, 12h, 30m or 45s (see: sotto token create --help)",
      ],
      [
        ['draft', 'share', '--account', 'a@b', '--expires-in', '2d', 'x'],
        "option '--expires-in <duration>' must be 1h, 1d, 7d or 30d (see: sotto draft share --help)",
      ],
      [
        ['account', 'delete', '--email', 'a@b'],
        "required option '--yes' not specified (see: sotto account delete --help)",
      ],
      [
        ['draft', 'create', '--account', 'a', '--folder', 'f', '--label', 'l', '--open-limit', '-1'],
        "option '--open-limit <n>' must be a whole number (see: sotto draft create --help)",
      ],
    ]
    for (const [args, text] of wrong) {
      t.strictSame(await run(args), { code: 2, stdout: '', stderr: `sotto: ${text}\n` })
    }
    t.notOk(existsSync(join(cwd, 'data')), 'nothing is created')
  },
)

t.test('without a command the help is printed on standard error', async (t) => {
  const { run } = testCommand(t, { isEmpty: true })
  for (const args of [[], ['account']]) {
    t.match(await run(args), { code: 2, stdout: '', stderr: /^Usage: sotto / })
  }
})

t.test('all invalid settings are reported, and nothing is created', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  for (const args of [['account', 'list'], ['serve']]) {
    const env = { SOTTO_PORT: 'hunter2', SOTTO_LIMIT_PER_DAY: '0', SOTTO_PROT: '1' }
    const { code, stdout, stderr } = await run(args, { env })
    t.match({ code, stdout }, { code: 1, stdout: '' })
    t.match(stderr, /SOTTO_PORT must be .*\n.*SOTTO_LIMIT_PER_DAY must be .*\n.*SOTTO_PROT is not a setting/)
    t.notMatch(stderr, /hunter2/)
  }
  t.notOk(existsSync(join(cwd, 'data')))
  t.notOk(existsSync(join(cwd, 'keys')))
})

t.test('a command that needs an installation says that there is none, and makes nothing', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  const ann = ['--account', 'ann@example.org']
  const needs = [
    ['account', 'create', '--email', 'ann@example.org'],
    ['account', 'list'],
    ['account', 'disable', '--email', 'ann@example.org'],
    ['account', 'invite', '--email', 'ann@example.org'],
    ['account', 'reset', '--email', 'ann@example.org'],
    ['account', 'delete', '--email', 'ann@example.org', '--yes'],
    ['folder', 'rename', ...ann, 'x', '--label', 'l'],
    ['folder', 'delete', ...ann, 'x'],
    ['secret', 'list', ...ann],
    ['secret', 'destroy', ...ann, 'x'],
    ['folder', 'create', ...ann, '--label', 'l'],
    ['folder', 'list', ...ann],
    ['draft', 'create', ...ann, '--folder', 'f', '--label', 'l'],
    ['draft', 'share', ...ann, 'x'],
    ['draft', 'list', ...ann],
    ['draft', 'delete', ...ann, 'x'],
    ['token', 'create', ...ann, '--name', 'n'],
    ['token', 'list', ...ann],
    ['token', 'revoke', ...ann, 'x'],
    ['purge'],
    ['backup', 'b'],
    ['keys', 'rotate'],
    ['keys', 'status'],
    ['keys', 'retire', '1'],
  ]
  for (const args of needs) {
    const { code, stdout, stderr } = await run(args)
    t.match({ code, stdout }, { code: 1, stdout: '' }, args.join(' '))
    t.match(stderr, /^sotto: there is no database at \S+data\S*: see SOTTO_DATA_DIR/)
  }
  t.match(await run(['doctor']), { code: 1, stdout: /✗ database: there is no database at/ })
  t.same(treeOf(cwd), {})
})

t.test('init makes the database and the key file, and says only where they are', async (t) => {
  const { run, json, cwd } = testCommand(t, { isEmpty: true })
  const places = { data_dir: join(cwd, 'data'), keys_file: join(cwd, 'keys', 'sotto-keys.json') }
  t.strictSame(await run(['init']), {
    code: 0,
    stdout: `The database is in ${places.data_dir}\nThe key file is ${places.keys_file}\n`,
    stderr: '',
  })
  t.strictSame(await json(['account', 'list']), [])
  const keys = readFileSync(places.keys_file, 'utf8')
  t.strictSame(await json(['init']), places, 'a second time changes nothing')
  t.equal(readFileSync(places.keys_file, 'utf8'), keys)
  rmSync(places.keys_file)
  t.match(await run(['init']), { code: 1, stderr: /there is a database but no key file/ })
})

for (const command of ['init', 'serve'])
  t.test(`${command} refuses directories in which everybody can replace files`, async (t) => {
    const { run, cwd } = testCommand(t, { isEmpty: true })
    const remedy = "use a directory that is this user's alone"
    const [data, keys] = [join(cwd, 'data'), join(cwd, 'keys')]
    for (const path of [data, keys]) mkdirSync(path)
    for (const path of [data, keys]) chmodSync(path, 0o777)
    t.strictSame(await run([command]), {
      code: 1,
      stdout: '',
      stderr: `sotto: everybody can replace what is in ${data}: ${remedy}; everybody can replace what is in ${keys}: ${remedy}\n`,
    })
    t.strictSame(readdirSync(data), [], 'nothing is made there')
  })

t.test('init warns of a directory in which a group can replace files', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  const keys = join(cwd, 'keys')
  mkdirSync(keys)
  chmodSync(keys, 0o770)
  t.match(await run(['init']), {
    code: 0,
    stderr: `sotto: its group can replace what is in ${keys}: use a directory that is this user's alone\n`,
  })
})

// Promise (Installing and operating): No service starts where others can replace its data or keys
t.test('init refuses a key file that lies in a directory that everybody can write', async (t) => {
  const { run, cwd } = testCommand(t)
  await run(['account', 'list'])
  const [keys, elsewhere] = [join(cwd, 'keys', 'sotto-keys.json'), join(cwd, 'elsewhere')]
  mkdirSync(elsewhere)
  renameSync(keys, join(elsewhere, 'keys.json'))
  symlinkSync(join(elsewhere, 'keys.json'), keys)
  t.match(await run(['init']), { code: 0, stderr: '' })
  chmodSync(elsewhere, 0o777)
  t.match(await run(['init']), { code: 1, stderr: `sotto: everybody can replace what is in ${elsewhere}: ` })
})

t.test('a command reads the settings file of the directory in which it runs', async (t) => {
  const { run, cwd } = testCommand(t, { isEmpty: true })
  writeFileSync(join(cwd, 'sotto.env'), 'SOTTO_DATA_DIR=elsewhere\n', { mode: 0o600 })
  t.match(await run(['init']), { code: 0, stdout: /^The database is in \S+elsewhere\n/ })
  chmodSync(join(cwd, 'sotto.env'), 0o644)
  t.match(await run(['account', 'list']), {
    code: 1,
    stderr: /sotto\.env can be read or changed by other users/,
  })
})
