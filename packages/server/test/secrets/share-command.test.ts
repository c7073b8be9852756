import { findFreePort } from '@sotto/system'
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openLink } from '@sotto/client'
import t, { type Test } from 'tap'
import { owner, startSender, typing } from '../support/remote.ts'

// `sotto share` against a server.

const share = ['share', '--label', 'Router']
const link = /^http:\/\/\S+\/[\w-]{43}\n$/
const once = /^sotto: the link opens once, until [\d-]{10} [\d:]{5} UTC\n$/

// Promise (Clients): `sotto share` prints only the link and creates no installation
t.test('standard input becomes a secret, and the link alone is printed', async (t) => {
  const { run, cwd } = await startSender(t)
  for (const note of ['4711#', 'two\nlines\n', '\uFEFF\r\n🔑']) {
    const { code, stdout, stderr } = await run(share, { stdin: note })
    t.match({ code, stdout, stderr }, { code: 0, stdout: link, stderr: once })
    t.match(await openLink(stdout.trim()), { label: 'Router', note, opensLeft: 0 })
  }
  t.strictSame(readdirSync(cwd), ['server'], 'neither a database nor a key file is made')
})

t.test('a file becomes a secret, with the limit that is asked for', async (t) => {
  const { run, cwd, operate } = await startSender(t)
  writeFileSync(join(cwd, 'tls.key'), 'from the file\n')
  const burnt = await run([...share, '--burn', '--notify', 'tls.key'])
  t.match(await openLink(burnt.stdout.trim()), { note: 'from the file\n', opensLeft: 0 })
  const limited = await run([...share, '--open-limit', '3', 'tls.key'])
  t.equal((await openLink(limited.stdout.trim())).opensLeft, 2)
  const dash = await run([...share, '-'], { stdin: 'dash' })
  t.equal((await openLink(dash.stdout.trim())).note, 'dash')
  const listed = JSON.parse(await operate(['secret', 'list', ...owner, '--json'])) as { notify: boolean }[]
  t.strictSame(
    listed.map(({ notify }) => notify),
    [false, false, true],
  )
})

// Promise (Clients): `sotto share` prints only the link and creates no installation: and says on standard error how often the link opens
// and until when
t.test('standard error says how often the link opens and until when', async (t) => {
  const { run } = await startSender(t)
  for (const [args, opens] of [
    [['--burn'], 'once,'],
    [['--open-limit', '1'], 'once,'],
    [['--open-limit', '3'], '3 times,'],
    [['--open-limit', '0'], 'any number of times'],
    [[], 'once,'],
  ] as const) {
    const { stdout, stderr } = await run([...share, ...args], { stdin: 'n' })
    t.match(stdout, link)
    const { expiresAt } = await openLink(stdout.trim())
    const [, day, minute] = /^(.+)T(\d\d:\d\d):/.exec(expiresAt) ?? []
    const said = `sotto: the link opens ${opens} until ${day} ${minute} UTC`
    t.match(stderr, new RegExp(`^${said}\n$`))
  }
  const { stderr } = await run([...share, '--json'], { stdin: 'n' })
  t.equal(stderr, '', 'a program knows it')
})

t.test('the password is the first line of standard input, or typed twice', async (t) => {
  const { run, cwd } = await startSender(t)
  writeFileSync(join(cwd, 'note.txt'), 'note')
  const typed = typing('pä ss', 'pä ss')
  for (const [args, options] of [
    [['--password-stdin'], { stdin: 'pä ss\r\nnote' }],
    [['--password-stdin', 'note.txt'], { stdin: 'pä ss\nignored' }],
    [['--password-prompt'], { stdin: 'note', prompt: typed.prompt }],
  ] as const) {
    const { stdout, stderr, code } = await run([...share, ...args], options)
    t.match({ stderr, code }, { stderr: once, code: 0 })
    await t.rejects(openLink(stdout.trim()), { code: 'unauthorized' })
    t.equal((await openLink(stdout.trim(), { password: 'pä ss' })).note, 'note')
  }
  t.strictSame(typed.asked, ['Password: ', 'The same again: '])
  const differ = await run([...share, '--password-prompt'], { stdin: 'note', ...typing('one', 'two') })
  t.match(differ, { code: 1, stdout: '', stderr: 'sotto: the two passwords differ\n' })
})

t.test('the label is the first line of standard input, and the password the second', async (t) => {
  const { run, cwd } = await startSender(t)
  writeFileSync(join(cwd, 'note.txt'), 'note')
  const typed = typing('pä ss', 'pä ss')
  for (const [args, stdin, password] of [
    [[], 'Büro\r\nnote'],
    [['note.txt'], 'Büro'],
    [['--password-stdin'], 'Büro\npä ss\nnote', 'pä ss'],
    [['--password-stdin', 'note.txt'], 'Büro\npä ss\nignored', 'pä ss'],
    [['--password-prompt'], 'Büro\nnote', 'pä ss'],
  ] as const) {
    const { stdout, code } = await run(['share', '--label-stdin', ...args], { stdin, prompt: typed.prompt })
    t.equal(code, 0)
    if (password !== undefined) await t.rejects(openLink(stdout.trim()), { code: 'unauthorized' })
    const opened = await openLink(stdout.trim(), { password })
    t.match(opened, { label: 'Büro', note: 'note' }, args.join(' '))
  }
  t.equal(typed.asked.length, 2)
  t.match(await run(['share', '--label-stdin'], { stdin: '\nnote' }), {
    code: 1,
    stderr: /--label must not be empty/,
  })
  const asked = await run(['share', '--label-stdin', '--password-stdin'], { isTTY: true })
  t.match(asked.stderr, /^Type the title on a line of its own, then the password on .*, then the text; end/)
})

t.test('a quota that is used up is reported immediately', async (t) => {
  const { run } = await startSender(t, { SOTTO_LIMIT_PER_MINUTE: '1' })
  // The first request looks for the folder.
  const { code, stdout, stderr } = await run(share, { stdin: 'note' })
  t.match(
    { code, stdout, stderr },
    { code: 6, stdout: '', stderr: /too many requests came: try again in \d+ seconds\n$/ },
  )
  const asDocument = await run([...share, '--json'], { stdin: 'note' })
  t.match(JSON.parse(asDocument.stderr), { error: { code: 'rate_limited', message: /^too many requests/ } })
})

t.test('with --json the secret is printed as the API answers it', async (t) => {
  const { json } = await startSender(t)
  const secret = await json(share, { stdin: 'note' })
  t.strictSame(Object.keys(secret), ['id', 'label', 'expires_at', 'folder_id', 'created_at', 'link'])
})

t.test('a folder is named by its label or its id, and needed when there are several', async (t) => {
  const { run, json, operate } = await startSender(t)
  const create = (label: string) => operate(['folder', 'create', ...owner, '--label', label])
  const codes = (await create('Door codes')).trim()
  await create('Twice')
  await create('Twice')
  for (const folder of ['Door codes', codes, codes.toUpperCase()]) {
    t.equal((await json([...share, '--folder', folder], { stdin: 'n' }))['folder_id'], codes)
  }
  const none = await run(share, { stdin: 'n' })
  t.match(none, {
    code: 2,
    stdout: '',
    stderr: /^sotto: which folder\?.*\n {2}\S{36} {2}Inbox\n {2}\S{36} {2}Door codes\n/,
  })
  t.match(await run([...share, '--folder', 'Twice'], { stdin: 'n' }), { code: 2, stderr: /(Twice\n.*){2}$/ })
  const unknown = await run([...share, '--folder', 'inbox'], { stdin: 'n' })
  t.match(unknown, {
    code: 1,
    stderr: /there is no such folder; there are: Inbox, Door codes, Twice, Twice\n$/,
  })
  const foreign = await run([...share, '--folder', '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'], { stdin: 'n' })
  t.match(foreign, { code: 1, stderr: 'sotto: --folder is not the id of a folder of yours\n' })
})

t.test('a token that may only write is enough with the id of a folder', async (t) => {
  const { run, operate } = await startSender(t)
  const token = await operate(['token', 'create', ...owner, '--name', 'n', '--scopes', 'write'])
  const [{ id }] = JSON.parse(await operate(['folder', 'list', ...owner, '--json'])) as [{ id: string }]
  const env = { SOTTO_TOKEN: token.trim() }
  t.match(await run([...share, '--folder', id], { stdin: 'n', env }), { code: 0, stdout: link })
  t.match(await run(share, { stdin: 'n', env }), {
    code: 1,
    stderr: /needs the scope write, and read to find/,
  })
})

t.test('the QR code goes to standard error', async (t) => {
  const { run } = await startSender(t)
  const { stdout, stderr } = await run([...share, '--qr'], { stdin: 'n' })
  t.match(stdout, link)
  t.ok(stderr.split('\n').length > 20, 'a line for two rows of modules')
})

t.test('--copy puts the link on the clipboard, and says so when it cannot', async (t) => {
  const { run, cwd } = await startSender(t)
  const bin = join(cwd, 'bin')
  const env = { PATH: `${bin}:/usr/bin:/bin`, DISPLAY: ':0' }
  const missing = await run([...share, '--copy'], { stdin: 'n', env: { PATH: bin } })
  t.match(missing, {
    code: 1,
    stdout: link,
    stderr: /not copied: there is no wl-copy, xclip, xsel or pbcopy/,
  })
  for (const [script, outcome] of [
    ['#!/bin/sh\ncat > "$HOME/clipboard-of-xclip"; echo noise', { code: 0, stderr: once }],
    ['#!/bin/sh\nexit 3', { code: 1, stderr: /not copied: the program for the clipboard failed/ }],
  ] as const) {
    const program = join(cwd, 'xclip')
    writeFileSync(program, script)
    chmodSync(program, 0o755)
    const { code, stdout, stderr } = await run([...share, '--copy'], {
      stdin: 'n',
      env: { ...env, PATH: `${cwd}:/usr/bin:/bin` },
    })
    t.match({ code, stderr, stdout }, { ...outcome, stdout: link })
    if (code === 0) t.equal(readFileSync(join(cwd, 'clipboard-of-xclip'), 'utf8'), stdout.trim())
  }
})

t.test('each refusal has its words', async (t) => {
  const { run, cwd, url } = await startSender(t, { SOTTO_NOTE_MAX_BYTES: '10' })
  writeFileSync(join(cwd, 'binary'), Buffer.from([0xff]))
  writeFileSync(join(cwd, 'long'), 'n'.repeat(1_048_577))
  const nowhere = { SOTTO_URL: `http://127.0.0.1:${await findFreePort()}` }
  const refusals: [string[], object, RegExp, exitCode?: number][] = [
    [share, { stdin: '' }, /^sotto: the text must not be empty\n$/],
    [share, { stdin: 'far too long' }, /^sotto: the text must be at most 10 bytes of UTF-8 long\n$/],
    [
      share,
      { stdin: 'n'.repeat(200_000) },
      /the text is longer than the service takes: --file sends larger ones\n$/,
    ],
    [share, { stdin: 'n'.repeat(1_048_577) }, /longer than a text may be: 1048576 bytes/],
    [share, { stdin: Buffer.from([0xff]) }, /standard input is not valid UTF-8: send .* with base64\n$/],
    [
      share,
      { stdin: 'a\0' },
      /^sotto: the text must not contain NUL: send what is binary with sotto share --file, or encode it first, for example with base64\n$/,
    ],
    [[...share, 'binary'], {}, /^sotto: the file is not valid UTF-8: send .* --file, .* with base64\n$/],
    [[...share, 'long'], {}, /\(longer than 1048576 bytes; sotto share --file sends larger ones\)\n$/],
    [['share', '--label', ''], { stdin: 'n' }, /^sotto: --label must not be empty\n$/],
    [[...share, 'no-such-file'], {}, /the file cannot be sent \(ENOENT\)/],
    [[...share, '.'], {}, /the file cannot be sent \(EISDIR\)/],
    [share, { env: { SOTTO_TOKEN: 'sotto_wrong' } }, /the access token is not valid/],
    [share, { env: { SOTTO_TOKEN: '' } }, /SOTTO_URL and SOTTO_TOKEN belong together/],
    [share, { env: { SOTTO_URL: '', SOTTO_TOKEN: '' } }, /no service is known: run sotto login, or set/],
    [share, { env: { SOTTO_URL: 'localhost' } }, /is not an http or https URL/],
    [share, { env: nowhere }, /no service answers there \(ECONNREFUSED\)/, 5],
    [
      share,
      { env: { SOTTO_URL: `${url}/docs` } },
      /what answers there is not Sotto|the service knows no such path/,
    ],
  ]
  for (const [args, options, text, exitCode = 1] of refusals) {
    const { code, stdout, stderr } = await run(args, options)
    t.match({ code, stdout, stderr }, { code: exitCode, stdout: '', stderr: text }, String(text))
    t.match(stderr, /^sotto: [^\n]+\n$/)
    t.notMatch(stderr, /sotto_wrong/)
  }
  t.notOk(existsSync(join(cwd, 'data')))
})

t.test('contradicting options are wrong usage', async (t) => {
  const { run } = await startSender(t)
  for (const args of [
    ['share'],
    [...share, '--label-stdin'],
    [...share, '--burn', '--open-limit', '2'],
    [...share, '--password-prompt', '--password-stdin'],
    [...share, '--open-limit', 'many'],
    [...share, 'one', 'two'],
    [...share, '--password', 'hunter2'],
  ]) {
    const { code, stdout, stderr } = await run(args)
    t.match(
      { code, stdout, stderr },
      { code: 2, stdout: '', stderr: /^sotto: .*\(see: sotto share --help\)\n$/ },
    )
    t.notMatch(stderr, 'hunter2')
  }
})

/** A way to the service that closes the connection, as a network may, when its first answer about a new secret arrives. */
async function startLossyProxy(t: Test, service: string): Promise<{ readonly url: string; lost: number }> {
  const proxy = { url: '', lost: 0 }
  const { hostname, port } = new URL(service)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      const isLost = proxy.lost === 0 && chunk.includes('HTTP/1.1 201 ')
      if (!isLost) return void client.write(chunk)
      proxy.lost += 1
      client.destroy()
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => undefined)
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}

// Promise (Clients): A `sotto share` whose answer is lost ends with one secret and its link
t.test('a share whose answer is lost prints the link of the one secret that it created', async (t) => {
  const { run, url, operate } = await startSender(t)
  const proxy = await startLossyProxy(t, url)
  const { code, stdout, stderr } = await run(share, { stdin: 'note', env: { SOTTO_URL: proxy.url } })
  t.match({ code, stdout, stderr }, { code: 0, stdout: link, stderr: once })
  t.equal(proxy.lost, 1)
  t.equal((await openLink(stdout.trim())).note, 'note')
  t.equal((JSON.parse(await operate(['secret', 'list', ...owner, '--json'])) as unknown[]).length, 1)
})
