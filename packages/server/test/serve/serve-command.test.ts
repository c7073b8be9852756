import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { runSotto, spawnServer, spawnSotto } from '../support/spawned.ts'

/** Sends the request of a printed curl line. */
async function paste(line: string): Promise<Response> {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
  const [curl, silent, url = '', ...options] = words
  if (curl !== 'curl' || silent !== '-sS') throw new Error(`not a curl line: ${line}`)
  const headers = new Headers()
  let body: string | undefined
  for (let at = 0; at < options.length; at += 2) {
    const [option, value = ''] = options.slice(at)
    if (option === '-H') headers.set(value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 2))
    else if (option === '-d') body = value
    else throw new Error(`an unknown option: ${option ?? ''}`)
  }
  return fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body: body ?? null })
}

function get(baseUrl: string, path: string, token: string): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
  })
}

/** Sends the form of a one-time link's page. Where the answer leads, and the cookie of the session. */
async function choosePassword(url: string): Promise<[location: string | null, cookie: string]> {
  const body = new URLSearchParams({ password: 'four words in a row' })
  const { headers } = await fetch(url, { method: 'POST', body, redirect: 'manual' })
  return [headers.get('location'), (headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '']
}

interface Envelope<T> {
  readonly success: boolean
  readonly data: T
}

async function dataOf<T>(response: Response): Promise<T> {
  const { data } = (await response.json()) as Envelope<T>
  return data
}

t.test(
  'a first start prints a token and a request that work, and the next start goes on with the same data',
  async (t) => {
    const cwd = t.testdir()
    const email = 'ann@example.org'
    const env = { SOTTO_LOG_LEVEL: 'trace', SOTTO_SERVICE_HOST: '10.0.0.11', SOTTO_OWNER_EMAIL: email }
    const first = spawnSotto(t, ['serve'], { cwd, env })
    const [line] = await first.printed(/curl .*/)
    const [, base = ''] = /its API is (\S+)\/api,/.exec(first.stdout()) ?? []
    const [token = ''] = /sotto_[0-9A-Za-z]{46}/.exec(first.stdout()) ?? []

    const created = await paste(line)
    t.equal(created.status, 201, 'the printed line creates a secret')
    const secret = await dataOf<{ id: string; link: { url: string } }>(created)
    t.ok(secret.link.url.startsWith(`${base}/`), 'its link leads to this server')
    t.equal((await get(base, '/api/secret/nonsense', token)).status, 404)
    t.equal((await get(base, `/${'x'.repeat(43)}?${token}`, token)).status, 404)

    const [, invitation = ''] = /^ {2}(http\S+\/welcome\/[\w-]{43})$/m.exec(first.stdout()) ?? []
    t.ok(invitation.startsWith(`${base}/`), 'a one-time link is printed beside it')
    const [dashboard, cookie] = await choosePassword(invitation)
    t.equal(dashboard, '/dashboard?done=invitation')
    const owned = await fetch(`${base}/dashboard`, { headers: { cookie } })
    t.match({ status: owned.status, page: await owned.text() }, { status: 200, page: /First secret/ })
    t.equal((await fetch(invitation)).status, 404, 'it works once')

    const list = (path: string) => get(base, path, token)
    t.match(await dataOf(await list('/api/folders')), [{ label: 'Inbox', drafts_count: 0, secrets_count: 1 }])
    t.match(await dataOf(await list('/api/secrets')), [secret])
    t.match(await dataOf(await list(`/api/secret/${secret.id}`)), secret)

    await t.test('the command works beside the server', async (t) => {
      const owner = ['--account', email]
      const more = await runSotto(t, ['token', 'create', ...owner, '--name', 'job'], { cwd })
      const job = more.stdout.trim()
      t.match(more, { code: 0, stderr: '' })
      t.equal((await get(base, '/api/folders', job)).status, 200)
      const tokens = await runSotto(t, ['token', 'list', ...owner, '--json'], { cwd })
      const id = (JSON.parse(tokens.stdout) as { id: string; name: string }[]).find(
        ({ name }) => name === 'job',
      )?.id
      t.match(await runSotto(t, ['token', 'revoke', ...owner, id ?? ''], { cwd }), { code: 0 })
      t.equal((await get(base, '/api/folders', job)).status, 401)
      t.match(await runSotto(t, ['purge', '--json'], { cwd }), { code: 0, stdout: /^\{"secrets":0,/ })
    })

    first.child.kill('SIGTERM')
    t.equal(await first.ended, 0)
    t.match(first.stderr(), /"msg":"stopping"/)
    t.match(first.stderr(), /"ignored":\["SOTTO_SERVICE_HOST"\],"msg":"variables that Kubernetes sets/)
    const linkToken = secret.link.url.slice(base.length + 1)
    for (const text of [
      token,
      invitation.slice(-43),
      cookie.slice(-43),
      linkToken,
      'nonsense',
      'First secret',
      'It works',
      'xxxx',
    ]) {
      t.notOk(first.stderr().includes(text), `${text} is not in the log`)
    }
    t.strictSame(
      readdirSync(`${cwd}/data`).sort(),
      ['quota.sqlite', 'sotto.sqlite'],
      'no write-ahead log is left',
    )

    const second = spawnSotto(t, ['serve'], { cwd, env })
    const [, again = ''] = await second.printed(/its API is (\S+)\/api,.*\n/)
    t.notMatch(second.stdout(), /sotto_|curl|invitation/, 'a token is printed once')
    t.match(await dataOf(await get(again, '/api/secrets', token)), [{ id: secret.id }])
    second.child.kill('SIGINT')
    t.equal(await second.ended, 0)
  },
)

t.test('two simultaneous first starts make one installation', async (t) => {
  const cwd = t.testdir()
  const env = { SOTTO_LIMIT_PER_MINUTE: '5' }
  const servers = await Promise.all([spawnServer(t, { cwd, env }), spawnServer(t, { cwd, env })])
  const starts = servers.flatMap(({ firstStart }) => firstStart ?? [])
  t.equal(starts.length, 1, 'one of them makes the account')
  const names = ['account', 'folder_id', 'folder_label', 'token', 'token_expires_at', 'welcome_url']
  t.strictSame(Object.keys(starts[0] ?? {}), names)
  t.strictSame(readdirSync(`${cwd}/keys`), ['sotto-keys.json'])
  const token = starts[0]?.token ?? ''
  const statuses: number[] = []
  const left: (string | null)[] = []
  for (let call = 0; call < 7; call += 1) {
    const response = await get(servers[call % 2]?.baseUrl ?? '', '/api/folders', token)
    statuses.push(response.status)
    left.push(response.headers.get('x-ratelimit-remaining'))
  }
  t.strictSame(statuses, [200, 200, 200, 200, 200, 429, 429], 'they share the quota')
  t.strictSame(left, ['4', '3', '2', '1', '0', '0', '0'])
  for (const { child } of servers) child.kill('SIGTERM')
  t.strictSame(await Promise.all(servers.map(({ ended }) => ended)), [0, 0])
})

t.test('a server that cannot start prints one sentence', async (t) => {
  const cwd = t.testdir()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const used = await runSotto(t, ['serve'], { cwd, env: { SOTTO_PORT: port, SOTTO_LOG_LEVEL: 'error' } })
  t.strictSame(used, {
    code: 1,
    stdout: '',
    stderr: `sotto: port ${port} is in use by another program: stop that, or set SOTTO_PORT\n`,
  })
  other.close()
  const foreign = await runSotto(t, ['serve'], { cwd, env: { SOTTO_HOST: '192.0.2.1' } })
  t.strictSame(foreign, {
    code: 1,
    stdout: '',
    stderr: 'sotto: SOTTO_HOST is not an address of this machine\n',
  })
})
