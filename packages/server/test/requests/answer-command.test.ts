import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import t from 'tap'
import { owner, startSender, typing, type Sender } from '../support/remote.ts'

// `sotto answer` against a server.

const withoutAccess = { SOTTO_URL: '', SOTTO_TOKEN: '' }

async function ask(sender: Sender, answers = 1, ...more: readonly string[]): Promise<string> {
  const [folder] = JSON.parse(await sender.operate(['folder', 'list', ...owner, '--json'])) as {
    id: string
  }[]
  const args = ['--folder', folder?.id ?? '', '--title', 'Router', '--answers', String(answers), ...more]
  const made = await sender.operate(['request', 'create', ...owner, ...args, '--json'])
  return (JSON.parse(made) as { url: string }).url
}

async function titles(sender: Sender): Promise<readonly string[]> {
  const drafts = JSON.parse(await sender.operate(['draft', 'list', ...owner, '--json'])) as {
    label: string
  }[]
  return drafts.map(({ label }) => label)
}

t.test('a text is handed in without an account, and never repeated on the terminal', async (t) => {
  const sender = await startSender(t)
  const url = await ask(sender, 4)
  const env = withoutAccess
  const piped = await sender.run(['answer', url], { stdin: 'canary 1\n', env })
  t.match(piped, { code: 0, stdout: /^received at \d{4}-\d\d-\d\d \d\d:\d\d UTC\n$/, stderr: '' })
  t.equal((await sender.run(['answer', '-'], { stdin: `<${url}/>.\ncanary 2`, env })).code, 0)
  writeFileSync(join(sender.cwd, 'text.txt'), 'canary 3')
  t.equal((await sender.run(['answer', '-', 'text.txt'], { stdin: `${url}\n`, env })).code, 0)
  const answered = await sender.json(['answer', `${url}%3E`, 'text.txt'], { env })
  t.match(answered, { received_at: /^\d{4}-.*Z$/ })
  t.same(await titles(sender), ['Router', 'Router', 'Router', 'Router'])
  t.notMatch(piped.stdout + piped.stderr, 'canary')
})

t.test('a link that is typed is not shown', async (t) => {
  const sender = await startSender(t)
  const { prompt, asked } = typing(await ask(sender))
  writeFileSync(join(sender.cwd, 'text.txt'), 'text')
  t.equal((await sender.run(['answer', '-', 'text.txt'], { isTTY: true, prompt })).code, 0)
  t.same(asked, ['Link: '])
})

t.test('each failure has its exit code, and nothing of the text is in a message', async (t) => {
  const sender = await startSender(t)
  const url = await ask(sender)
  const stdin = 'canary'
  t.equal((await sender.run(['answer', url], { stdin })).code, 0)
  const nobody = `http://127.0.0.1:${await findFreePort()}/r/x`
  for (const [args, code, text, given = stdin] of [
    [['answer', url], 3, /the request cannot be answered/],
    [['answer', `${sender.url}/r/unknown`], 3, /the request cannot be answered/],
    [['answer', nobody], 5, /no service answers there/],
    [['answer', await ask(sender)], 1, /the text must not be empty/, ''],
    [['answer', await ask(sender)], 1, /longer than|at most 65536 bytes/, 'x'.repeat(100_000)],
    [['answer', '-'], 2, /is no link|http/, 'canary\ntext'],
    [['answer', url, 'missing.txt'], 1, /ENOENT/],
    [['answer'], 2, /missing required argument/],
  ] as const) {
    const ended = await sender.run([...args], { stdin: given })
    t.match(ended, { code, stdout: '', stderr: text }, args.join(' '))
    t.notMatch(ended.stderr, 'canary')
  }
})

t.test('too many answers are exit code 6, with the time to wait', async (t) => {
  const sender = await startSender(t)
  const url = await ask(sender, 100)
  for (let nth = 0; nth < 20; nth += 1) t.equal((await sender.run(['answer', url], { stdin: 'x' })).code, 0)
  t.match(await sender.run(['answer', url], { stdin: 'x' }), { code: 6, stderr: /try again in \d+ seconds/ })
})

// Promise (Requests): Where a request takes files, an answer carries some, and they belong to the draft that it becomes
t.test('--file sends files with a text or alone, where the request takes some', async (t) => {
  const sender = await startSender(t)
  const url = await ask(sender, 3, '--files')
  writeFileSync(join(sender.cwd, 'a.pdf'), 'canary')
  writeFileSync(join(sender.cwd, 'b.bin'), Buffer.alloc(2_000_000))
  const files = ['--file', 'a.pdf', '--file', 'b.bin']
  const env = withoutAccess
  t.match(await sender.run(['answer', url, ...files], { stdin: 'text', env }), { code: 0, stderr: '' })
  const alone = await sender.run(['answer', url, '--file', 'a.pdf'], { stdin: '', env })
  t.match(alone, { code: 0, stderr: '' })
  const { prompt, asked } = typing(url)
  const typed = await sender.run(['answer', '-', '--file', 'a.pdf'], { isTTY: true, prompt, env })
  t.match(typed, { code: 0, stderr: '' }, 'no text is asked for')
  t.same(asked, ['Link: '])
  const list = JSON.parse(await sender.operate(['request', 'list', ...owner, '--json'])) as object[]
  t.match(list, [{ answers: 3, takes_files: true }])
  const refused = await sender.run(['answer', await ask(sender), ...files], { stdin: 'text', env })
  t.match(refused, { code: 1, stderr: /This request takes no files/i })
  const missing = await sender.run(['answer', url, '--file', 'no.pdf'], { stdin: 'text', env })
  t.match(missing, { code: 1, stderr: /no\.pdf/ })
})
