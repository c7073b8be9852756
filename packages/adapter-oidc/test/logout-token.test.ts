import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import {
  clientSecret,
  logoutEvent,
  signedBySecret,
  unsigned,
  type Endpoint,
  type LyingProvider,
} from './support/lying-provider.ts'
import { open, startMicros } from './support/signing-in.ts'

type Values = Record<string, unknown>

t.test('a logout token names the session and the person', async (t) => {
  const { provider, identities } = await open(t)
  const token = provider.logoutToken((honest) => ({ ...honest, jti: 'its name' }))
  t.same(expectOk(await identities.readLogout(token)), {
    issuer: provider.issuer,
    subject: 'ada',
    sessionId: 'a-session',
    id: 'its name',
    expiresAtMicros: startMicros + 181_000_000,
  })
})

t.test('a logout token names the session or the person alone', async (t) => {
  const { provider, identities } = await open(t)
  for (const [claim, name] of [
    ['sub', 'subject'],
    ['sid', 'sessionId'],
  ] as const) {
    const token = provider.logoutToken((honest) => ({ ...honest, [claim]: undefined }))
    t.equal(expectOk(await identities.readLogout(token))[name], undefined)
  }
})

t.test('a logout token is refused from the time on that is told', async (t) => {
  const { provider, identities, clock } = await open(t)
  for (const seconds of [-30, 0, 120, 600, 1_000_000]) {
    clock.set(startMicros)
    const token = provider.logoutToken((honest) => ({ ...honest, exp: startMicros / 1e6 + seconds }))
    const { expiresAtMicros } = expectOk(await identities.readLogout(token))
    t.equal(expiresAtMicros, startMicros + (seconds + 61) * 1e6)
    clock.set(expiresAtMicros)
    t.equal(expectErr(await identities.readLogout(token), 'sso_refused').reason, 'expired')
  }
})

const refused: readonly (readonly [name: string, reason: string, claims: Values, header?: Values])[] = [
  ['of another issuer', 'issuer', { iss: 'https://other.example' }],
  ['without an issuer', 'issuer', { iss: undefined }],
  ['for another audience', 'audience', { aud: 'other' }],
  ['without an audience', 'audience', { aud: undefined }],
  ['without events', 'malformed', { events: undefined }],
  ['with other events', 'malformed', { events: { other: {} } }],
  ['with an event that is no object', 'malformed', { events: { [logoutEvent]: true } }],
  ['with events that are a list', 'malformed', { events: [logoutEvent] }],
  ['with a nonce', 'nonce', { nonce: 'x' }],
  ['with a nonce that is null', 'nonce', { nonce: null }],
  ['without a name', 'malformed', { jti: undefined }],
  ['with an empty name', 'malformed', { jti: '' }],
  ['with a long name', 'malformed', { jti: 'x'.repeat(256) }],
  ['that names nobody', 'malformed', { sub: undefined, sid: undefined }],
  ['whose person is a number', 'malformed', { sub: 1 }],
  ['whose session is a list', 'malformed', { sid: ['x'] }],
  ['that has expired', 'expired', { exp: startMicros / 1e6 - 61 }],
  ['without an expiry', 'expired', { exp: undefined }],
  ['that expires after this calendar', 'malformed', { exp: 1e300 }],
  ['of later', 'expired', { iat: startMicros / 1e6 + 61 }],
  ['without a time', 'expired', { iat: undefined }],
  ['whose expiry is a text', 'expired', { exp: '4000000000' }],
  ['that is an ID token', 'malformed', {}, { typ: 'JWT' }],
  ['without a type', 'malformed', {}, { typ: undefined }],
  ['with a critical header that nobody knows', 'signature', {}, { crit: ['x'], x: 1 }],
]

for (const [name, reason, claims, header = {}] of refused) {
  // Promise (sign-in): Only a logout token that the provider has signed for this service ends a session. One with other claims costs no request.
  t.test(`refused: a logout token ${name}`, async (t) => {
    const { provider, identities } = await open(t)
    const token = provider.logoutToken(
      (honest) => ({ ...honest, ...claims }),
      (honest) => ({ ...honest, ...header }),
    )
    t.equal(expectErr(await identities.readLogout(token), 'sso_refused').reason, reason)
    t.same(provider.asked, [])
  })
}

t.test('a logout token may be dated back for as long as it has not expired', async (t) => {
  const { provider, identities } = await open(t)
  for (const seconds of [300, 661, 86_400]) {
    const token = provider.logoutToken((honest) => ({ ...honest, iat: startMicros / 1e6 - seconds }))
    expectOk(await identities.readLogout(token))
  }
})

t.test('refused: a logout token without the signature of the provider', async (t) => {
  const { provider, identities } = await open(t)
  const [header = '', payload = '', signature = ''] = provider.logoutToken().split('.')
  const [asHeader, asClaims] = [header, payload].map(
    (part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Values,
  ) as [Values, Values]
  const other = Buffer.from(JSON.stringify({ ...asClaims, sub: 'bob' })).toString('base64url')
  for (const [name, token, reason] of [
    ['none', unsigned(asHeader, asClaims), 'signature'],
    ['HS256', signedBySecret(clientSecret)(asHeader, asClaims), 'signature'],
    ['changed', `${header}.${other}.${signature}`, 'signature'],
    ['cut', `${header}.${payload}.${signature.slice(4)}`, 'signature'],
    ['empty', '', 'malformed'],
    ['no token', 'x', 'malformed'],
    ['five parts', 'a.b.c.d.e', 'malformed'],
    ['long', 'x'.repeat(20_000), 'too_large'],
  ] as const)
    t.equal(expectErr(await identities.readLogout(token), 'sso_refused').reason, reason, name)
})

/** Tokens that anybody can make: with the right claims, and a key and signature of nobody. */
function garbage({ logoutToken }: LyingProvider, count: number): readonly string[] {
  return Array.from({ length: count }, (_, nth) =>
    logoutToken(undefined, (honest) => ({ ...honest, kid: `key ${nth}` })),
  )
}

// Promise (sign-in): Logout tokens, which anybody can send, make this service ask the provider once in ten seconds at most.
t.test('for logout tokens of unknown keys the keys are fetched every ten seconds at most', async (t) => {
  const { provider, identities, clock } = await open(t)
  const asked = (endpoint: Endpoint) => provider.asked.filter((each) => each === endpoint).length
  const send = async (tokens: readonly string[]): Promise<void> => {
    for (const result of await Promise.all(tokens.map((token) => identities.readLogout(token))))
      t.equal(expectErr(result, 'sso_refused').reason, 'signature')
  }
  for (const rounds of [1, 2]) {
    await send(garbage(provider, 50))
    for (const token of garbage(provider, 50)) await send([token])
    t.same([asked('discovery'), asked('keys')], [1, rounds])
    clock.advance(10_000_000)
  }
  expectOk(await identities.readLogout(provider.logoutToken()))
  t.equal(asked('keys'), 2, 'a known key is used as it is')
  provider.rotate()
  expectOk(await identities.readLogout(provider.logoutToken()))
  t.equal(asked('keys'), 3)
})

t.test('a failure is remembered for as long, at each endpoint', async (t) => {
  for (const endpoint of ['discovery', 'keys'] as const) {
    const down = { answers: { [endpoint]: () => ({ status: 500, body: '' }) } }
    const { provider, identities, clock } = await open(t, down)
    const asked = () => provider.asked.filter((each) => each === endpoint).length
    for (const rounds of [1, 2]) {
      const tokens = [provider.logoutToken(), ...garbage(provider, 50)]
      const results = await Promise.all(tokens.map((token) => identities.readLogout(token)))
      for (const token of tokens) results.push(await identities.readLogout(token))
      for (const result of results)
        t.equal(expectErr(result, 'identity_provider_unreachable').reason, 'status 500')
      t.equal(asked(), rounds)
      clock.advance(10_000_000)
    }
    provider.lies = {}
    expectOk(await identities.readLogout(provider.logoutToken()))
  }
})

t.test('a sign-in asks all the same while a failure is remembered for logout tokens', async (t) => {
  const { provider, identities, signIn } = await open(t, { answers: { keys: () => 'cut' } })
  expectErr(await identities.readLogout(provider.logoutToken()), 'identity_provider_unreachable')
  provider.lies = {}
  expectOk(await signIn())
  expectOk(await identities.readLogout(provider.logoutToken()))
})
