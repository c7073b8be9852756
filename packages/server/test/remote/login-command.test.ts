import { findFreePort } from '@sotto/system'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { owner, startSender, typing } from '../support/remote.ts'

// `sotto login` against a server.

const share = ['share', '--label', 'L']

// Promise (Clients): Only its owner can read the stored access
t.test('the access is kept where only its owner can read it, and share uses it', async (t) => {
  const { run, json, cwd, url, token } = await startSender(t)
  const env = { SOTTO_URL: '', SOTTO_TOKEN: '' }
  const file = join(cwd, '.config', 'sotto', 'client.json')
  for (const options of [
    { stdin: token },
    { stdin: `${token}\n` },
    { isTTY: true, ...typing(` ${token}`) },
  ]) {
    const { code, stdout, stderr } = await run(['login', url], { ...options, env })
    t.strictSame(
      { code, stdout, stderr },
      { code: 0, stdout: `The access to ${url} is in ${file}\n`, stderr: '' },
    )
    t.strictSame(JSON.parse(readFileSync(file, 'utf8')), { url, token })
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.equal(statSync(join(file, '..')).mode & 0o777, 0o700)
    t.strictSame(readdirSync(join(file, '..')), ['client.json'])
    t.equal((await run(share, { stdin: 'n', env })).code, 0)
  }
  t.strictSame(await json(['login', `${url}/`], { stdin: token, env }), { url: `${url}/`, file })
  t.equal((await run(share, { stdin: 'n', env })).code, 0, 'with a slash')
})

t.test('XDG_CONFIG_HOME names another directory; a relative one is ignored', async (t) => {
  const { json, cwd, url, token } = await startSender(t)
  const login = (config: string) => json(['login', url], { stdin: token, env: { XDG_CONFIG_HOME: config } })
  t.match(await login(join(cwd, 'xdg')), { file: join(cwd, 'xdg', 'sotto', 'client.json') })
  t.match(await login('xdg'), { file: join(cwd, '.config', 'sotto', 'client.json') })
})

t.test('an access that does not work is not kept', async (t) => {
  const { run, cwd, url, operate } = await startSender(t)
  const good = await operate(['token', 'create', ...owner, '--name', 'n'])
  for (const [address, token, text, exitCode = 1] of [
    [url, 'sotto_wrong', /the access token is not valid/],
    [url, '', /the access token is not valid|or the access token is none/],
    [url, 'two\u0001words', /or the access token is none/],
    [`http://127.0.0.1:${await findFreePort()}`, 'sotto_any', /no service answers there/, 5],
    [`${url}/docs/`, 'sotto_any', /the service knows no such path|not Sotto/],
    [`${url}/api`, good, /the service knows no such path: check the address, which ends before \/api/],
  ] as const) {
    const { code, stdout, stderr } = await run(['login', address], { stdin: token })
    t.match({ code, stdout, stderr }, { code: exitCode, stdout: '', stderr: text }, String(text))
  }
  t.equal((await run(['login', 'localhost'])).code, 2)
  t.notOk(existsSync(join(cwd, '.config')))
})

t.test('a token that may only write is kept', async (t) => {
  const { run, url, operate } = await startSender(t)
  const token = await operate(['token', 'create', ...owner, '--name', 'n', '--scopes', 'write'])
  t.equal((await run(['login', url], { stdin: token })).code, 0)
})

// Promise (Clients): Only its owner can read the stored access: and refused when others can read it
t.test('a file that others can read, or that holds something else, is refused', async (t) => {
  const { run, cwd, url, token } = await startSender(t)
  const env = { SOTTO_URL: '', SOTTO_TOKEN: '' }
  await run(['login', url], { stdin: token })
  const file = join(cwd, '.config', 'sotto', 'client.json')
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(file, mode)
    const { code, stderr } = await run(share, { stdin: 'n', env })
    t.match(
      { code, stderr },
      { code: 1, stderr: /client\.json can be read or changed by other users: run chmod 600/ },
    )
  }
  chmodSync(file, 0o600)
  renameSync(file, `${file}.old`)
  mkdirSync(file)
  chmodSync(file, 0o755)
  t.match(await run(share, { stdin: 'n', env }), {
    stderr: /client\.json is no regular file, and can be read/,
  })
  rmdirSync(file)
  renameSync(`${file}.old`, file)
  for (const text of ['', 'null', '[]', '{"url":1}', token]) {
    writeFileSync(file, text)
    const { code, stderr } = await run(share, { stdin: 'n', env })
    t.match({ code, stderr }, { code: 1, stderr: /client\.json cannot be used \(.+\): run sotto login/ })
    t.notMatch(stderr, token)
  }
})

t.test('SOTTO_URL and SOTTO_TOKEN do not stop the commands of the operator', async (t) => {
  const { run, cwd } = await startSender(t)
  t.match(await run(['init']), { code: 0, stderr: '' })
  t.ok(existsSync(join(cwd, 'data')))
})
