import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { needsCaddy, startCaddy } from '../support/caddy.ts'
import { needsNginx, nginxForOne, nginxForThree, startNginx } from '../support/nginx.ts'
import { blocksOf } from '../support/readme-examples.ts'

const file = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')

const token = randomBytes(32).toString('base64url')
/** The paths that are secrets: a link, a one-time link, and a link of an account's new address. */
const paths = [`/${token}`, `/welcome/${token}`, `/confirm/${token}`]
const host = 's.example.org'

/** What stands for the service. It treats a request as its header `x-fault` says. */
async function startUpstream(t: Test) {
  /** Calls of `hang` that the proxy has not given up. */
  const hanging = new Set<IncomingMessage>()
  const server = createServer((call, answer) => {
    const fault = call.headers['x-fault']
    if (fault === 'reset') return void call.socket.destroy()
    if (fault === 'break off') {
      answer.writeHead(200, { 'content-length': '100' })
      return void answer.write('a part', () => call.socket.destroy())
    }
    call.resume().on('error', () => {}) // clients that break off
    if (fault !== 'hang') return void call.on('end', () => answer.end('{}'))
    hanging.add(call)
    answer.on('close', () => hanging.delete(call))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  t.teardown(stop)
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, hanging, stop }
}

interface Call {
  readonly path: string
  readonly fault?: 'reset' | 'break off' | 'hang'
  readonly body?: Buffer
  readonly localAddress?: string
}

/** Sends a request, whose page had a secret address too. Resolves with the status, or 0 without a whole answer. */
function send(port: number, { path, fault, body, localAddress = '127.0.0.1' }: Call): Promise<number> {
  return new Promise((resolve) => {
    const call = request({
      ...{ host: '127.0.0.1', port, path, localAddress, agent: false },
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, referer: `https://${host}/${token}`, ...(fault ? { 'x-fault': fault } : {}) },
    })
    call.on('error', () => resolve(0))
    call.on('response', (answer) => {
      answer.resume().on('error', () => resolve(0))
      answer.on('end', () => resolve(answer.statusCode ?? 0))
    })
    call.end(body)
  })
}

/** Sends a text, and breaks off once `until` holds. */
async function breakOff(port: number, text: string, until: () => boolean): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await new Promise((resolve) => socket.write(text, resolve))
  while (!until()) await send(port, { path: '/' })
  socket.destroy()
}

/** Lets requests for every secret path fail in many ways, at last with the service down. */
async function failInManyWays(port: number, { hanging, stop }: Awaited<ReturnType<typeof startUpstream>>) {
  for (const path of paths) {
    await send(port, { path })
    await send(port, { path, fault: 'reset' })
    await send(port, { path, fault: 'break off' })
    await send(port, { path, body: Buffer.alloc(600_000) })
    const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`
    const hangs = () => hanging.size > 0
    await breakOff(port, `${head}X-Fault: hang\r\nContent-Length: 9\r\n\r\npart`, hangs)
    while (hangs()) await send(port, { path: '/' })
    await breakOff(port, `${head.replace('POST', 'GET')}X-Fault: hang\r\n\r\n`, hangs)
    while (hangs()) await send(port, { path: '/' })
    await breakOff(port, `${head}X-Fa`, () => true)
    await breakOff(port, `${head}X-\u0001: bad\r\n\r\n`, () => true)
    await breakOff(port, `${head}Transfer-Encoding: chunked\r\n\r\nno length\r\n`, () => true)
    await breakOff(port, `${head}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`, () => true)
    await breakOff(port, `GET ${path}${'x'.repeat(100_000)} HTTP/1.1\r\n\r\n`, () => true)
  }
  await stop()
  for (const path of paths) await send(port, { path })
}

const nginxConfigs = { 'one server': nginxForOne, 'three servers': nginxForThree }

for (const [name, config] of Object.entries(nginxConfigs)) {
  const startProxy = async (t: Test, text = config) => {
    const upstream = await startUpstream(t)
    const nginx = await startNginx(t, text, (so) =>
      // With max_fails nginx would not ask a server again for ten seconds after a failure.
      so
        .replaceAll(/server 127\.0\.0\.1:300\d/g, `server ${upstream.address} max_fails=0`)
        .replace('127.0.0.1:3000', upstream.address)
        // So that a short body is too large.
        .replace('client_max_body_size 260m', 'client_max_body_size 512k'),
    )
    return { ...nginx, upstream }
  }

  // Promise (Installing and operating): The printed nginx configuration serves API and links: and writes no token into any log, whatever
  // fails
  t.test(`no log of nginx before ${name} ever has a token`, needsNginx, async (t) => {
    const { port, plainPort, logs, upstream } = await startProxy(t)
    for (const path of paths) t.equal(await send(plainPort, { path }), 308, 'the redirect to https')
    await failInManyWays(port, upstream)
    t.notMatch(logs(), token)
    const statuses = new Set([...logs().matchAll(/^\S+ (?:GET|POST|-) (\d+) /gm)].map(([, status]) => status))
    for (const status of ['200', '400', '413', '414', '499', '502']) t.ok(statuses.has(status), status)
  })

  t.test(`without its error_log nginx before ${name} does log tokens`, needsNginx, async (t) => {
    const { port, logs, upstream } = await startProxy(t, config.replaceAll(/^ *error_log .*\n/gm, ''))
    await failInManyWays(port, upstream)
    for (const path of paths) t.match(logs(), path)
  })

  // Promise (Installing and operating): The printed nginx configuration serves API and links: and bounds the requests of one address at the
  // same time
  t.test(`nginx before ${name} bounds the requests of an address`, needsNginx, async (t) => {
    const { port, logs, upstream } = await startProxy(t)
    const [path = ''] = paths
    for (let at = 0; at < 100; at += 1) void send(port, { path, fault: 'hang' })
    while (upstream.hanging.size < 100) await send(port, { path: '/', localAddress: '127.0.0.2' })
    t.equal(await send(port, { path }), 429)
    t.equal(await send(port, { path, localAddress: '127.0.0.2' }), 200, 'another address')
    t.notMatch(logs(), token)
  })
}

const caddyfiles = {
  'docs/proxy.md': blocksOf(file('docs/proxy.md'), 'caddy')[0] ?? '',
  'deploy/container/Caddyfile': file('deploy/container/Caddyfile'),
}

for (const [name, caddyfile] of Object.entries(caddyfiles)) {
  const logsOf = async (t: Test, text: string) => {
    const upstream = await startUpstream(t)
    const caddy = await startCaddy(t, text, (so) => so.replace(/\S+:3000/, upstream.address))
    await failInManyWays(caddy.port, upstream)
    return caddy.logs()
  }

  // Promise (Installing and operating): Nor do the printed Caddyfile and that of compose
  t.test(`Caddy with ${name} logs failures and never a token`, needsCaddy, async (t) => {
    const logs = await logsOf(t, caddyfile)
    t.match(logs, /"logger":"http\.log\.error".*"status":502/)
    t.notMatch(logs, token)
  })

  t.test(`without its filter Caddy with ${name} does log tokens`, needsCaddy, async (t) => {
    const logs = await logsOf(t, caddyfile.replace('request delete', ''))
    for (const path of paths) t.match(logs, path)
  })
}
