import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { OpenedFile } from '@sotto/client'
import t from 'tap'
import { fileNameOf, saveFiles } from '../../src/files/save-files.ts'
import { spawnSotto } from '../support/spawned.ts'
import { announcedSize, refusing, startFiles } from '../support/files-service.ts'

// `sotto open --output` and `sotto open` of a secret with files, against what stands in for a service.

const warning = 'sotto: opening the link counts; after its last permitted open the text is gone\n'

t.test('files are saved beside the note, which alone is printed', async (t) => {
  const { run, link, url, cwd } = await startFiles(t, {
    files: [
      ['photo.jpg', '\0\r\n'],
      ['ä b', ''],
      ['c', 'c'],
    ],
  })
  const opened = await run(['open', '--output', 'out', link])
  t.strictSame(opened, {
    code: 0,
    stdout: 'the note',
    stderr:
      `${warning}sotto: photo.jpg, 3 bytes: saved as out/photo.jpg\nsotto: ä b, 0 bytes: saved as out/ä b\n` +
      'sotto: c, 1 byte: saved as out/c\n',
  })
  t.notMatch(opened.stderr, url, 'the addresses are needed by nobody')
  t.strictSame(readdirSync(join(cwd, 'out')).sort(), ['c', 'photo.jpg', 'ä b'])
  t.equal(readFileSync(join(cwd, 'out', 'photo.jpg'), 'latin1'), '\0\r\n')
  t.equal(statSync(join(cwd, 'out', 'photo.jpg')).mode & 0o777, 0o600)
})

t.test('with --json the document has the files, with their paths when they are saved', async (t) => {
  const { json, link, url } = await startFiles(t, { files: [['a', 'a']] })
  const file = { name: 'a', size: 1, type: 'text/plain', url: `${url}/f/ticket/1` }
  t.strictSame((await json(['open', link]))['files'], [file])
  t.strictSame((await json(['open', '--output', 'out', link]))['files'], [{ ...file, path: 'out/a' }])
  const none = await startFiles(t)
  t.notOk('files' in (await none.json(['open', '--output', 'out', none.link])))
})

// Promise (Clients): `sotto open --output` overwrites nothing and writes nothing outside of its directory
t.test('no file is overwritten: a free name is taken', async (t) => {
  const { run, link, cwd } = await startFiles(t, {
    files: [
      ['a.txt', 'one'],
      ['a.txt', 'two'],
      ['link', 'three'],
    ],
  })
  const out = join(cwd, 'out')
  writeFileSync(join(out, 'a.txt'), 'mine')
  writeFileSync(join(out, 'a-2.txt'), 'mine')
  symlinkSync(join(cwd, 'elsewhere'), join(out, 'link'))
  const { code, stderr } = await run(['open', '--output', out, link])
  t.equal(code, 0)
  t.match(stderr, `saved as ${out}/a-3.txt\n`)
  const contents = ['a.txt', 'a-2.txt', 'a-3.txt', 'a-4.txt', 'link-2'].map((name) =>
    readFileSync(join(out, name), 'utf8'),
  )
  t.strictSame(contents, ['mine', 'mine', 'one', 'two', 'three'])
  t.notOk(existsSync(join(cwd, 'elsewhere')))
})

// Promise (Clients): `sotto open --output` overwrites nothing and writes nothing outside of its directory: whatever a service calls a file
t.test('no name leaves the directory, hides a file or controls the terminal', async (t) => {
  const names = [
    '../up',
    '/tmp/sotto-absolute',
    '..',
    '',
    'a\u001b[2Jb',
    '.bashrc',
    '-rf',
    'a\u2028b',
    'sub/x',
    'a\u200bb',
  ]
  const { run, link, cwd } = await startFiles(t, { files: names.map((name) => [name, name] as const) })
  const { code, stderr } = await run(['open', '--output', 'out', link])
  t.equal(code, 0)
  t.strictSame(readdirSync(cwd), ['out'])
  t.notOk(existsSync('/tmp/sotto-absolute'))
  const numbered = [1, 2, 3, 4, 5, 8, 9].map((place) => `file-${place}`)
  const saved = ['_-rf', '_.bashrc', 'a\u200bb', ...numbered]
  t.strictSame(readdirSync(join(cwd, 'out')).sort(), saved.sort())
  t.equal(readFileSync(join(cwd, 'out', 'file-1'), 'utf8'), '../up')
  for (const character of ['\u001b', '\u2028', '\u200b']) t.notOk(stderr.includes(character))
  t.match(stderr, 'sotto: .bashrc, 7 bytes: saved as out/_.bashrc\n')
})

t.test('a name that becomes too long is cut where it says least', async (t) => {
  t.equal(fileNameOf('a.txt', 1), 'a.txt')
  t.equal(fileNameOf('archive.tar.gz', 3), 'archive.tar-3.gz')
  t.equal(fileNameOf('.bashrc', 2), '_.bashrc-2')
  t.equal(fileNameOf('x'.repeat(255), 1), 'x'.repeat(255))
  t.equal(fileNameOf(`${'x'.repeat(251)}.txt`, 12), `${'x'.repeat(248)}-12.txt`)
  t.equal(fileNameOf(`.${'ü'.repeat(127)}`, 1), `_.${'ü'.repeat(126)}`)
  t.equal(fileNameOf(`a.${'x'.repeat(253)}`, 2), `a.${'x'.repeat(251)}-2`)
})

// Promise (Clients): `sotto open --output` opens nothing before it knows that files can be saved
t.test('a directory that is none, or takes no file, spends no open', async (t) => {
  const { run, link, cwd, asked } = await startFiles(t, { files: [['a', 'a']] })
  writeFileSync(join(cwd, 'file'), '')
  for (const [output, reason] of [
    ['missing', 'ENOENT'],
    ['file', 'ENOTDIR'],
    ['/proc', 'ENOENT'],
  ] as const) {
    const said = `sotto: no file can be made in ${output} (${reason}): --output takes a directory; nothing was opened\n`
    t.strictSame(await run(['open', '--output', output, link]), { code: 1, stdout: '', stderr: said })
  }
  t.strictSame(asked, [])
  t.strictSame(readdirSync(join(cwd, 'out')), [])
})

// Promise (Clients): A file has its name only when it is complete: `sotto open --output` leaves no part of one
t.test('a file that does not arrive whole is not there, and its address is', async (t) => {
  const cut = (answer: ServerResponse) =>
    answer.writeHead(200, { 'content-length': announcedSize }).write('0123', () => answer.destroy())
  const { run, link, url, cwd } = await startFiles(t, {
    files: [
      ['a', (answer) => answer.writeHead(200).end('far too long')],
      ['b', cut],
      ['c', refusing(404, 'Gone.')],
      ['d', 'd'],
    ],
  })
  const said =
    'sotto: the secret is opened, but these files were not saved: a (what the service sent is something else), b (what the service sent is something else), ' +
    'c (it is gone: the hour is over, or the secret was destroyed); for an hour they can be fetched from their addresses\n'
  const opened = await run(['open', '--output', 'out', link])
  t.match(opened, { code: 1, stdout: 'the note' })
  t.match(opened.stderr, `sotto: b, 10 bytes: ${url}/f/ticket/2\n`)
  t.match(opened.stderr, /saved as out\/d\n/)
  t.ok(opened.stderr.endsWith(said))
  t.strictSame(readdirSync(join(cwd, 'out')), ['d'])
  const asDocument = await run(['open', '--output', 'out', '--json', link])
  t.equal(asDocument.code, 1)
  t.match(JSON.parse(asDocument.stdout), {
    note: 'the note',
    files: [{ url: `${url}/f/ticket/1`, path: undefined }, {}, {}, { path: 'out/d-2' }],
  })
  t.match(JSON.parse(asDocument.stderr), { error: { code: 'files_not_saved' } })
})

t.test('a size that no file has costs neither the note nor the other files', async (t) => {
  const { run, link, cwd } = await startFiles(t, {
    files: [
      ['large', 'a', 200_000_000_000],
      ['no-size', 'a', Number.MAX_VALUE],
      ['d', 'd'],
    ],
  })
  const { code, stdout, stderr } = await run(['open', '--output', 'out', link])
  t.match({ code, stdout }, { code: 1, stdout: 'the note' })
  const else_ = 'what the service sent is something else'
  t.match(stderr, `these files were not saved: large (${else_}), no-size (${else_});`)
  t.strictSame(readdirSync(join(cwd, 'out')), ['d'])
})

// Promise (Clients): `sotto open --output` overwrites nothing and writes nothing outside of its directory: whoever else can write there
t.test('a file that somebody replaces by a symbolic link is not written to', async (t) => {
  const cwd = t.testdir({ out: {}, victim: 'mine' })
  const replaced: OpenedFile = {
    ...{ name: 'a', size: 1, type: 'text/plain', url: 'http://127.0.0.1/' },
    stream() {
      const [temporary = ''] = readdirSync(join(cwd, 'out'))
      rmSync(join(cwd, 'out', temporary))
      symlinkSync(join(cwd, 'victim'), join(cwd, 'out', temporary))
      return new Blob(['theirs']).stream()
    },
  }
  t.match(await saveFiles({ cwd }, 'out', [replaced]), [{ path: undefined, fault: 'ELOOP' }])
  t.equal(readFileSync(join(cwd, 'victim'), 'utf8'), 'mine')
  t.strictSame(readdirSync(join(cwd, 'out')), [])
})

t.test('a directory that goes away loses neither the note nor the addresses', async (t) => {
  const { run, link, cwd } = await startFiles(t, {
    files: [
      [
        'a',
        (answer) => {
          rmSync(join(cwd, 'out'), { recursive: true })
          answer.writeHead(200).end('0123456789')
        },
      ],
    ],
  })
  t.match(await run(['open', '--output', 'out', link]), {
    code: 1,
    stdout: 'the note',
    stderr: /10 bytes: http:.*\n.* a \(ENOENT\)/,
  })
})

t.test('a command that is stopped leaves no part of a file, and still prints its document', async (t) => {
  const begun = Promise.withResolvers<unknown>()
  const { link, cwd, asked } = await startFiles(t, {
    files: [
      [
        'a',
        (answer) =>
          answer.writeHead(200, { 'content-length': 10 }).write('0123', () => begun.resolve(undefined)),
      ],
      ['b', 'b'],
    ],
  })
  const { child, ended, stdout, stderr } = spawnSotto(t, ['open', '--output', 'out', '--json', link], { cwd })
  await begun.promise
  child.kill('SIGINT')
  t.equal(await ended, 1)
  t.match(JSON.parse(stdout()), { note: 'the note', files: [{ name: 'a' }, { name: 'b' }] })
  t.match(JSON.parse(stderr()), { error: { message: /not saved: a \(stopped\), b \(stopped\)/ } })
  t.strictSame(readdirSync(join(cwd, 'out')), [])
  t.strictSame(asked, ['POST /token', 'GET /f/ticket/1'])
})
