import { findFreePort } from '@sotto/system'
import { PassThrough, Readable } from 'node:stream'
import { createClient } from '@sotto/client'
import { err } from 'neverthrow'
import t from 'tap'
import type { Surroundings } from '../../src/cli/command.ts'
import { runProgram } from '../../src/program.ts'
import { startSender, typing, type Sender } from '../support/remote.ts'

// `sotto open` against a server.

const warning = 'sotto: opening the link counts; after its last permitted open the text is gone\n'
const withoutAccess = { SOTTO_URL: '', SOTTO_TOKEN: '' }

async function linkTo({ url, token }: Sender, note: string, more: object = {}): Promise<string> {
  const client = createClient({ baseUrl: url, token })
  const [folder] = await client.listFolders()
  const secret = await client.createSecret({ label: 'L', note, folderId: folder?.id ?? '', ...more })
  return secret.link.url
}

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else
t.test('a note is printed byte for byte, without an account', async (t) => {
  const sender = await startSender(t)
  for (const note of ['no line break', 'line break\n', '\uFEFF\r\n🔑\u001b[31m']) {
    const opened = await sender.run(['open', await linkTo(sender, note)], { env: withoutAccess })
    t.strictSame(opened, { code: 0, stdout: note, stderr: warning })
  }
})

t.test('a link is opened that was copied with what is around it', async (t) => {
  const sender = await startSender(t)
  for (const around of [
    (url: string) => `${url}.`,
    (url: string) => `<${url}>`,
    (url: string) => `${url}/`,
  ]) {
    const { stdout: url } = await sender.run(['share', '--label', 'L'], { stdin: 'note' })
    t.match(await sender.run(['open', around(url.trim())]), { code: 0, stdout: 'note' })
    const { stdout: other } = await sender.run(['share', '--label', 'L'], { stdin: 'note' })
    t.match(await sender.run(['open', '-'], { stdin: `${around(other.trim())}\r\n` }), {
      code: 0,
      stdout: 'note',
    })
  }
})

t.test('a terminal gets a last line break where the note has none', async (t) => {
  const sender = await startSender(t)
  for (const note of ['note', 'note\n']) {
    const { stdout } = await sender.run(['open', await linkTo(sender, note)], { stdoutIsTTY: true })
    t.equal(stdout, 'note\n')
  }
})

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else: and nothing in a note can control a terminal
t.test('a terminal gets control characters as escapes, unless --raw is there', async (t) => {
  const sender = await startSender(t)
  const note = 'a\u001b[2J\u009b1m\u202eb\tc\rd\r\n\u0007e\n'
  const link = await linkTo(sender, note)
  const escaped = 'a\\u{1b}[2J\\u{9b}1m\\u{202e}b\tc\\u{d}d\r\n\\u{7}e\n'
  const shown = 'sotto: the text has control characters, which are shown as escapes; --raw would print them\n'
  const stdoutIsTTY = true
  t.strictSame(await sender.run(['open', link], { stdoutIsTTY }), {
    code: 0,
    stdout: escaped,
    stderr: warning + shown,
  })
  t.strictSame(await sender.run(['open', '--raw', link], { stdoutIsTTY }), {
    code: 0,
    stdout: note,
    stderr: warning,
  })
  for (const raw of [[], ['--raw']])
    t.match(await sender.run(['open', ...raw, link]), { code: 0, stdout: note, stderr: warning })
  const plain = await sender.run(['open', await linkTo(sender, 'naïve\n日本')], { stdoutIsTTY })
  t.strictSame(plain, { code: 0, stdout: 'naïve\n日本\n', stderr: warning })
})

t.test('with --json the opened secret is printed as the link answers it', async (t) => {
  const sender = await startSender(t)
  const opened = await sender.json(['open', await linkTo(sender, 'note', { openLimit: 3 })])
  t.match(opened, { label: 'L', note: 'note', opens_left: 2, expires_at: String })
})

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else: and exits with 3 for a link that is gone
t.test('a link that is gone is exit code 3', async (t) => {
  const sender = await startSender(t)
  const link = await linkTo(sender, 'note', { openLimit: 1 })
  t.equal((await sender.run(['open', link])).code, 0)
  for (const gone of [link, `${sender.url}/no-such-link`]) {
    const { code, stdout, stderr } = await sender.run(['open', gone])
    t.match(
      { code, stdout, stderr },
      { code: 3, stdout: '', stderr: /the link is gone: it expired, was opened/ },
    )
  }
})

t.test('the password is typed or the first line of standard input', async (t) => {
  const sender = await startSender(t)
  const link = await linkTo(sender, 'note', { password: 'pä ss' })
  const typed = typing('pä ss')
  t.match(await sender.run(['open', '--password-prompt', link], typed), { code: 0, stdout: 'note' })
  t.strictSame(typed.asked, ['Password of the link: '])
  for (const stdin of ['pä ss', 'pä ss\n', 'pä ss\r\nmore\n']) {
    t.match(await sender.run(['open', '--password-stdin', link], { stdin }), { code: 0, stdout: 'note' })
  }
})

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else: and can read the link where no process list shows it
t.test('the link is the first line of standard input, before the password, or is asked for', async (t) => {
  const sender = await startSender(t)
  const link = await linkTo(sender, 'note', { password: 'pä ss' })
  const withPassword = ['open', '-', '--password-stdin']
  for (const stdin of [`${link}\npä ss`, `${link}\r\npä ss\r\nmore\n`, ` ${link} \npä ss\n`]) {
    t.match(await sender.run(withPassword, { stdin }), { code: 0, stdout: 'note' })
  }
  const asked = typing('pä ss')
  const piped = { stdin: `${link}\n`, prompt: asked.prompt }
  t.match(await sender.run(['open', '-', '--password-prompt'], piped), { code: 0, stdout: 'note' })
  t.strictSame(asked.asked, ['Password of the link: '])
  const typed = typing(` ${link}`, 'pä ss')
  const terminal = { isTTY: true, prompt: typed.prompt }
  t.match(await sender.run(['open', '-', '--password-prompt'], terminal), { code: 0, stdout: 'note' })
  t.strictSame(typed.asked, ['Link: ', 'Password of the link: '])
})

t.test('what is no link is wrong usage when it is read, too, and is not repeated', async (t) => {
  const { run } = await startSender(t)
  for (const stdin of ['', 'hunter2', '\nhttp://localhost/x', '-']) {
    const { code, stdout, stderr } = await run(['open', '-'], { stdin })
    const said = `${warning}sotto: what was read as the link is not an http or https URL\n`
    t.strictSame({ code, stdout, stderr }, { code: 2, stdout: '', stderr: said })
  }
})

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else: and says that it counts before it asks
t.test('it says that opening counts before it asks for the password', async (t) => {
  const { cwd } = await startSender(t)
  const stderr = new PassThrough()
  let saidBefore = ''
  const prompt: Surroundings['prompt'] = async () => {
    saidBefore = String(stderr.read())
    return err({ code: 'prompt_left' })
  }
  const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr }
  const args = ['open', '--password-prompt', 'http://localhost/any']
  t.equal(await runProgram(args, { env: {}, cwd, prompt, ...streams }), 1)
  t.equal(saidBefore, warning)
})

// Promise (Clients): `sotto open` prints the note byte for byte and nothing else: and has an exit code and a `code` for each kind of
// failure
t.test('each refusal has its words, its exit code and its code', async (t) => {
  const sender = await startSender(t)
  const link = await linkTo(sender, 'note', { password: 'p' })
  const wrong = ['open', '--password-stdin', link]
  const missing =
    /the link asks for a password: use --password-prompt or --password-stdin; nothing was counted/
  const locked = /the link is locked, or too many requests came: try again in \d+ seconds/
  const nowhere = `http://127.0.0.1:${await findFreePort()}/x`
  const refusals: [string[], exitCode: number, code: string, RegExp][] = [
    [['open', link], 4, 'password_missing', missing],
    [wrong, 4, 'password_wrong', /the password is wrong/],
    [wrong, 4, 'password_wrong', /the password is wrong/],
    [wrong, 6, 'rate_limited', locked],
    [['open', nowhere], 5, 'network_failure', /no service answers there \(ECONNREFUSED\)/],
    [['open', `${sender.url}/docs`], 1, 'method_not_allowed', /the service refused/],
    [['open', `${sender.url}/no-such-link`], 3, 'link_gone', /the link is gone/],
    [['open', 'hunter2'], 2, 'usage', /^url must be an http or https URL \(see: sotto open --help\)$/],
  ]
  // The first of the five wrong passwords that lock a link. Of the refusals each is asked for twice.
  t.equal((await sender.run(wrong, { stdin: 'wrong' })).code, 4)
  for (const [args, exitCode, name, text] of refusals) {
    const { code, stdout, stderr } = await sender.run(args, { stdin: 'wrong' })
    t.match({ code, stdout }, { code: exitCode, stdout: '' }, String(text))
    if (name !== 'usage') t.match(stderr, text)
    const asDocument = await sender.run([...args, '--json'], { stdin: 'wrong' })
    t.equal(asDocument.code, exitCode)
    t.equal(asDocument.stdout, '')
    t.match(JSON.parse(asDocument.stderr), { error: { code: name, message: text } })
  }
})

t.test('wrong usage repeats nothing', async (t) => {
  const { run } = await startSender(t)
  for (const args of [
    ['open'],
    ['open', 'hunter2'],
    ['open', 'ftp://hunter2'],
    ['open', 'http://a:hunter2@b/'],
  ]) {
    const { code, stderr } = await run(args)
    t.match({ code, stderr }, { code: 2, stderr: /^sotto: .*\(see: sotto open --help\)\n$/ })
    t.notMatch(stderr, 'hunter2')
  }
})
