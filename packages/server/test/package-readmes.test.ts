import { findFreePort } from '@sotto/system'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMemoryPorts } from '@sotto/test-kit'
import t, { type Test } from 'tap'
import { blocksOf, ended, exampleFile, linesUntil, temporaryFolder } from './support/readme-examples.ts'
import { spawnServer } from './support/spawned.ts'

// Runs the examples in the packages' READMEs. The others' are tested in their own packages; scripts/test/code-blocks.test.ts compiles all.

const run = promisify(execFile)
const packages = join(import.meta.dirname, '..', '..')
const names = [
  'core',
  'identity',
  'client',
  'adapter-sqlite',
  'adapter-node-crypto',
  'http-fastify',
  'dashboard-fastify',
  'server',
] as const
type Name = (typeof names)[number]

t.test('each README has one example, that of the core another one', async (t) => {
  for (const name of names) {
    const examples = blocksOf(readmeOf(name), 'ts').length
    t.equal(examples, name === 'core' ? 2 : 1, `${name}: an example without a test below`)
  }
})

t.test(
  'the READMEs of core and identity list every port, by the name of which it is asked for',
  async (t) => {
    const table = `${readmeOf('core')}\n${readmeOf('identity')}`
      .split('\n')
      .filter((line) => line.startsWith('| `') && !line.startsWith('| `create'))
      .join('\n')
    const listed = [...table.matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name)
    const others = ['instanceId', 'upkeep', 'erasure', 'data', 'close'] // of an open storage
    const ports = Object.keys(createMemoryPorts()).filter((name) => !others.includes(name))
    t.strictSame(listed.toSorted(), ports.toSorted())
  },
)

t.test(
  'the examples of the core: a secret that is listed and opens once; a slice with only the methods that it calls',
  async (t) => {
    const [whole = '', slice = ''] = blocksOf(readmeOf('core'), 'ts')
    t.equal(
      await printed(t, 'core', { text: whole }),
      'Router 2592000000000\ncorrect horse\nlink_not_found\n',
    )
    t.equal(await printed(t, 'core', { text: slice }), 'link_not_found\n')
  },
)

t.test('the example of identity: a password by a one-time link, and an access token', async (t) => {
  t.equal(await printed(t, 'identity', {}), 'signed in\ntrue\n')
})

t.test('the example of the keys decrypts a text in its own place only', async (t) => {
  const cwd = temporaryFolder(t)
  t.equal(await printed(t, 'adapter-node-crypto', { cwd }), 'Inbox\ndata_damaged\n')
  t.equal(statSync(join(cwd, 'keys', 'sotto-keys.json')).mode & 0o777, 0o600)
})

t.test('the example without the server stores a secret on the disk', async (t) => {
  const note = 'admin / correct horse\n'
  const cwd = temporaryFolder(t)
  t.equal(await printed(t, 'adapter-sqlite', { cwd }), note, 'without data')
  t.equal(await printed(t, 'adapter-sqlite', { cwd }), note, 'with its own data')

  const keysFile = join(cwd, 'keys', 'sotto-keys.json')
  renameSync(keysFile, `${keysFile}.away`)
  await t.rejects(printed(t, 'adapter-sqlite', { cwd }), { message: /Error: key_file_lost/ })
  t.notOk(existsSync(keysFile), 'no other key is created')

  const elsewhere = temporaryFolder(t)
  await printed(t, 'adapter-sqlite', { cwd: elsewhere })
  renameSync(join(elsewhere, 'keys', 'sotto-keys.json'), keysFile)
  await t.rejects(printed(t, 'adapter-sqlite', { cwd }), {
    message: /Error: key_wrong/,
  })
  rmSync(keysFile)
  renameSync(`${keysFile}.away`, keysFile)
  t.equal(await printed(t, 'adapter-sqlite', { cwd }), note, 'with its own keys again')
})

t.test('the example of the plugins serves the API and the links', async (t) => {
  const port = await findFreePort()
  const app = started(t, 'http-fastify', { PORT: String(port) })
  const [, token = ''] = /Bearer (sotto_\w+)/.exec(await linesUntil(app, /^curl /)) ?? []
  const origin = `http://127.0.0.1:${port}`
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  const headers = { ...json, authorization: `Bearer ${token}` }
  const ask = async (url: string, init: RequestInit) => {
    const response = await fetch(url.replace('localhost', '127.0.0.1'), init)
    return (await response.json()) as { readonly data: unknown }
  }
  const { data: folders } = await ask(`${origin}/api/folders`, { headers })
  t.match(folders, [{ label: 'Inbox' }])
  const [{ id: folder_id }] = folders as [{ readonly id: string }]
  const body = JSON.stringify({ label: 'Router', note: 'admin', folder_id })
  const { data: created } = await ask(`${origin}/api/secret`, { method: 'POST', headers, body })
  const { url } = (created as { readonly link: { readonly url: string } }).link
  t.match(await ask(url, { method: 'POST', headers: json, body: '{}' }), { data: { note: 'admin' } })
  const own = await ask(`${origin}/my/api/folders`, { headers: { ...json, 'x-user': 'ann' } })
  t.strictSame(own.data, [], 'the API of a user')
})

t.test('the example of the pages serves them to a user of the application', async (t) => {
  const port = await findFreePort()
  const app = started(t, 'dashboard-fastify', { PORT: String(port) })
  await linesUntil(app, /^curl /)
  const page = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/dashboard`, { headers, redirect: 'manual' })
  t.equal((await page({ 'x-user': 'ann' })).status, 200, 'the pages of a user')
  t.equal((await page({})).headers.get('location'), '/my/login?next=%2Fdashboard')
})

t.test('the example of the client creates, lists and opens a secret', async (t) => {
  const home = temporaryFolder(t)
  const { baseUrl, firstStart } = await spawnServer(t, { cwd: home })
  const env = { SOTTO_URL: baseUrl, SOTTO_TOKEN: firstStart?.token }
  t.equal(
    await printed(t, 'client', { env }),
    'Router\nadmin / correct horse\nnot_found 404\ncontract.txt 9 as agreed\n',
  )
})

t.test('the example of the server runs until SIGTERM', async (t) => {
  const home = temporaryFolder(t)
  const server = started(t, 'server', {
    SOTTO_DATA_DIR: join(home, 'data'),
    SOTTO_KEYS_FILE: join(home, 'keys', 'keys.json'),
    SOTTO_PORT: String(await findFreePort()),
    SOTTO_LOG_LEVEL: 'warn',
  })
  const [address = ''] = /http:\S+/.exec(await linesUntil(server, /listens on/)) ?? []
  t.equal((await fetch(`${address}/readyz`)).status, 200)
  t.equal((await fetch(`${address}/api/folders`)).status, 401)
  t.equal(await ended(server), 0)
})

function readmeOf(name: Name): string {
  return readFileSync(join(packages, name, 'README.md'), 'utf8')
}

function exampleOf(name: Name): string {
  return blocksOf(readmeOf(name), 'ts').join('')
}

interface PrintOptions {
  readonly cwd?: string
  readonly text?: string
  readonly env?: NodeJS.ProcessEnv
}

/** What an example prints. Rejects when it throws. */
async function printed(
  t: Test,
  name: Name,
  { cwd = temporaryFolder(t), text = exampleOf(name), env = {} }: PrintOptions = {},
): Promise<string> {
  return (await run(process.execPath, [exampleFile(t, name, text)], { cwd, env: { ...process.env, ...env } }))
    .stdout
}

/** Starts an example that runs until SIGTERM. */
function started(t: Test, name: Name, env: NodeJS.ProcessEnv): ChildProcess {
  const file = exampleFile(t, name, exampleOf(name))
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => ended(child))
  return child
}
