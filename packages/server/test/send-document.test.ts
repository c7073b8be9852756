import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { exitCodes } from '../src/errors/errors.ts'
import { program } from './support/program.ts'
import { blocksOf } from './support/readme-examples.ts'
import { spawnServer } from './support/spawned.ts'

// Runs the examples of docs/send.md, in their order and in one shell.

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, '..', '..', 'docs', 'send.md'), 'utf8')

t.test('the examples of the document about sending work', async (t) => {
  const cwd = t.testdir({ server: {}, bin: {}, home: {} })
  const { baseUrl, firstStart } = await spawnServer(t, { cwd: join(cwd, 'server') })
  const requestLink = await askIn(join(cwd, 'server'), baseUrl)
  const sotto = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  writeFileSync(join(cwd, 'bin', 'sotto'), sotto, { mode: 0o755 })
  mkdirSync(join(cwd, 'work'))
  writeFileSync(join(cwd, 'work', 'contract.pdf'), 'a contract')
  const env = {
    PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    HOME: join(cwd, 'home'),
    TOKEN: firstStart?.token,
    REQUEST_LINK: requestLink,
  }
  const blocks = blocksOf(document, 'sh')
  t.equal(blocks.length, 9)
  const script = blocks.join('\n').replaceAll('http://localhost:3000', baseUrl)
  const options = { cwd: join(cwd, 'work'), env }
  const { stdout, stderr } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', script], options)
  t.match(
    stdout,
    /^The access to http:\S+ is in \S+\/\.config\/sotto\/client\.json\nhttp:\S+\/[\w-]{43}\nas agreed[\w-]{36} is destroyed\nreceived at [-\d]+ [\d:]+ UTC\nThe only script of this page [^\n]+:\nsha256-\S+ {2}link\n[^\n]+\n$/,
  )
  t.match(
    stderr,
    /^sotto: the link opens once, [^\n]+\nsotto: opening the link counts; [^\n]+\nsotto: the link opens once, [^\n]+\nsotto: opening the link counts; [^\n]+\nsotto: contract.pdf, 10 bytes: saved as received\/contract.pdf\n(?:sotto: the link opens once, [^\n]+\n){2}$/,
  )
  t.equal(readFileSync(join(cwd, 'work', 'text.txt'), 'utf8'), 'admin / correct horse')
  t.equal(readFileSync(join(cwd, 'work', 'received', 'contract.pdf'), 'utf8'), 'a contract')
  t.match(JSON.parse(readFileSync(join(cwd, 'work', 'secret.json'), 'utf8')), { label: 'With a password' })
})

/** A request of the owner whom the first start made. */
async function askIn(directory: string, linkBaseUrl: string): Promise<string> {
  const call = async (...args: readonly string[]): Promise<unknown> => {
    const given = [program, ...args, '--account', 'owner@localhost', '--json']
    const env = { ...process.env, SOTTO_LINK_BASE_URL: linkBaseUrl }
    const running = run(process.execPath, given, { cwd: directory, env })
    running.child.stdin?.end()
    return JSON.parse((await running).stdout)
  }
  const [folder] = (await call('folder', 'list')) as { readonly id: string }[]
  const made = await call('request', 'create', '--folder', folder?.id ?? '', '--title', 'Router')
  return (made as { readonly url: string }).url
}

t.test('the table of exit codes has every code that is not 1', (t) => {
  const rows = [...document.matchAll(/^\| (\d) +\|[^|]+\| (.*?) *\|$/gm)]
  const listed = rows.flatMap(([, exitCode, codes = '']) =>
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = '']) => [code, Number(exitCode)] as const),
  )
  t.strictSame(Object.fromEntries(listed), exitCodes)
  t.equal(rows.length, 7)
  t.end()
})
