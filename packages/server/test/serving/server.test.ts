import { findFreePort } from '@sotto/system'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { expectOk } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import t, { type Test } from 'tap'
import { startServer } from '../../src/serving/server.ts'
import { addOwner, openIn } from '../support/installation.ts'

async function installationOf(t: Test, env: NodeJS.ProcessEnv = {}) {
  const port = await findFreePort()
  const installation = await openIn(t.testdir(), { env: { SOTTO_PORT: String(port), ...env } })
  t.teardown(() => installation.close())
  return installation
}

t.test('a stopping server closes connections whose requests take too long', async (t) => {
  const installation = await installationOf(t)
  const { token } = await addOwner(installation)
  const lines: string[] = []
  const logStream = { write: (line: string) => lines.push(line) }
  const server = expectOk(await startServer({ installation, logStream, stopMillis: 20 }))
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': 9,
    expect: '100-continue',
  }
  const post = request(`${server.address}/api/secret`, { method: 'POST', headers })
  post.flushHeaders()
  await once(post, 'continue')
  const [failed] = await Promise.all([once(post, 'error'), server.stop()])
  t.match(failed, [{ code: 'ECONNRESET' }])
  t.match(lines.join(''), /requests that took too long were cut off/)
})

t.test('a connection whose last request ends while the server stops does not delay it', async (t) => {
  const installation = await installationOf(t)
  const lines: string[] = []
  const logStream = { write: (line: string) => lines.push(line) }
  const server = expectOk(await startServer({ installation, logStream }))
  const agent = new Agent({ keepAlive: true })
  t.teardown(() => agent.destroy())
  const headers = { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' }
  const post = request(`${server.address}/${'A'.repeat(43)}`, { method: 'POST', headers, agent })
  post.flushHeaders()
  await once(post, 'continue')
  const stopped = server.stop()
  post.end('{}')
  const [response] = (await once(post, 'response')) as [{ statusCode?: number; resume(): void }]
  response.resume()
  t.equal(response.statusCode, 404, 'the running request is answered')
  await stopped
  t.notMatch(lines.join(''), /cut off/)
})

t.test('an open CONNECT does not keep the server from stopping', async (t) => {
  const installation = await installationOf(t)
  const server = expectOk(await startServer({ installation, logStream: { write: () => {} } }))
  const { hostname, port } = new URL(server.address)
  const client = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  t.teardown(() => client.destroy())
  client.on('error', () => undefined).write('CONNECT /x HTTP/1.1\r\nHost: a\r\n\r\n')
  const [answer] = (await once(client, 'data')) as [Buffer]
  t.match(answer.toString(), /^HTTP\/1\.1 4/)
  await server.stop()
  t.pass('it stopped')
})

t.test('a server whose address is https warns when it trusts no proxy', async (t) => {
  for (const [baseUrl, proxy, warns] of [
    ['https://sotto.example.org', '', true],
    ['https://sotto.example.org', '127.0.0.1', false],
    ['http://localhost:3000', '', false],
  ] as const) {
    const installation = await installationOf(t, { SOTTO_BASE_URL: baseUrl, SOTTO_TRUST_PROXY: proxy })
    const lines: string[] = []
    const logStream = { write: (line: string) => lines.push(line) }
    await expectOk(await startServer({ installation, logStream })).stop()
    const warnings = lines.filter((line) => line.includes('SOTTO_TRUST_PROXY') && line.includes('"level":40'))
    t.equal(warnings.length, warns ? 1 : 0, `${baseUrl} ${proxy}`)
  }
})

// Promise (The owner's pages): Audit lines hold ids, and nothing confidential: and an address only if the operator enables it
t.test('audit lines have the client’s address only where SOTTO_LOG_ADDRESSES is true', async (t) => {
  for (const [value, expected] of [
    ['true', '127.0.0.1'],
    ['false', undefined],
    [undefined, undefined],
  ] as const) {
    const lines: string[] = []
    const installation = await installationOf(t, value === undefined ? {} : { SOTTO_LOG_ADDRESSES: value })
    const logStream = { write: (line: string) => lines.push(line) }
    const server = expectOk(await startServer({ installation, logStream }))
    const body = new URLSearchParams({ email: 'ann@example.org', password: 'a wrong passphrase', next: '' })
    t.equal((await fetch(`${server.address}/login`, { method: 'POST', body })).status, 401)
    await server.stop()
    const audits = lines
      .flatMap((text) => text.trimEnd().split('\n'))
      .map((line) => JSON.parse(line) as { audit?: boolean; event?: string; address?: string })
      .filter(({ audit }) => audit === true)
    t.match(audits, [{ event: 'sign_in_refused' }])
    t.equal(audits[0]?.address, expected, `SOTTO_LOG_ADDRESSES=${String(value)}`)
  }
})

t.test('readiness is checked on the disk at most once a second', async (t) => {
  const opened = await installationOf(t)
  let nowMicros = 1_760_000_000_000_000
  let asked = 0
  const upkeep = { ...opened.storage.upkeep, canWrite: () => okAsync(void (asked += 1)) }
  const installation = {
    ...opened,
    ports: { ...opened.ports, clock: { nowMicros: () => nowMicros } },
    storage: { ...opened.storage, upkeep },
  }
  const server = expectOk(await startServer({ installation, logStream: { write: () => {} } }))
  t.teardown(() => server.stop())
  const ready = async () => (await fetch(`${server.address}/readyz`)).status
  t.strictSame([await ready(), await ready(), asked], [200, 200, 1])
  nowMicros += 1_000_000
  t.strictSame([await ready(), asked], [200, 2])
  nowMicros -= 3_600_000_000
  t.strictSame([await ready(), asked], [200, 3], 'also after the clock was set back')
})

t.test('with two hosts each answers its own paths only', async (t) => {
  const installation = await installationOf(t, {
    SOTTO_BASE_URL: 'https://api.example.org',
    SOTTO_LINK_BASE_URL: 'https://s.example.org',
  })
  const server = expectOk(await startServer({ installation, logStream: { write: () => {} } }))
  t.teardown(() => server.stop())
  const status = async (host: string, path: string): Promise<number | undefined> => {
    const get = request(`${server.address}${path}`, { headers: { host } }).end()
    const [response] = (await once(get, 'response')) as [{ statusCode?: number; resume(): void }]
    response.resume()
    return response.statusCode
  }
  t.equal(await status('api.example.org', '/api/folders'), 401)
  t.equal(await status('s.example.org', '/api/folders'), 404)
  t.equal(await status('other.example.org', '/api/folders'), 404)
  for (const host of ['api.example.org', 's.example.org', 'other.example.org']) {
    t.equal(await status(host, '/healthz'), 200)
  }
})

t.test(
  'the address of a server on IPv6 is a URL',
  { skip: (await listensOn6()) ? false : 'this machine has no IPv6' },
  async (t) => {
    const installation = await installationOf(t, { SOTTO_HOST: '::1' })
    const server = expectOk(await startServer({ installation, logStream: { write: () => {} } }))
    t.teardown(() => server.stop())
    t.match(server.address, /^http:\/\/\[::1\]:\d+$/)
    t.equal((await fetch(`${server.address}/healthz`)).status, 200)
  },
)

async function listensOn6(): Promise<boolean> {
  return findFreePort('::1').then(
    () => true,
    () => false,
  )
}

t.test('an unknown host is logged once, with the hosts that the settings name', async (t) => {
  const installation = await installationOf(t, {
    SOTTO_BASE_URL: 'https://api.example.org',
    SOTTO_LINK_BASE_URL: 'https://s.example.org',
    SOTTO_TRUST_PROXY: '127.0.0.1',
  })
  const lines: string[] = []
  const logStream = { write: (line: string) => lines.push(line) }
  const server = expectOk(await startServer({ installation, logStream }))
  for (const path of ['/', '/api/folders', '/docs'])
    t.equal((await fetch(`${server.address}${path}`)).status, 404, path)
  await server.stop()
  const warnings = lines.filter((line) => line.includes('"level":40'))
  t.equal(warnings.length, 1)
  t.match(warnings[0], /"expectedHosts":\["api.example.org","s.example.org"\]/)
})
