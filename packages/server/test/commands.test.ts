import { join } from 'node:path'
import t from 'tap'
import { testCommand, type TestCommand } from './support/in-process.ts'
import { withRaw } from './support/raw-sqlite.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const ann = ['--account', 'ann@example.org']

async function withAnn(
  t: Parameters<typeof testCommand>[0],
): Promise<TestCommand & { readonly folderId: string }> {
  const sotto = testCommand(t)
  await sotto.json(['account', 'create', '--email', 'Ann@Example.org'])
  const { id } = await sotto.json<{ id: string }>(['folder', 'create', ...ann, '--label', 'Door codes'])
  return { ...sotto, folderId: id }
}

t.test('accounts are created, listed and disabled', async (t) => {
  const { run, json } = testCommand(t)
  t.strictSame(await json(['account', 'list']), [], 'a fresh installation has none')
  const ann = await json(['account', 'create', '--email', ' Ann@Example.org'])
  t.match(ann, { id: uuid, email: 'ann@example.org', created_at: time, disabled_at: null })
  t.strictSame(Object.keys(ann), ['id', 'email', 'created_at', 'disabled_at', 'held'])
  const created = await run(['account', 'create', '--email', 'bob@example.org'])
  t.match(created, { code: 0, stdout: /^[0-9a-f-]{36}\n$/, stderr: '' })
  const disabled = await json(['account', 'disable', '--email', 'ANN@example.org'])
  t.match(disabled, { ...ann, disabled_at: time })
  t.strictSame(
    await json(['account', 'disable', '--email', 'ann@example.org']),
    disabled,
    'a second time changes nothing',
  )
  t.match(await json(['account', 'list']), [
    { ...disabled, files_bytes: 0 },
    { email: 'bob@example.org', disabled_at: null, files_bytes: 0 },
  ])
  const listed = await run(['account', 'list'])
  t.match(listed.stdout, /^ID +CREATED +STATE +FILES +EMAIL\n.+ann@example\.org\n.+bob@example\.org\n$/)
})

t.test('a table leaves 20 of its 100 characters to its last column', async (t) => {
  const { run } = await withAnn(t)
  const lists = [
    ...[
      ['account', 'list'],
      ['account', 'identities', ...ann],
      ['damage', 'list'],
      ['notification', 'list'],
    ],
    ...['draft', 'folder', 'request', 'secret', 'token', 'webhook'].map((what) => [what, 'list', ...ann]),
    ['keys', 'status'],
  ]
  for (const args of lists) {
    const { code, stdout } = await run(args)
    const [titles = ''] = stdout.split('\n')
    t.equal(code, 0, args.join(' '))
    t.ok(titles.lastIndexOf('  ') + 2 <= 80, `${args.join(' ')}: ${titles}`)
  }
})

t.test('errors of the accounts commands are one sentence on standard error', async (t) => {
  const { run } = await withAnn(t)
  const cases: [string[], RegExp][] = [
    [['account', 'create', '--email', 'ann@example.ORG'], /an account with this email exists already/],
    [['account', 'create', '--email', 'ann'], /--email must be an email address/],
    [['account', 'create', '--email', `${'a'.repeat(250)}@x.org`], /--email must not exceed 254 characters/],
    [['account', 'disable', '--email', 'bob@example.org'], /there is no account with this email/],
    [['folder', 'list', '--account', 'bob@example.org'], /there is no account with this email/],
  ]
  for (const [args, text] of cases) {
    for (const json of [[], ['--json']]) {
      const { code, stdout, stderr } = await run([...args, ...json])
      t.equal(code, 1)
      t.equal(stdout, '')
      t.match(stderr, text)
      t.match(stderr, /^sotto: [^\n]+\n$/)
    }
  }
})

t.test('folders are created and listed as the API shows them', async (t) => {
  const { run, json, folderId } = await withAnn(t)
  const created = await json(['folder', 'create', ...ann, '--label', 'Über \u{1F511}'])
  const fields = ['id', 'label', 'created_at', 'drafts_count', 'secrets_count']
  t.strictSame(Object.keys(created), fields)
  t.match(created, { id: uuid, label: 'Über \u{1F511}', created_at: time, drafts_count: 0, secrets_count: 0 })
  const draft = ['draft', 'create', ...ann, '--folder', folderId, '--label', 'x']
  await json(draft, { stdin: 'x' })
  const { id } = await json<{ id: string }>(draft, { stdin: 'x' })
  await json(['draft', 'share', ...ann, id])
  t.match(await json(['folder', 'list', ...ann]), [
    { id: folderId, label: 'Door codes', drafts_count: 1, secrets_count: 1 },
    created,
  ])
  const refused = await run(['folder', 'create', ...ann, '--label', 'a\u001bb'])
  t.match(refused, { code: 1, stderr: 'sotto: --label must not contain control characters\n' })
})

t.test('a draft is created, listed, shared and deleted', async (t) => {
  const { run, json, folderId } = await withAnn(t)
  const create = ['draft', 'create', ...ann, '--folder', folderId.toUpperCase(), '--label', 'Front door']
  const draft = await json<{ id: string }>([...create, '--open-limit', '3', '--notify', '--password-stdin'], {
    stdin: 'pass word\r\nline one\nline two\n',
  })
  const shape = {
    id: uuid,
    label: 'Front door',
    folder_id: folderId,
    created_at: time,
    open_limit: 3,
    notify: true,
    has_password: true,
  }
  t.match(draft, shape)
  t.strictSame(Object.keys(draft), Object.keys(shape))
  const second = await run(create, { stdin: 'note' })
  t.match(second, { code: 0, stderr: '' })
  const secondId = second.stdout.trim()
  t.match(await json(['draft', 'list', ...ann]), [
    draft,
    { id: secondId, open_limit: 0, notify: false, has_password: false },
  ])
  t.match(
    (await run(['draft', 'list', ...ann])).stdout,
    /^ID .+ TITLE\n.+ 3 +yes +Front door\n.+ any +no +Front door\n$/,
  )

  const shared = await run(['draft', 'share', ...ann, draft.id])
  t.match(shared, { code: 0, stdout: /^http:\/\/localhost:3000\/[\w-]{43}\n$/, stderr: '' })
  const secret = await json(['draft', 'share', ...ann, secondId.toUpperCase()], {
    env: { SOTTO_LINK_BASE_URL: 'https://s.example.org' },
  })
  t.strictSame(Object.keys(secret), ['id', 'label', 'expires_at', 'folder_id', 'created_at', 'link'])
  t.match(secret, { id: secondId, link: { url: /^https:\/\/s\.example\.org\/[\w-]{43}$/, created_at: time } })

  const gone = await run(['draft', 'share', ...ann, draft.id])
  t.match(gone, { code: 1, stdout: '', stderr: /no such draft/ })
  const { stdout } = await run(create, { stdin: 'note' })
  const id = stdout.trim()
  t.strictSame(await json(['draft', 'delete', ...ann, id.toUpperCase()]), { id, deleted: true })
  t.match(await run(['draft', 'delete', ...ann, id]), { code: 1, stderr: /no such draft/ })
  t.strictSame(await json(['draft', 'list', ...ann]), [])
})

// Promise (The owner's pages): A draft is shared for 1 hour, 1 day, 7 days or 30 days
t.test('a draft is shared for the time that the owner chooses', async (t) => {
  const { json, folderId } = await withAnn(t)
  const create = ['draft', 'create', ...ann, '--folder', folderId, '--label', 'x']
  const times = { '1h': 3_600, '1d': 86_400, '7d': 604_800, '30d': 2_592_000 }
  for (const [expiresIn, seconds] of [...Object.entries(times), [undefined, 2_592_000] as const]) {
    const { id } = await json<{ id: string }>(create, { stdin: 'x' })
    const option = expiresIn === undefined ? [] : ['--expires-in', expiresIn]
    const { expires_at: expires, link } = await json<{ expires_at: string; link: { created_at: string } }>([
      ...['draft', 'share', ...ann, id],
      ...option,
    ])
    t.equal((Date.parse(expires) - Date.parse(link.created_at)) / 1_000, seconds, expiresIn ?? 'by default')
  }
})

t.test('an invalid draft is refused with every error', async (t) => {
  const { run, json, folderId } = await withAnn(t)
  const create = (...more: string[]) => [
    'draft',
    'create',
    ...ann,
    '--folder',
    folderId,
    '--label',
    'x',
    ...more,
  ]
  const cases: [string[], string | Buffer, RegExp][] = [
    [create(), '', /the text must not be empty/],
    [create('--password-stdin'), '\n', /the text must not be empty; the password must not be empty/],
    [create('--password-stdin'), `${'p'.repeat(1025)}\nnote`, /the password must not exceed 1024 bytes/],
    [create(), 'a\0b', /the text must not contain NUL/],
    [create(), Buffer.from([0xff]), /standard input is not valid UTF-8/],
    [create(), 'x'.repeat(65_537), /standard input is longer than a text may be: 65536 bytes/],
    [create('--open-limit', '1000001'), 'note', /--open-limit must be from 0 to 1000000/],
    [
      ['draft', 'create', ...ann, '--folder', 'nonsense', '--label', ''],
      'note',
      /--label must not be empty; --folder must be a folder/,
    ],
  ]
  for (const [args, stdin, text] of cases) {
    const { code, stdout, stderr } = await run(args, { stdin })
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: text })
    t.match(stderr, /^sotto: [^\n]+\n$/)
  }
  t.match(await run(create(), { stdin: 'x'.repeat(65_536) }), { code: 0 }, 'the limit itself is accepted')
  const small = { SOTTO_NOTE_MAX_BYTES: '4' }
  t.match(await run(create('--password-stdin'), { stdin: 'pass\nfive!', env: small }), {
    code: 1,
    stderr: /the text must not exceed 4 bytes/,
  })
  t.equal((await json<unknown[]>(['draft', 'list', ...ann])).length, 1)
})

t.test('on a terminal the command says what to type, on standard error', async (t) => {
  const { run, folderId } = await withAnn(t)
  const create = ['draft', 'create', ...ann, '--folder', folderId, '--label', 'x']
  t.match(await run(create, { stdin: 'note', isTTY: true }), {
    code: 0,
    stdout: /^.{36}\n$/,
    stderr: /^Type the text; /,
  })
  t.match(await run([...create, '--password-stdin'], { stdin: 'p\nn', isTTY: true }), {
    code: 0,
    stderr: /^Type the password on a line of its own, then the text; /,
  })
})

t.test('a link to no server is refused', async (t) => {
  const { run, json, folderId } = await withAnn(t)
  const env = { SOTTO_PORT: '0' }
  const create = ['draft', 'create', ...ann, '--folder', folderId, '--label', 'x']
  const { id } = await json<{ id: string }>(create, { stdin: 'x', env })
  t.match(await run(['draft', 'share', ...ann, id], { env }), { code: 1, stderr: /SOTTO_LINK_BASE_URL/ })
  t.match(
    await run(['draft', 'share', ...ann, id], { env: { ...env, SOTTO_LINK_BASE_URL: 'https://x.example' } }),
    {
      code: 0,
    },
  )
})

t.test('tokens are created, listed and revoked', async (t) => {
  const { run, json } = await withAnn(t)
  const create = ['token', 'create', ...ann, '--name']
  const printed = await run([...create, 'laptop'])
  t.match(printed, { code: 0, stdout: /^sotto_[0-9A-Za-z]{46}\n$/, stderr: '' })
  const made = await json<{ id: string }>([...create, 'job', '--expires-in', '90d', '--scopes', 'read'])
  t.match(made, { id: uuid, token: /^sotto_[0-9A-Za-z]{46}$/ })
  t.strictSame(Object.keys(made), ['id', 'token'])
  t.strictSame(await json(['token', 'revoke', ...ann, made.id]), { id: made.id, revoked: true })
  const list = await json<Record<string, string>[]>(['token', 'list', ...ann])
  const [laptop, job] = list
  t.strictSame(Object.keys(laptop ?? {}), [
    'id',
    'name',
    'scopes',
    'created_at',
    'expires_at',
    'revoked_at',
    'last_used_at',
  ])
  t.match(laptop, {
    id: uuid,
    name: 'laptop',
    scopes: ['read', 'write'],
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
  })
  t.match(job, { id: made.id, name: 'job', scopes: ['read'], expires_at: time, revoked_at: time })
  const days = (Date.parse(job?.['expires_at'] ?? '') - Date.parse(job?.['created_at'] ?? '')) / 86_400_000
  t.equal(days, 90)
  const table = await run(['token', 'list', ...ann])
  t.match(table.stdout, /^ID +EXPIRES +LAST USED +NAME\n[\w-]{36} +laptop\n[\w-]{36} +revoked +job\n$/)
  t.notMatch(table.stdout + JSON.stringify(list), /sotto_/, 'no list shows a token')
  const cases: [string[], RegExp][] = [
    [['token', 'revoke', ...ann, '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'], /no such access token/],
    [['token', 'revoke', ...ann, printed.stdout.trim()], /no such access token/],
    [[...create, 'x', '--scopes', 'read,admin'], /--scopes must be read, write, or both/],
    [[...create, 'x', '--scopes', ''], /--scopes must be/],
    [[...create, 'x', '--expires-in', '3651d'], /--expires-in must be at most 3650 days/],
    [[...create, ''], /--name must not be empty/],
  ]
  for (const [args, text] of cases) {
    const { code, stdout, stderr } = await run(args)
    t.match({ code, stdout, stderr }, { code: 1, stdout: '', stderr: text })
    t.notMatch(stderr, /sotto_/, 'nothing that was typed is repeated')
  }
})

t.test('a purge reports what it erased', async (t) => {
  const { run, json } = testCommand(t)
  t.strictSame(await json(['purge']), { secrets: 0, quota_buckets: 0, files: 0 })
  t.match(await run(['purge']), { code: 0, stdout: '0 expired secrets were erased\n', stderr: '' })
})

t.test('a list prints what is not corrupted, and names the corrupted rows on standard error', async (t) => {
  const { cwd, run, folderId } = await withAnn(t)
  await run(['folder', 'create', ...ann, '--label', 'Second'])
  withRaw(join(cwd, 'data', 'sotto.sqlite'), (db) => {
    db.exec(
      `UPDATE texts SET text = zeroblob(length(text))
       WHERE nr = (SELECT label_nr FROM folders WHERE rowid = 1)`,
    )
  })
  const { code, stdout, stderr } = await run(['folder', 'list', ...ann, '--json'])
  t.equal(code, 1)
  t.match(JSON.parse(stdout), [{ label: 'Second' }])
  t.match(
    stderr,
    new RegExp(`folder\\.label of ${folderId} does not decrypt and is left out\n.*1 row does not decrypt`),
  )
})
