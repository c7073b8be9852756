import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ok } from 'neverthrow'
import t from 'tap'
import { refusing, startFiles, type Answer } from '../support/files-service.ts'

// `sotto share --file` against what stands in for a service.

const share = ['share', '--label', 'L']

t.test('each --file goes with the note, under its name, and only the link is printed', async (t) => {
  const { run, cwd, link, created } = await startFiles(t)
  mkdirSync(join(cwd, 'sub'))
  writeFileSync(join(cwd, 'sub', 'ä.bin'), Buffer.from([0, 255]))
  writeFileSync(join(cwd, '-b'), 'second')
  const { code, stdout, stderr } = await run([...share, '--file', 'sub/ä.bin', '--file=-b'], {
    stdin: 'the note',
  })
  t.match(
    { code, stdout, stderr },
    { code: 0, stdout: `${link}\n`, stderr: /^sotto: the link opens once, [^\n]+\n$/ },
  )
  const [body = ''] = created.map((each) => each.toString('latin1'))
  const inLatin1 = (text: string) => Buffer.from(text).toString('latin1')
  t.match(body, /name="secret"\r\nContent-Type: application\/json\r\n\r\n\{"label":"L","note":"the note",/)
  t.match(
    body,
    inLatin1('name="file"; filename="ä.bin"\r\nContent-Type: application/octet-stream\r\n\r\n') +
      '\0\u00ff\r\n--',
  )
  t.match(body, 'name="file"; filename="-b"\r\nContent-Type: application/octet-stream\r\n\r\nsecond\r\n--')
})

t.test('the note can be a file of its own', async (t) => {
  const { run, cwd, created } = await startFiles(t)
  writeFileSync(join(cwd, 'note.txt'), 'from a file')
  writeFileSync(join(cwd, 'a'), 'a')
  t.equal((await run([...share, '--file', 'a', 'note.txt'])).code, 0)
  t.match(String(created[0]), '"note":"from a file"')
})

t.test(
  'a file alone is sent: a terminal is asked for no text, and piped text is still the text',
  async (t) => {
    const { run, cwd, created } = await startFiles(t)
    writeFileSync(join(cwd, 'a'), 'a')
    const alone = [...share, '--file', 'a']
    t.match(await run(alone, { isTTY: true, stdin: 'never read' }), {
      code: 0,
      stderr: /^sotto: the link opens once/,
    })
    t.match(await run(alone, { stdin: '' }), { code: 0 })
    t.match(await run(alone, { stdin: 'text' }), { code: 0 })
    t.match(await run([...alone, '-'], { isTTY: true, stdin: 'typed' }), {
      code: 0,
      stderr: /^Type the text; end/,
    })
    const typed = await run([...alone, '--password-stdin'], { isTTY: true, stdin: 'pw\n' })
    t.match(typed, { code: 0, stderr: /^Type the password\. What you type is visible\.\n/ })
    const notes = created.map((body) => /"note":"([^"]*)"/.exec(String(body))?.[1])
    t.strictSame(notes, ['', '', 'text', 'typed', ''])
    t.match(String(created.at(-1)), '"password":"pw"')
  },
)

const isLinux = process.platform === 'linux'

// Promise (Clients): `sotto share` sends all of a file, whatever size its metadata says
t.test('a file is sent to its end, whatever its metadata says', { skip: !isLinux }, async (t) => {
  const { run, created, asked } = await startFiles(t)
  const paths = ['/proc/version', '/sys/kernel/mm/transparent_hugepage/enabled', '/proc/self/mountinfo']
  for (const [at, path] of paths.entries()) {
    if (!existsSync(path)) continue
    t.match(await run([...share, '--file', path], { stdin: 'n' }), { code: 0 })
    t.match(String(created.at(-1)), `\r\n\r\n${readFileSync(path, 'utf8')}\r\n--`, `${at}`)
  }
  const before = asked.length
  const { code, stderr } = await run([...share, '--file', '/proc/version', '--file', '/proc/kallsyms'], {
    stdin: 'n',
  })
  t.strictSame([code, stderr], [1, 'sotto: /proc/kallsyms cannot be sent (its size is not known)\n'])
  t.equal(asked.length, before)
})

t.test('a file that has changed while it was sent is named', async (t) => {
  const names = ['first', 'second', 'third'] as const
  const { run, cwd } = await startFiles(t)
  for (const name of names) writeFileSync(join(cwd, name), Buffer.alloc(3_000_000))
  const files = names.flatMap((name) => ['--file', name])
  const ended = await run([...share, '--password-prompt', ...files], {
    stdin: 'n',
    // The files were looked at before the password is asked for.
    prompt: async () => {
      appendFileSync(join(cwd, 'second'), 'more')
      return ok('password')
    },
  })
  t.match(ended, { code: 1, stdout: '', stderr: 'sotto: a file cannot be read, or has changed: second\n' })
})

t.test('what cannot be sent is named before anything is asked or sent', async (t) => {
  const { run, cwd, asked } = await startFiles(t)
  writeFileSync(join(cwd, 'good'), '')
  for (const [path, reason] of [
    ['missing', 'ENOENT'],
    ['out', 'no regular file'],
    ['/dev/null', 'no regular file'],
    ['good/x', 'ENOTDIR'],
  ] as const) {
    const ended = await run([...share, '--password-prompt', '--file', 'good', '--file', path], { stdin: 'n' })
    t.strictSame(ended, { code: 1, stdout: '', stderr: `sotto: ${path} cannot be sent (${reason})\n` })
  }
  t.strictSame(asked, [])
})

t.test('a refusal of files is said in the words of the service, or of what is in front of it', async (t) => {
  const refusals: [Answer, RegExp][] = [
    [
      refusing(413, 'A file is larger than 26214400 bytes.'),
      /the service refused: A file is larger than 26214400 bytes\n$/,
    ],
    [refusing(415, 'This service takes no files.'), /the service refused: This service takes no files\n$/],
    [
      (answer) =>
        answer
          .writeHead(400, { 'content-type': 'application/json' })
          .end(
            '{"success":false,"message":"Invalid.","errors":{"files":["must not be given more than 10 times"]}}',
          ),
      /^sotto: --file must not be given more than 10 times\n$/,
    ],
    [refusing(400, 'No more than 10 files.'), /the service refused: No more than 10 files\n$/],
    [
      (answer) => answer.writeHead(413).end('<h1>'),
      /a proxy in front of the service takes no request of this length\n$/,
    ],
  ]
  for (const [create, text] of refusals) {
    const { run, cwd } = await startFiles(t, { create })
    writeFileSync(join(cwd, 'a'), 'a')
    t.match(await run([...share, '--file', 'a'], { stdin: 'n' }), { code: 1, stdout: '', stderr: text })
  }
})
