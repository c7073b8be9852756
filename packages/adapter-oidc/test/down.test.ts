import { expectErr, expectOk } from '@sotto/test-kit'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createManualClock } from '@sotto/test-kit'
import { createIdentityProvider, issuerError } from '../src/index.ts'
import type { Answer, Endpoint, Lies } from './support/lying-provider.ts'
import { open, redirectUri, startMicros } from './support/signing-in.ts'
import { tlsFiles } from './support/tls.ts'

const endpoints: readonly Endpoint[] = ['discovery', 'token', 'keys', 'userinfo']
const beginning = { redirectUri, fresh: false }

const failures: readonly (readonly [
  name: string,
  reason: RegExp,
  answer: (honest: Answer) => Answer | 'never' | 'cut',
])[] = [
  ['answers 500', /^status 500$/, () => ({ status: 500, body: '{"error":"server_error"}' })],
  ['answers 503', /^status 503$/, () => ({ status: 503, body: '' })],
  ['asks to come back later', /^status 429$/, () => ({ status: 429, body: '{}' })],
  [
    'sends elsewhere',
    /^status 302$/,
    () => ({ status: 302, body: '', headers: { location: 'https://other.example/' } }),
  ],
  [
    'answers half of a JSON',
    /^malformed answer$/,
    ({ body, ...rest }) => ({ ...rest, body: body.slice(0, -9) }),
  ],
  [
    'answers a page',
    /^malformed answer$/,
    ({ status }) => ({ status, body: '<p>', headers: { 'content-type': 'text/html' } }),
  ],
  ['ends the connection in the middle', /^connection cut$/, () => 'cut'],
  ['never answers', /^timeout$/, () => 'never'],
]

for (const [name, reason, answer] of failures) {
  t.test(`a provider that ${name} cannot be asked, and is asked again`, async (t) => {
    for (const endpoint of endpoints) {
      const claims: Lies['claims'] = (honest) => ({ ...honest, groups: undefined })
      const timeouts = name === 'never answers' ? { beginTimeoutMillis: 150, finishTimeoutMillis: 150 } : {}
      const { provider, signIn } = await open(t, { claims }, timeouts)
      provider.lies = { claims, answers: { [endpoint]: answer } }
      t.match(expectErr(await signIn(), 'identity_provider_unreachable').reason, reason, endpoint)
      provider.lies = {}
      if (name !== 'never answers') expectOk(await signIn())
    }
  })
}

t.test('a provider that answers more than is read cannot be asked, or proves nobody', async (t) => {
  const answer = ({ body, ...rest }: Answer): Answer => ({ ...rest, body: `${' '.repeat(300_000)}${body}` })
  const { provider, signIn } = await open(t, { answers: { discovery: answer } })
  t.equal(expectErr(await signIn(), 'identity_provider_unreachable').reason, 'answer too large')
  provider.lies = { answers: { token: answer } }
  t.equal(expectErr(await signIn(), 'sso_refused').reason, 'too_large')
})

t.test('a provider that is not there cannot be asked, until it is', async (t) => {
  const { provider, identities } = await open(t)
  await provider.setReachable(false)
  for (const _ of [1, 2])
    t.equal(
      expectErr(await identities.begin(beginning), 'identity_provider_unreachable').reason,
      'connection refused',
    )
})

t.test('a provider that does not accept the client says so to the operator', async (t) => {
  const { signIn } = await open(t, {}, { clientSecret: 'wrong' })
  t.match(expectErr(await signIn(), 'identity_provider_unreachable'), {
    reason: 'client id or secret not accepted',
    isRefusal: true,
  })
})

const metadata: readonly (readonly [name: string, reason: string, change: Record<string, unknown>])[] = [
  ['names another issuer', 'the provider names another issuer', { issuer: 'https://other.example' }],
  ['names no issuer', 'malformed answer', { issuer: undefined }],
  ['has no place to sign in', 'an endpoint is missing', { authorization_endpoint: undefined }],
  ['has no keys', 'an endpoint is missing', { jwks_uri: undefined }],
  [
    'would take codes without https',
    'an endpoint without https',
    { token_endpoint: 'http://other.example/token' },
  ],
  [
    'would sign in without https',
    'an endpoint without https',
    { authorization_endpoint: 'http://other.example' },
  ],
  ['would run a script', 'an endpoint without https', { authorization_endpoint: 'javascript:alert(1)' }],
]

for (const [name, reason, change] of metadata) {
  t.test(`a provider that ${name} cannot be asked`, async (t) => {
    const { identities } = await open(t, { metadata: (honest) => ({ ...honest, ...change }) })
    t.equal(expectErr(await identities.begin(beginning), 'identity_provider_unreachable').reason, reason)
  })
}

const endpointNames = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint']

// Promise (sign-in): What an issuer on https says about itself leads to https only, and not to a service on this machine.
t.test('an issuer on https has no endpoint on http, not on loopback either', async (t) => {
  const inside = createServer()
  let connections = 0
  inside.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void inside.close())
  const { port } = inside.address() as AddressInfo
  for (const name of endpointNames)
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.9.9.9', 'other.example']) {
      const change = { [name]: `http://${host}:${port}/` }
      const { identities, signIn } = await open(
        t,
        { metadata: (honest) => ({ ...honest, ...change }) },
        { ca: tlsFiles.cert },
      )
      const begun = await identities.begin(beginning)
      for (const result of [begun.map(() => undefined), (await signIn()).map(() => undefined)])
        t.match(
          expectErr(result, 'identity_provider_unreachable'),
          { reason: 'an endpoint without https', isRefusal: false },
          `${name} ${host}`,
        )
    }
  t.equal(connections, 0)
})

t.test('no answer of an issuer on https leads to http', async (t) => {
  const elsewhere = (issuer: string): Answer => ({
    status: 307,
    body: '',
    headers: { location: issuer.replace('https:', 'http:') },
  })
  const claims: Lies['claims'] = (honest) => ({ ...honest, groups: undefined })
  for (const endpoint of endpoints) {
    const { provider, signIn } = await open(t, { claims }, { ca: tlsFiles.cert })
    provider.lies = { claims, answers: { [endpoint]: () => elsewhere(provider.issuer) } }
    t.equal(expectErr(await signIn(), 'identity_provider_unreachable').reason, 'status 307', endpoint)
  }
})

t.test('whether a provider refuses this service, or does not answer, is told apart', async (t) => {
  const claims: Lies['claims'] = (honest) => ({ ...honest, groups: undefined })
  for (const [status, isRefusal] of [
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [408, false],
    [429, false],
    [500, false],
    [302, false],
  ] as const)
    for (const endpoint of endpoints) {
      const { signIn } = await open(t, { claims, answers: { [endpoint]: () => ({ status, body: '' }) } })
      const error = expectErr(await signIn(), 'identity_provider_unreachable')
      t.match(error, { reason: `status ${status}`, isRefusal }, `${endpoint} ${status}`)
    }
})

t.test('keys that changed are fetched anew, and withdrawn ones are given up', async (t) => {
  const { provider, signIn, clock } = await open(t)
  expectOk(await signIn())
  provider.rotate()
  expectOk(await signIn())
  t.equal(provider.asked.filter((endpoint) => endpoint === 'keys').length, 2)
  expectOk(await signIn())
  t.equal(provider.asked.filter((endpoint) => endpoint === 'keys').length, 2)
  clock.advance(600_000_000)
  expectOk(await signIn())
  t.equal(provider.asked.filter((endpoint) => endpoint === 'keys').length, 3)
})

t.test('keys without names are tried, and fetched anew where they do not fit', async (t) => {
  const nameless = ({ body, ...rest }: Answer): Answer => ({
    ...rest,
    body: body.replace(/"kid":"[^"]*",/, ''),
  })
  const { provider, signIn } = await open(t, {
    header: () => ({ alg: 'ES256' }),
    answers: { keys: nameless },
  })
  expectOk(await signIn())
  provider.rotate()
  expectOk(await signIn())
})

t.test('who joins a request that somebody else began waits no longer than for an own one', async (t) => {
  const discovery = () => 'never' as const
  const timeouts = { beginTimeoutMillis: 400, finishTimeoutMillis: 50 }
  const { identities } = await open(t, { answers: { discovery } }, timeouts)
  const begun = identities.begin(beginning)
  const joined = await identities.finish({ callbackUrl: redirectUri, pending: '' })
  t.equal(expectErr(joined, 'identity_provider_unreachable').reason, 'timeout')
  t.equal(await Promise.race([begun.then(() => 'ended'), Promise.resolve('still asked')]), 'still asked')
  t.equal(expectErr(await begun, 'identity_provider_unreachable').reason, 'timeout')
})

t.test(
  'a provider with a certificate of an authority of the operator is trusted by that one only',
  async (t) => {
    const { signIn, provider } = await open(t, {}, { ca: tlsFiles.cert })
    expectOk(await signIn())
    const clock = createManualClock(startMicros)
    const others = createIdentityProvider({ issuer: provider.issuer, clientId: 'sotto', clock })
    const { reason } = expectErr(await others.begin(beginning), 'identity_provider_unreachable')
    t.equal(reason, 'certificate not valid')
  },
)

t.test('an issuer without https is refused, except on loopback', async (t) => {
  for (const issuer of [
    'https://a.example',
    'https://a.example/b/',
    'http://127.0.0.1:1',
    'http://localhost',
    'http://[::1]',
  ])
    t.equal(issuerError(issuer), undefined, issuer)
  for (const issuer of [
    'a',
    'http://a.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'ftp://a.example',
    'http://localhost.example',
  ])
    t.match(issuerError(issuer), /^must /, issuer)
  for (const issuer of ['https://a.example?b', 'https://a.example#', 'https://a:b@a.example'])
    t.match(issuerError(issuer), /^must have no /, issuer)
  const clock = createManualClock(startMicros)
  t.throws(() => createIdentityProvider({ issuer: 'http://a.example', clientId: 'sotto', clock }), TypeError)
})
