import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { startSender } from '../support/remote.ts'

// `sotto share --file` and `sotto open --output` against the server.

const withoutAccess = { SOTTO_URL: '', SOTTO_TOKEN: '' }

// Promise (Clients): What `sotto share --file` sends, `sotto open --output` saves: the same bytes under the same names
t.test('files go from one terminal to another, byte for byte', async (t) => {
  const { run, cwd } = await startSender(t)
  const contents = new Map([
    ['contract.pdf', randomBytes(300_000)],
    ['Paß "Kopie" 🔑.txt', Buffer.from('text\r\n')],
    ['empty', Buffer.alloc(0)],
  ])
  mkdirSync(join(cwd, 'out'))
  for (const [name, content] of contents) writeFileSync(join(cwd, name), content)
  const files = [...contents.keys()].flatMap((name) => ['--file', name])
  const shared = await run(['share', '--label', 'L', '--password-stdin', ...files], {
    stdin: 'pw\nnote',
  })
  t.equal(shared.code, 0, shared.stderr)
  const link = shared.stdout.trim()
  const open = ['open', link, '--password-stdin', '--output', 'out']
  t.equal((await run(open, { stdin: 'wrong', env: withoutAccess })).code, 4)
  const opened = await run(open, { stdin: 'pw', env: withoutAccess })
  t.match(opened, {
    code: 0,
    stdout: 'note',
    stderr: /contract\.pdf, 293\.0 kB: saved as out\/contract\.pdf\n/,
  })
  t.strictSame(readdirSync(join(cwd, 'out')).sort(), [...contents.keys()].sort())
  for (const [name, content] of contents) t.ok(readFileSync(join(cwd, 'out', name)).equals(content), name)
  t.match(await run(open, { stdin: 'pw' }), { code: 3, stdout: '' })
})

t.test('without --output the addresses work, after the last open, too', async (t) => {
  const { run, cwd, operate } = await startSender(t)
  writeFileSync(join(cwd, 'a.txt'), 'content')
  const shared = await run(['share', '--label', 'L', '--file', 'a.txt'], { stdin: 'note' })
  const { stdout, stderr } = await run(['open', shared.stdout.trim()], { env: withoutAccess })
  t.equal(stdout, 'note')
  const [, address = ''] = /a\.txt, 7 bytes: (http:\S+\/f\/[\w-]{43}\/1)\n/.exec(stderr) ?? []
  t.equal(await (await fetch(address)).text(), 'content')
  t.match(JSON.parse(await operate(['account', 'list', '--json'])), [{ files_bytes: 4_112 }])
  t.match(await operate(['account', 'list']), / {2}4\.0 kB +owner@localhost\n$/)
})

t.test('a file alone goes from one terminal to another, and no text is printed', async (t) => {
  const { run, cwd } = await startSender(t)
  writeFileSync(join(cwd, 'a.txt'), 'content')
  mkdirSync(join(cwd, 'out'))
  const share = ['share', '--label', 'L', '--open-limit', '2', '--file', 'a.txt']
  const link = (await run(share, { isTTY: true })).stdout.trim()
  const opened = await run(['open', link, '--output', 'out'], { env: withoutAccess, stdoutIsTTY: true })
  t.match(opened, { code: 0, stdout: '', stderr: /a\.txt, 7 bytes: saved as out\/a\.txt\n/ })
  const document = await run(['open', link, '--json'], { env: withoutAccess })
  t.match(JSON.parse(document.stdout), { note: '', files: [{ name: 'a.txt' }] })
})

t.test('each refusal of files has its words', async (t) => {
  const { run, cwd } = await startSender(t, { SOTTO_FILE_MAX_BYTES: '1000' })
  writeFileSync(join(cwd, 'large'), Buffer.alloc(1_001))
  writeFileSync(join(cwd, 'a\\b'), '')
  writeFileSync(join(cwd, 'a'), '')
  const share = ['share', '--label', 'L']
  for (const [args, text] of [
    [
      ['--file', 'a', '--file', 'large', '--file', 'a'],
      /^sotto: the service refused: large is too large\. It may have at most 1,000 bytes\n$/,
    ],
    [
      ['--file', 'a\\b'],
      /^sotto: a\\b cannot be sent \(its name has \\ or an invisible character, or is too long\)\n$/,
    ],
    [
      Array.from({ length: 11 }, () => ['--file', 'a']).flat(),
      /^sotto: --file must not be given more than 10 times\n$/,
    ],
  ] as const) {
    const refused = await run([...share, ...args], { stdin: 'note' })
    t.match(refused, { code: 1, stdout: '', stderr: text })
  }
  const off = await startSender(t, { SOTTO_FILE_MAX_BYTES: '0' })
  writeFileSync(join(off.cwd, 'a'), '')
  const refused = await off.run([...share, '--file', 'a'], { stdin: 'note' })
  t.match(refused, { code: 1, stdout: '', stderr: /the service refused: / })
})
