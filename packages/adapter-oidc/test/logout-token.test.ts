import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { clientSecret, logoutEvent, signedBySecret, unsigned } from './support/lying-provider.ts'
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
  for (const seconds of [120, 600, 1_000_000]) {
    clock.set(startMicros)
    const token = provider.logoutToken((honest) => ({ ...honest, exp: startMicros / 1e6 + seconds }))
    const { expiresAtMicros } = expectOk(await identities.readLogout(token))
    t.ok(expiresAtMicros <= startMicros + 661_000_000, 'in eleven minutes at most')
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
  ['of 11 minutes ago', 'expired', { iat: startMicros / 1e6 - 661 }],
  ['of later', 'expired', { iat: startMicros / 1e6 + 61 }],
  ['without a time', 'expired', { iat: undefined }],
  ['whose expiry is a text', 'expired', { exp: '4000000000' }],
  ['that is an ID token', 'malformed', {}, { typ: 'JWT' }],
  ['without a type', 'malformed', {}, { typ: undefined }],
  ['of another key', 'signature', {}, { kid: 'other' }],
  ['with a critical header that nobody knows', 'signature', {}, { crit: ['x'], x: 1 }],
]

for (const [name, reason, claims, header = {}] of refused) {
  // Promise (sign-in): Only a logout token that the provider has signed for this service ends a session.
  t.test(`refused: a logout token ${name}`, async (t) => {
    const { provider, identities } = await open(t)
    const token = provider.logoutToken(
      (honest) => ({ ...honest, ...claims }),
      (honest) => ({ ...honest, ...header }),
    )
    t.equal(expectErr(await identities.readLogout(token), 'sso_refused').reason, reason)
  })
}

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

t.test('for logout tokens of unknown keys the keys are fetched every ten seconds at most', async (t) => {
  const { provider, identities, clock } = await open(t)
  const keysAsked = () => provider.asked.filter((endpoint) => endpoint === 'keys').length
  expectOk(await identities.readLogout(provider.logoutToken()))
  provider.rotate()
  for (const _ of [1, 2]) expectErr(await identities.readLogout(provider.logoutToken()), 'sso_refused')
  t.equal(keysAsked(), 1)
  clock.advance(10_000_000)
  expectOk(await identities.readLogout(provider.logoutToken()))
  t.equal(keysAsked(), 2)
})
