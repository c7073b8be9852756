import { chmodSync, chownSync, lchownSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectErr, expectOk } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { kubernetesNames } from '../../src/config/kubernetes.ts'
import { readSettings, type Settings } from '../../src/config/settings.ts'
import { settingsSchema } from '../../src/config/settings-schema.ts'

const skipUnlessRoot = process.geteuid?.() === 0 ? false : 'only root can give a file to another user'

const cwd = '/srv/sotto'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'

function settingsOf(env: NodeJS.ProcessEnv): Settings {
  return expectOk(readSettings(env, cwd))
}

function errorsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const read = readSettings(env, cwd)
  return read.isErr() ? read.error.errors : []
}

t.test('an empty environment gives the defaults', async (t) => {
  t.strictSame(settingsOf({ PATH: '/bin', HOME: '/root' }), {
    host: '127.0.0.1',
    port: 3000,
    workers: 1,
    metricsPort: undefined,
    baseUrl: 'http://localhost:3000',
    linkBaseUrl: 'http://localhost:3000',
    dataDir: '/srv/sotto/data',
    database: undefined,
    keysFile: '/srv/sotto/keys/sotto-keys.json',
    trustProxy: [],
    policy: {
      noteMaxBytes: 65_536,
      files: { maxBytes: 26_214_400, accountMaxBytes: 1_073_741_824, diskReserveBytes: 268_435_456 },
      quota: { perMinute: 60, perDay: 1440 },
      signIn: { passwords: true, allowed: [] },
    },
    logLevel: 'info',
    commandsLog: false,
    logAddresses: false,
    ownerEmail: 'owner@localhost',
    mail: undefined,
    singleSignOn: undefined,
    sealing: 'offer',
    webhookAllow: [],
    branding: { name: 'Sotto', logo: undefined, accent: undefined, contact: undefined },
  })
})

t.test('every setting is read', async (t) => {
  const certificate = '-----BEGIN CERTIFICATE-----'
  const files = { 'sotto.conf': '', 'logo.svg': svg, secret: 'hush\n', 'ca.pem': certificate }
  const directory = t.testdir(files)
  for (const name of ['sotto.conf', 'secret']) chmodSync(`${directory}/${name}`, 0o600)
  const env = {
    SOTTO_ENV_FILE: `${directory}/sotto.conf`,
    SOTTO_HOST: '::1',
    SOTTO_PORT: '8080',
    SOTTO_WORKERS: '64',
    SOTTO_METRICS_PORT: '9464',
    SOTTO_BASE_URL: 'https://api.example.org',
    SOTTO_LINK_BASE_URL: 'https://s.example.org:8443',
    SOTTO_DATA_DIR: '/var/lib/sotto',
    SOTTO_DATABASE_URL: 'postgres://ann:p%40ss@db.example.org:6432,[2001:db8::7]/sotto?sslmode=verify-full',
    SOTTO_DATABASE_CONNECTIONS: '100',
    SOTTO_DATABASE_PIPELINE: 'false',
    SOTTO_DATABASE_PREPARE: 'false',
    SOTTO_KEYS_FILE: 'etc/keys.json',
    SOTTO_TRUST_PROXY: '10.0.0.0/8, 192.0.2.7,fd00::/8',
    SOTTO_LIMIT_PER_MINUTE: '1',
    SOTTO_LIMIT_PER_DAY: '1000000000',
    SOTTO_NOTE_MAX_BYTES: '1048576',
    SOTTO_FILE_MAX_BYTES: '0',
    SOTTO_FILES_MAX_BYTES: '281474976710656',
    SOTTO_DISK_RESERVE_BYTES: '0',
    SOTTO_SEALING: 'ticked',
    SOTTO_NAME: 'Müller & Co',
    SOTTO_LOGO_FILE: `${directory}/logo.svg`,
    SOTTO_ACCENT: '#003366',
    SOTTO_CONTACT: 'help@example.org',
    SOTTO_OWNER_EMAIL: ' Ann@Example.org',
    SOTTO_SMTP_URL: 'smtps://sotto:a%40b@mail.example.org:2465',
    SOTTO_MAIL_FROM: 'sotto@example.org',
    SOTTO_OIDC_ISSUER: 'https://login.example.org/realms/a',
    SOTTO_OIDC_CLIENT_ID: 'sotto',
    SOTTO_OIDC_CLIENT_SECRET_FILE: `${directory}/secret`,
    SOTTO_OIDC_LABEL: 'Example',
    SOTTO_OIDC_SCOPES: 'openid email',
    SOTTO_OIDC_CA_FILE: `${directory}/ca.pem`,
    SOTTO_OIDC_ALLOW: 'group:Staff of A, domain:Example.org',
    SOTTO_OIDC_GROUPS_CLAIM: 'roles',
    SOTTO_PASSWORD_SIGN_IN: 'false',
    SOTTO_WEBHOOK_ALLOW: '10.1.2.3, fd12::/64',
    SOTTO_LOG_LEVEL: 'silent',
    SOTTO_LOG_ADDRESSES: 'true',
  }
  t.strictSame(Object.keys(env), Object.keys(settingsSchema.properties), 'this test knows every setting')
  t.strictSame(settingsOf(env), {
    host: '::1',
    port: 8080,
    workers: 64,
    metricsPort: 9464,
    baseUrl: 'https://api.example.org',
    linkBaseUrl: 'https://s.example.org:8443',
    dataDir: '/var/lib/sotto',
    database: {
      url: 'postgres://ann:p%40ss@db.example.org:6432,[2001:db8::7]/sotto?sslmode=verify-full',
      connectionsMax: 100,
      pipeline: false,
      prepare: false,
    },
    keysFile: '/srv/sotto/etc/keys.json',
    trustProxy: ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'],
    policy: {
      noteMaxBytes: 1_048_576,
      files: { maxBytes: 0, accountMaxBytes: 281_474_976_710_656, diskReserveBytes: 0 },
      quota: { perMinute: 1, perDay: 1_000_000_000 },
      signIn: {
        passwords: false,
        allowed: [
          { kind: 'group', name: 'Staff of A' },
          { kind: 'domain', domain: 'example.org' },
        ],
      },
    },
    logLevel: 'silent',
    commandsLog: false,
    logAddresses: true,
    ownerEmail: 'ann@example.org',
    mail: { smtpUrl: 'smtps://sotto:a%40b@mail.example.org:2465', from: 'sotto@example.org' },
    singleSignOn: {
      issuer: 'https://login.example.org/realms/a',
      clientId: 'sotto',
      label: 'Example',
      scopes: 'openid email',
      groupsClaim: 'roles',
      clientSecret: 'hush',
      ca: certificate,
    },
    sealing: 'ticked',
    webhookAllow: ['10.1.2.3', 'fd12::/64'],
    branding: { name: 'Müller & Co', logo: Buffer.from(svg), accent: '#003366', contact: 'help@example.org' },
  })
})

t.test('the base URL follows the port, and the base URL of links follows the base URL', async (t) => {
  t.match(settingsOf({ SOTTO_PORT: '8080' }), {
    baseUrl: 'http://localhost:8080',
    linkBaseUrl: 'http://localhost:8080',
  })
  t.match(settingsOf({ SOTTO_PORT: '80' }), { baseUrl: 'http://localhost' }, 'without the default port')
  t.match(settingsOf({ SOTTO_BASE_URL: 'https://x.example' }), { linkBaseUrl: 'https://x.example' })
})

const refused: Readonly<Record<string, readonly string[]>> = {
  SOTTO_ENV_FILE: [''],
  SOTTO_HOST: ['', ' ', 'http://localhost', '127.0.0.1:3000', '[::1]', '-x', 'a b'],
  SOTTO_PORT: ['', '65536', '-1', '+1', '03000', '3e3', '3000.0', ' 3000', '0x10', 'http'],
  SOTTO_WORKERS: ['', '0', '65', '-1', '2.0', '02', 'auto'],
  SOTTO_METRICS_PORT: ['', '0', '65536', '9464.5', 'x'],
  SOTTO_BASE_URL: [
    '',
    'https://x.example/',
    'https://x.example/api',
    'https://x.example?a',
    'https://x.example#a',
    'https://u:p@x.example',
    'https://x.example:443',
    'https://X.example',
    'https://*.example',
    'ftp://x.example',
    'x.example',
    '//x.example',
    ' https://x.example',
    'javascript:alert(1)',
    'null',
  ],
  SOTTO_LINK_BASE_URL: ['', 'http://localhost:3000/'],
  SOTTO_DATA_DIR: [''],
  SOTTO_DATABASE_URL: [
    '',
    'postgres://',
    'postgres:///sotto',
    'postgres://db.example.org',
    'postgres://db.example.org/',
    'postgres://db.example.org/a/b',
    'postgres://db.example.org/sotto#a',
    'postgres://db.example.org/sotto ',
    'postgres://db.example.org:99999/sotto',
    'postgres://db1.example.org,/sotto',
    'postgres://db1.example.org:5432,db2.example.org:x/sotto',
    'mysql://db.example.org/sotto',
    'db.example.org/sotto',
  ],
  SOTTO_DATABASE_CONNECTIONS: ['', '0', '101', '-1', '1.5', 'x'],
  SOTTO_DATABASE_PIPELINE: ['', 'yes', 'TRUE', '1'],
  SOTTO_DATABASE_PREPARE: ['', 'no', 'FALSE', '0'],
  SOTTO_KEYS_FILE: [''],
  SOTTO_TRUST_PROXY: [
    'true',
    '1',
    'loopback',
    'proxy.example',
    '0.0.0.0/0',
    '0.0.0.0/1',
    '::/0',
    '::/1',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/255.0.0.0',
    '::ffff:0:0/96',
    '::FFFF:10.0.0.1',
    '0:0:0:0:0:ffff:0a00:0001',
    'fe80::1%eth0',
    '10.0.0.1,',
    ',',
    '10.0.0.1;10.0.0.2',
  ],
  SOTTO_LIMIT_PER_MINUTE: ['', '0', '-60', '1000001', '60.5', 'sixty'],
  SOTTO_LIMIT_PER_DAY: ['', '0', '1000000001', 'Infinity', 'NaN'],
  SOTTO_NOTE_MAX_BYTES: ['', '0', '1048577', '64k'],
  SOTTO_FILE_MAX_BYTES: ['', '-1', '1099511627777', '25MB'],
  SOTTO_FILES_MAX_BYTES: ['', '-1', '281474976710657', '1GiB'],
  SOTTO_DISK_RESERVE_BYTES: ['', '-1', '1099511627777', '1GiB'],
  SOTTO_SEALING: ['', 'on', 'Offer'],
  SOTTO_NAME: ['', ' ', ' Sotto', 'a\nb', 'a\u202eb', '\u3164', 'x'.repeat(41)],
  SOTTO_LOGO_FILE: [''],
  SOTTO_ACCENT: ['', 'red', '#fff', '#ffee00', '#0e5f57;'],
  SOTTO_CONTACT: ['', 'help', 'javascript:alert(1)', 'https://a:b@example.org'],
  SOTTO_OWNER_EMAIL: ['', 'ann', 'a@b@c', 'Ann <ann@example.org>', 'ann@exam\u200bple.org'],
  SOTTO_SMTP_URL: [
    '',
    'mail.example.org',
    'https://mail.example.org',
    'smtp:mail.example.org',
    'smtp://',
    'smtp://user@mail.example.org',
    'smtp://:password@mail.example.org',
    'smtp://user:100%@mail.example.org',
    'smtp://user:a%0d%0aQUIT@mail.example.org',
    'smtp://user:a b@mail.example.org',
    'smtp://mail.example.org/path',
    'smtp://mail.example.org?tls.rejectUnauthorized=false',
    'smtp://mail.example.org#a',
    'smtp://mail.example.org:65536',
    ' smtp://mail.example.org',
    'smtp://mail.example.org\n',
  ],
  SOTTO_MAIL_FROM: [
    '',
    'sotto',
    'a@example.org, b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'müller@example.org',
    '"a b"@example.org',
  ],
  SOTTO_OIDC_ISSUER: ['', 'login.example.org', 'http://login.example.org', 'https://a:b@login.example.org'],
  SOTTO_OIDC_CLIENT_ID: ['', 'so tto', 'ü'],
  SOTTO_OIDC_CLIENT_SECRET_FILE: [''],
  SOTTO_OIDC_LABEL: ['', ' ', 'a\nb', 'x'.repeat(41)],
  SOTTO_OIDC_SCOPES: ['', 'email', 'openid  email', 'openid "email"'],
  SOTTO_OIDC_CA_FILE: [''],
  SOTTO_OIDC_ALLOW: ['email:ann@example.org', 'group:', 'domain:*.example.org', 'staff', 'group:a,'],
  SOTTO_OIDC_GROUPS_CLAIM: ['', 'my groups'],
  SOTTO_PASSWORD_SIGN_IN: ['', 'yes', '0'],
  SOTTO_WEBHOOK_ALLOW: [
    'true',
    'private',
    'host.example',
    'http://10.0.0.1',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fd00::/129',
    'fe80::1%eth0',
    '10.0.0.1,',
    '10.0.0.1;10.0.0.2',
  ],
  SOTTO_LOG_LEVEL: ['', 'verbose', 'INFO', '30'],
  SOTTO_LOG_ADDRESSES: ['', '1', 'yes', 'True', ' true'],
}

/** A mail needs both settings: with the other one a test sees the fault of this one alone. */
const companions: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  SOTTO_SMTP_URL: { SOTTO_MAIL_FROM: 'sotto@example.org' },
  SOTTO_OIDC_ISSUER: { SOTTO_OIDC_CLIENT_ID: 'sotto' },
  SOTTO_OIDC_CLIENT_ID: { SOTTO_OIDC_ISSUER: 'https://login.example.org' },
  SOTTO_MAIL_FROM: { SOTTO_SMTP_URL: 'smtp://mail.example.org' },
}

t.test('a value that breaks the rule of its setting is an error', async (t) => {
  t.strictSame(Object.keys(refused), Object.keys(settingsSchema.properties), 'this test knows every setting')
  for (const [name, texts] of Object.entries(refused)) {
    for (const text of texts) {
      const errors = errorsOf({ ...companions[name], [name]: text })
      t.equal(errors.length, 1, `${name}=${text}`)
      t.match(errors[0], new RegExp(`^${name} must `))
    }
  }
})

t.test('the usual addresses of mail servers, senders and machines are accepted', async (t) => {
  const from = 'Example Ltd <sotto+mails@mail.example.org>'
  for (const smtpUrl of [
    'smtp://127.0.0.1:2525',
    'smtp://[::1]:25',
    'smtps://mail.example.org/',
    'smtp://user%40example.org:p%2Fw!@mail',
  ])
    t.strictSame(settingsOf({ SOTTO_SMTP_URL: smtpUrl, SOTTO_MAIL_FROM: from }).mail, { smtpUrl, from })
  for (const range of ['127.0.0.1', '::1', '10.0.0.0/8', ''])
    t.strictSame(settingsOf({ SOTTO_WEBHOOK_ALLOW: range }).webhookAllow, range === '' ? [] : [range])
})

t.test('a mail server without a sender is an error, and a sender without a mail server', async (t) => {
  t.strictSame(errorsOf({ SOTTO_SMTP_URL: 'smtp://user:hunter2@mail.example.org' }), [
    'SOTTO_SMTP_URL needs SOTTO_MAIL_FROM: set both or neither',
  ])
  t.strictSame(errorsOf({ SOTTO_MAIL_FROM: 'sotto@example.org' }), [
    'SOTTO_MAIL_FROM needs SOTTO_SMTP_URL: set both or neither',
  ])
})

t.test('/metrics cannot be on the port of the service', async (t) => {
  const error = 'SOTTO_METRICS_PORT must differ from SOTTO_PORT'
  t.strictSame(errorsOf({ SOTTO_METRICS_PORT: '3000' }), [error])
  t.strictSame(errorsOf({ SOTTO_PORT: '8080', SOTTO_METRICS_PORT: '8080' }), [error])
  t.equal(settingsOf({ SOTTO_PORT: '8080', SOTTO_METRICS_PORT: '3000' }).metricsPort, 3000)
})

t.test('/metrics has a port for each worker', async (t) => {
  const among = ', and so must the ports up to 9467, of the other workers'
  t.strictSame(errorsOf({ SOTTO_WORKERS: '4', SOTTO_PORT: '9467', SOTTO_METRICS_PORT: '9464' }), [
    `SOTTO_METRICS_PORT must differ from SOTTO_PORT${among}`,
  ])
  t.equal(settingsOf({ SOTTO_WORKERS: '4', SOTTO_PORT: '9468', SOTTO_METRICS_PORT: '9464' }).port, 9468)
  t.strictSame(errorsOf({ SOTTO_WORKERS: '2', SOTTO_METRICS_PORT: '65535' }), [
    'SOTTO_METRICS_PORT leaves no ports for the other workers: the last one would have 65536',
  ])
  t.strictSame(errorsOf({ SOTTO_WORKERS: '65', SOTTO_METRICS_PORT: '9464' }), [
    'SOTTO_WORKERS must be a whole number from 1 to 64',
  ])
})

t.test('commands log where a level is set that lets audit lines through', async (t) => {
  for (const [level, logs] of [
    [undefined, false],
    ['warn', false],
    ['silent', false],
    ['info', true],
    ['trace', true],
  ] as const)
    t.equal(
      settingsOf(level === undefined ? {} : { SOTTO_LOG_LEVEL: level }).commandsLog,
      logs,
      String(level),
    )
})

t.test('a base URL in another spelling is refused with the one to write', async (t) => {
  for (const [text, form] of [
    ['https://x.example:443', 'https://x.example'],
    ['http://x.example:80', 'http://x.example'],
    ['https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
    ['https://B\u00fccher.example:443/', 'https://xn--bcher-kva.example'],
    ['https://X.example', 'https://x.example'],
    ['https://x.example/', 'https://x.example'],
  ] as const)
    for (const name of ['SOTTO_BASE_URL', 'SOTTO_LINK_BASE_URL'])
      t.match(errorsOf({ [name]: text }), [new RegExp(`^${name} must be a bare origin .*: write ${form}$`)])
  for (const text of [
    'https://u:p@x.example:443',
    'https://x.example:443/api',
    'https://x.example:443?a',
    'ftp://x:21',
  ])
    t.notMatch(errorsOf({ SOTTO_BASE_URL: text }).join(), 'write', text)
})

t.test('all errors are reported together, and no value is repeated', async (t) => {
  const env = Object.fromEntries(Object.keys(settingsSchema.properties).map((name) => [name, '!hunter2!']))
  const errors = errorsOf({ ...env, SOTTO_DATA_DIR: '', SOTTO_KEYS_FILE: '', SOTTO_PROT: '!hunter2!' })
  t.equal(errors.length, 37)
  t.notMatch(errors.join('\n'), /hunter2/)
})

t.test(
  'an unknown variable that begins with SOTTO_ is an error that names the nearest setting',
  async (t) => {
    t.strictSame(errorsOf({ SOTTO_PROT: '1' }), ['SOTTO_PROT is not a setting; the nearest is SOTTO_PORT'])
    t.strictSame(errorsOf({ SOTTO_KEY_FILE: '1' }), [
      'SOTTO_KEY_FILE is not a setting; the nearest is SOTTO_KEYS_FILE',
    ])
    t.strictSame(errorsOf({ sotto_port: '1' }), ['sotto_port is not a setting; the nearest is SOTTO_PORT'])
    t.strictSame(errorsOf({ ['SOTTO_\u001b[2J']: '1' }), [
      'a variable whose name begins with SOTTO_ is not a setting',
    ])
    t.strictSame(errorsOf({ SOTTOVOCE: '1', XSOTTO_PORT: '1' }), [], 'other variables are ignored')
  },
)

t.test('a key file inside the data directory is refused', async (t) => {
  for (const file of ['data/keys.json', 'data', './data/a/../b/keys.json', '/srv/sotto/data/..keys']) {
    t.equal(errorsOf({ SOTTO_KEYS_FILE: file }).length, 1, file)
  }
  for (const file of ['data.json', 'data/../keys.json', '/srv/keys.json']) {
    t.strictSame(errorsOf({ SOTTO_KEYS_FILE: file }), [], file)
  }
})

t.test('a key file that only a symbolic link puts outside the data directory is refused', (t) => {
  const directory = t.testdir({ data: {}, link: t.fixture('symlink', 'data'), keys: {} })
  const read = (dataDir: string, keysFile: string) =>
    readSettings({ SOTTO_DATA_DIR: dataDir, SOTTO_KEYS_FILE: keysFile }, directory)
  const within: [string, string][] = [
    ['link', 'data/k.json'],
    ['data', 'link/k.json'],
    ['link', 'data/new/k.json'],
  ]
  for (const [dataDir, keysFile] of within) {
    const errors = expectErr(read(dataDir, keysFile)).errors
    t.match(errors.join(), /^SOTTO_KEYS_FILE must be outside SOTTO_DATA_DIR/, `${keysFile} in ${dataDir}`)
  }
  t.ok(read('link', 'keys/k.json').isOk())
  t.ok(read('missing', 'keys/k.json').isOk())
  t.end()
})

/** Reads settings in a directory with a settings file. */
function withFile(
  t: Test,
  text: string | Buffer,
  {
    env = {},
    mode = 0o600,
    name = 'sotto.env',
  }: { env?: NodeJS.ProcessEnv; mode?: number; name?: string } = {},
) {
  const directory = t.testdir()
  writeFileSync(`${directory}/${name}`, text)
  chmodSync(`${directory}/${name}`, mode)
  return readSettings(env, directory)
}

t.test('sotto.env in the working directory sets what the environment does not', async (t) => {
  const text = "# comment\nSOTTO_PORT=8080\nexport SOTTO_HOST='::1'\nSOTTO_DATA_DIR=store\n"
  const settings = expectOk(withFile(t, text, { env: { SOTTO_PORT: '9090' } }))
  t.match(settings, { port: 9090, host: '::1', dataDir: /\/store$/ })
})

t.test('a byte order mark before a settings file is left aside, and another encoding is named', async (t) => {
  t.match(expectOk(withFile(t, '\ufeffSOTTO_PORT=8080\r\n')), { port: 8080 })
  for (const bytes of [
    Buffer.from('\ufeffSOTTO_PORT=8080', 'utf16le'),
    Buffer.from('SOTTO_NAME=Caf\u00e9', 'latin1'),
  ])
    t.match(expectErr(withFile(t, bytes)).errors, [
      './sotto.env is not UTF-8: save it as UTF-8, not as UTF-16 or Latin-1',
    ])
})

t.test('SOTTO_ENV_FILE names another settings file, which then has to exist', async (t) => {
  const named = { env: { SOTTO_ENV_FILE: 'a.conf' }, name: 'a.conf' }
  t.match(expectOk(withFile(t, 'SOTTO_PORT=8080', named)), { port: 8080 })
  t.strictSame(expectErr(withFile(t, 'SOTTO_PORT=8080', { ...named, name: 'sotto.env' })).errors, [
    'the file that SOTTO_ENV_FILE names cannot be read (ENOENT)',
  ])
  t.strictSame(expectErr(readSettings({ SOTTO_ENV_FILE: '.' }, t.testdir())).errors.length, 1, 'a directory')
})

t.test('a settings file that other users have any right to is refused', async (t) => {
  for (const mode of [0o640, 0o604, 0o620, 0o610, 0o601]) {
    const refused = expectErr(withFile(t, 'SOTTO_PORT=x', { mode }))
    t.match(refused.errors, [
      /^\.\/sotto\.env can be read or changed by other users: run chmod 600 on it, or mount it/,
    ])
  }
  t.ok(withFile(t, '', { mode: 0o400 }).isOk())
})

t.test('a settings file that is no regular file is not to be changed', (t) => {
  const special = 'is no regular file, and can be read or changed by other users: use a file with mode 0600'
  const dir = t.testdir()
  chmodSync(dir, 0o755)
  for (const file of ['/dev/null', dir])
    t.strictSame(expectErr(readSettings({ SOTTO_ENV_FILE: file }, dir)).errors, [
      `the file that SOTTO_ENV_FILE names ${special}`,
    ])
  t.end()
})

// Promise (Installing and operating): No service starts where others can replace its data or keys: or on another user's settings
t.test('a settings file of another user is refused', { skip: skipUnlessRoot }, (t) => {
  const dir = t.testdir({ own: 'SOTTO_PORT=8080', theirs: 'SOTTO_PORT=8080' })
  for (const name of ['own', 'theirs']) chmodSync(join(dir, name), 0o600)
  chownSync(join(dir, 'theirs'), 12_345, 12_345)
  symlinkSync('own', join(dir, 'link'))
  const read = (name: string) => readSettings({ SOTTO_ENV_FILE: name }, dir)
  for (const name of ['own', 'link']) t.match(expectOk(read(name)), { port: 8080 }, name)
  lchownSync(join(dir, 'link'), 12_345, 12_345)
  for (const name of ['theirs', 'link'])
    t.strictSame(
      expectErr(read(name)).errors,
      [
        'the file that SOTTO_ENV_FILE names belongs to another user: run this as that user, or use a file of this user',
      ],
      name,
    )
  t.end()
})

t.test('every name in a settings file has to be a setting, and none may name another file', async (t) => {
  const text = 'SOTTO_PROT=hunter2\nPATH=hunter2\nSOTTO_ENV_FILE=hunter2\nSOTTO_PORT=hunter2\na.b=hunter2\n'
  const { errors } = expectErr(withFile(t, text, { env: { PATH: '/bin' } }))
  t.strictSame(errors, [
    'SOTTO_ENV_FILE must not be set in the settings file',
    'SOTTO_PORT must be a whole number from 0 to 65535',
    'PATH in the settings file is not a setting',
    'SOTTO_PROT in the settings file is not a setting; the nearest is SOTTO_PORT',
    'a variable in the settings file is not a setting',
  ])
})

t.test('what Kubernetes sets for a Service with this name is ignored', async (t) => {
  const ofService = {
    SOTTO_SERVICE_HOST: '10.0.0.11',
    SOTTO_SERVICE_PORT: '80',
    SOTTO_SERVICE_PORT_HTTP: '80',
    SOTTO_PORT: 'tcp://10.0.0.11:80',
    SOTTO_PORT_80_TCP: 'tcp://10.0.0.11:80',
    SOTTO_PORT_80_TCP_PROTO: 'tcp',
    SOTTO_PORT_80_TCP_PORT: '80',
    SOTTO_PORT_80_TCP_ADDR: '10.0.0.11',
    SOTTO_LINKS_SERVICE_HOST: '10.0.0.12',
    SOTTO_LINKS_PORT: 'udp://10.0.0.12:80',
  }
  t.strictSame(settingsOf(ofService), settingsOf({}))
  t.strictSame(kubernetesNames(ofService), Object.keys(ofService))
  t.match(
    expectOk(withFile(t, 'SOTTO_PORT=8080', { env: ofService })),
    { port: 8080 },
    'the file sets the port',
  )
  for (const [name, value] of Object.entries({
    SOTTO_PORT: '8080',
    SOTTO_LINKS_PORT: '80',
    SOTTO_PORTS: 'tcp://10.0.0.11:80',
    SOTTO_PORT_TCP: 'tcp://10.0.0.11:80',
    SOTTO_HOST: '10.0.0.11',
    SERVICE_HOST: '10.0.0.11',
  })) {
    t.strictSame(kubernetesNames({ [name]: value }), [], name)
  }
})

t.test('all faults of the branding are reported together, without a value', async (t) => {
  const directory = t.testdir({ 'logo.svg': svg.replace('<path', '<script>alert(1)</script><path') })
  const errors = errorsOf({
    SOTTO_NAME: 'a\u202eb',
    SOTTO_LOGO_FILE: `${directory}/logo.svg`,
    SOTTO_ACCENT: '#ffee00',
    SOTTO_CONTACT: 'javascript:alert(1)',
  })
  t.equal(errors.length, 4)
  for (const name of ['SOTTO_NAME', 'SOTTO_LOGO_FILE', 'SOTTO_ACCENT', 'SOTTO_CONTACT'])
    t.ok(
      errors.some((error) => error.includes(name)),
      name,
    )
  t.notMatch(errors.join(), /alert|ffee00|logo\.svg/)
})

t.test('a logo is refused when it is missing, is no file, or is too large', async (t) => {
  const directory = t.testdir({
    'large.svg': svg.replace('</svg>', `${' '.repeat(102_400)}</svg>`),
    'text.png': 'text',
  })
  for (const [file, fault] of [
    ['missing.svg', 'cannot be read (ENOENT)'],
    ['.', 'must be a PNG file'],
    ['large.svg', 'of at most 100 KiB'],
    ['text.png', 'must be a PNG file'],
  ] as const)
    t.match(errorsOf({ SOTTO_LOGO_FILE: `${directory}/${file}` })[0], fault, file)
})
