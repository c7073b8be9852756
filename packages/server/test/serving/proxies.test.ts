import { request, type IncomingHttpHeaders } from 'node:http'
import t, { type Test } from 'tap'
import { addOwner, addSecret, startTestServer, type TestServer } from '../support/installation.ts'

const spoofedAddress = '203.0.113.9'

/** What proxies send about their clients, each naming another address, host or protocol. */
const spoofed = {
  'x-forwarded-host': 'spoofed.example',
  'x-forwarded-server': 'spoofed.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-scheme': 'https',
  'x-forwarded-ssl': 'on',
  'x-forwarded-port': '443',
  'x-forwarded-prefix': '/spoofed',
  'x-original-host': 'spoofed.example',
  'x-original-url': '/spoofed',
  'x-rewrite-url': '/spoofed',
  'x-http-method-override': 'DELETE',
  'x-real-ip': spoofedAddress,
  'x-client-ip': spoofedAddress,
  'true-client-ip': spoofedAddress,
  'cf-connecting-ip': spoofedAddress,
  'fastly-client-ip': spoofedAddress,
  'x-cluster-client-ip': spoofedAddress,
  forwarded: `for=${spoofedAddress};host=spoofed.example;proto=https`,
  via: '1.1 spoofed.example',
}

const withAddress = { ...spoofed, 'x-forwarded-for': spoofedAddress }
const proxy = { SOTTO_TRUST_PROXY: '127.0.0.1/32' }
const form = 'application/x-www-form-urlencoded'

// Promise (The JSON API): Headers of proxies change nothing without a trusted proxy
t.test('without a trusted proxy no forwarded header changes bucket, host, protocol or log', async (t) => {
  await checkSpoofed(t, {}, withAddress)
})

// Promise (The JSON API): Headers of proxies change nothing without a trusted proxy: and a trusted proxy changes only the client's address
t.test('a trusted proxy is believed nothing but its X-Forwarded-For', async (t) => {
  await checkSpoofed(t, proxy, spoofed)
})

t.test('the log has the address that a trusted proxy gives', async (t) => {
  const server = await startTestServer(t, t.testdir(), {
    env: { ...proxy, SOTTO_LOG_ADDRESSES: 'true' },
  })
  await ask(server, '/login', { 'content-type': form, 'x-forwarded-for': spoofedAddress }, signIn)
  t.match(await auditLines(server), `"address":"${spoofedAddress}"`)
})

// Promise (The JSON API): IPv6 addresses share the bucket of their /64
t.test('callers behind a trusted proxy share the bucket of their IPv6 /64, and no other', async (t) => {
  const server = await startTestServer(t, t.testdir(), { env: { ...proxy, SOTTO_LIMIT_PER_MINUTE: '60' } })
  const remaining = async (address: string) =>
    (await ask(server, '/api/folders', { 'x-forwarded-for': address })).headers['x-ratelimit-remaining']
  t.equal(await remaining('2001:db8:1:2::1'), '59')
  t.equal(await remaining('2001:db8:1:2:ffff:ffff:ffff:ffff'), '58')
  t.equal(await remaining('2001:db8:1:3::1'), '59', 'another /64')
  t.equal(await remaining('::ffff:198.51.100.1'), '59')
  t.equal(await remaining('198.51.100.1'), '58', 'the same IPv4 address')
  t.equal(await remaining('2001:db8:1:4::1, 198.51.100.1'), '57', 'only the last hop counts')
  t.equal(
    await remaining(`${'2001:db8:1:2::1,'.repeat(20)}nonsense`),
    '59',
    'what is no address has a bucket of its own',
  )
})

const signIn = new URLSearchParams({
  email: 'ann@example.org',
  password: 'a wrong passphrase',
  next: '',
}).toString()

/** Sends each request without and with the headers, which must make no difference. */
async function checkSpoofed(
  t: Test,
  env: NodeJS.ProcessEnv,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const server = await startTestServer(t, t.testdir(), {
    env: { ...env, SOTTO_LOG_ADDRESSES: 'true' },
  })
  const owner = await addOwner(server.installation)
  const { link } = await addSecret(server.installation, owner)
  const bearer = { authorization: `Bearer ${owner.token}` }
  const secret = JSON.stringify({ label: 'l', note: 'n', folder_id: owner.folderId })
  const requests: readonly (readonly [path: string, own: object, body?: string])[] = [
    ['/api/folders', {}],
    ['/api/unknown', bearer],
    ['/api/secrets', bearer],
    ['/api/secret', { ...bearer, 'content-type': 'application/json' }, secret],
    ['/', {}],
    ['/dashboard', {}],
    [`/${link.token}`, { accept: 'application/json' }],
    ['/login', { 'content-type': form }, signIn],
    ['/openapi.json', {}],
    ['/healthz', {}],
  ]
  for (const [path, own, body] of requests) {
    const plain = await ask(server, path, { ...own }, body)
    const other = await ask(server, path, { ...own, ...headers }, body)
    t.strictSame(shape(other), shape(plain), path.slice(0, 20))
    const [before, after] = [plain, other].map((answer) => Number(answer.headers['x-ratelimit-remaining']))
    if (path.startsWith('/api/')) t.equal(after, Number(before) - 1, `${path}: the same bucket`)
    t.notMatch(JSON.stringify(other), /spoofed|203\.0\.113/)
  }
  t.match(await auditLines(server), /"address":"127\.0\.0\.1"/)
  t.notMatch(server.log.join(''), /spoofed|203\.0\.113/)
}

/** Everything that a forwarded header could change; not what differs between two requests anyway. */
function shape({ status, headers, body }: Answer): unknown {
  const { date: _, 'x-ratelimit-remaining': __, 'x-request-id': ____, ...compared } = headers
  const { location = '', 'content-length': ___, ...others } = compared
  const urls = body.match(/https?:\/\/[^/"\\]+/g) ?? []
  return { status, others, urls: [...new Set(urls)], location: location.replace(/[0-9a-f-]{36}/, '{id}') }
}

/** Stops the server: the last lines are written then at the latest. */
async function auditLines({ server, log }: TestServer): Promise<string> {
  await server.stop()
  return log.filter((line) => line.includes('"audit":true')).join('')
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `fetch` sends no Forwarded and no Via. */
function ask({ baseUrl }: TestServer, path: string, headers: object, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers },
      agent: false as const,
    }
    const sent = request(`${baseUrl}${path}`, options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.once('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      )
    })
    sent.once('error', reject).end(body)
  })
}
