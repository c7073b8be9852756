import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { needsCaddy, startCaddy } from '../support/caddy.ts'
import { needsNginx, nginxForOne, startNginx } from '../support/nginx.ts'
import { blocksOf } from '../support/readme-examples.ts'
import { spawnServer } from '../support/spawned.ts'

const document = readFileSync(new URL('../../../../docs/proxy.md', import.meta.url), 'utf8')
const [caddyfile = ''] = blocksOf(document, 'caddy')

/** The server with two hosts, which trusts the proxy that the document names. */
async function startService(t: Test, env: NodeJS.ProcessEnv = {}) {
  const server = await spawnServer(t, {
    cwd: t.testdir(),
    env: {
      SOTTO_BASE_URL: 'http://sotto.example.org',
      SOTTO_LINK_BASE_URL: 'http://s.example.org',
      SOTTO_TRUST_PROXY: '127.0.0.1',
      SOTTO_LOG_ADDRESSES: 'true',
      ...env,
    },
  })
  const { listening } = JSON.parse(server.stdout()) as { listening: string }
  return { ...server, listening, token: server.firstStart?.token, folderId: server.firstStart?.folder_id }
}

/** Runs nginx with the printed configuration in front of a service. */
const startProxy = (t: Test, listening: string, change = (text: string) => text) =>
  startNginx(t, nginxForOne, (text) => change(text).replace('http://127.0.0.1:3000', listening))

/** Sends a request as a client at 127.0.0.2. */
async function send(port: number, host: string, path: string, headers = {}, body?: string) {
  const call = request({
    ...{ host: '127.0.0.1', port, path, localAddress: '127.0.0.2', agent: false },
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, ...headers },
  })
  call.end(body)
  const [answer] = (await once(call, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
  let text = ''
  for await (const part of answer) text += part.toString()
  return { status: answer.statusCode, text }
}

const json = { 'content-type': 'application/json', accept: 'application/json' }
const wrongSignIn = 'email=ann%40example.org&password=not+the+password&next='
const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.9' }

// Promise (Installing and operating): The printed nginx configuration serves API and links
t.test('behind nginx, API and links answer on their hosts', needsNginx, async (t) => {
  const { listening, token, folderId } = await startService(t)
  const { port } = await startProxy(t, listening)
  const secret = JSON.stringify({ label: 'Door', note: 'n'.repeat(60_000), folder_id: folderId })
  const authorization = `Bearer ${token}`
  const made = await send(port, 'sotto.example.org', '/api/secret', { ...json, authorization }, secret)
  t.equal(made.status, 201, made.text)
  const { url } = (JSON.parse(made.text) as { data: { link: { url: string } } }).data.link
  const { host, pathname } = new URL(url)
  const page = await send(port, host, pathname, { accept: 'text/html' })
  t.match([page.status, page.text], [200, /<form/])
  const opened = await send(port, host, pathname, json, '{}')
  t.match([opened.status, opened.text], [200, /n{60000}/])
  t.equal((await send(port, 's.example.org', '/api/folders', { authorization })).status, 404)
})

// Promise (Installing and operating): The printed nginx configuration serves API and links: and lets Sotto answer a body that is too large
// in its own words
t.test('behind nginx, a body a little above its limit is refused by Sotto itself', needsNginx, async (t) => {
  const { listening, token } = await startService(t)
  const { port } = await startProxy(t, listening)
  const headers = { ...json, authorization: `Bearer ${token}` }
  const largest = 6 * 65_536 + 16_384
  const create = (bytes: number) => send(port, 'sotto.example.org', '/api/secret', headers, '1'.repeat(bytes))
  t.match(await create(largest), { status: 400, text: /^\{"success":false/ }, 'read whole')
  t.match(await create(largest + 1), { status: 413, text: /^\{"success":false/ }, 'refused by Sotto')
  const tooLong = { ...headers, 'content-length': '300000000' }
  const refused = await send(port, 'sotto.example.org', '/api/secret', tooLong, '1')
  t.match(refused, { status: 413, text: /nginx/ }, 'refused by nginx')
})

// Promise (Installing and operating): The printed nginx configuration serves API and links: and passes on the clients' addresses
t.test('behind nginx, clients are told apart by address', needsNginx, async (t) => {
  for (const [trusted, expected] of [
    ['127.0.0.1', '127.0.0.2'],
    ['', '127.0.0.1'],
  ] as const) {
    const service = await startService(t, { SOTTO_TRUST_PROXY: trusted })
    const { port } = await startProxy(t, service.listening)
    t.equal((await send(port, 'sotto.example.org', '/login', form, wrongSignIn)).status, 401)
    service.child.kill('SIGTERM')
    await service.ended
    const [audit] = /^.*"sign_in_refused".*$/m.exec(service.stderr()) ?? []
    t.match(JSON.parse(audit ?? '{}'), { address: expected }, `SOTTO_TRUST_PROXY=${trusted}`)
  }
})

t.test(
  'behind a plain proxy_pass every path is a 404, and one line of the log says why',
  needsNginx,
  async (t) => {
    const service = await startService(t)
    const { port } = await startProxy(t, service.listening, (text) =>
      text.replace(/^.*proxy_set_header Host.*\n/m, ''),
    )
    for (const path of ['/', '/login', '/api/folders'])
      t.equal((await send(port, 'sotto.example.org', path)).status, 404, path)
    service.child.kill('SIGTERM')
    await service.ended
    const warnings = service.stderr().match(/^.*expectedHosts.*$/gm)
    t.equal(warnings?.length, 1)
    t.match(warnings?.[0], '"expectedHosts":["sotto.example.org","s.example.org"]')
  },
)

t.test('Caddy takes the printed Caddyfile', needsCaddy, async (t) => {
  const file = join(t.testdir({ Caddyfile: caddyfile }), 'Caddyfile')
  const { status, stderr } = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], {
    encoding: 'utf8',
    env: { ...process.env, HOME: t.testdirName },
  })
  t.equal(status, 0, stderr)
})

t.test('behind each proxy, a client that waits for 100 Continue is served', async (t) => {
  const { listening, token, folderId } = await startService(t)
  const secret = JSON.stringify({ label: 'Door', note: 'n'.repeat(60_000), folder_id: folderId })
  const post = (port: number, authorization: string) =>
    request({
      ...{ host: '127.0.0.1', port, path: '/api/secret', method: 'POST', agent: false },
      headers: {
        ...json,
        ...{
          host: 'sotto.example.org',
          authorization,
          'content-length': secret.length,
          expect: '100-continue',
        },
      },
    })
  const statusOf = async (sent: ReturnType<typeof post>) =>
    ((await once(sent, 'response')) as [{ statusCode: number }])[0].statusCode
  const check = async (t: Test, port: number) => {
    const good = post(port, `Bearer ${token}`)
    good.flushHeaders()
    await once(good, 'continue')
    good.end(secret)
    t.equal(await statusOf(good), 201)
    // Caddy sends the body without waiting for Sotto, so now and then while the refusal arrives.
    const statuses = new Set<number>()
    for (let time = 0; time < 300; time += 1) {
      const refused = post(port, 'Bearer wrong')
      refused.once('continue', () => refused.end(secret)).flushHeaders()
      statuses.add(await statusOf(refused))
      refused.destroy()
    }
    t.same(
      [...statuses].filter((status) => status !== 401 && status !== 429),
      [],
    )
  }
  await t.test('nginx', needsNginx, async (t) => check(t, (await startProxy(t, listening)).port))
  await t.test('Caddy', needsCaddy, async (t) => {
    const change = (text: string) => text.replace('127.0.0.1:3000', new URL(listening).host)
    await check(t, (await startCaddy(t, caddyfile, change)).port)
  })
})
