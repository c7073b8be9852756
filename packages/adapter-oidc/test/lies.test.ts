import { expectErr, expectOk } from '@sotto/test-kit'
import t from 'tap'
import { clientSecret, signedBySecret, unsigned, type Lies } from './support/lying-provider.ts'
import { open, type Between } from './support/signing-in.ts'

type Values = Record<string, unknown>

const claims = (change: Values): Lies => ({ claims: (honest) => ({ ...honest, ...change }) })
const query = (change: Record<string, string | undefined>): Lies => ({
  query: (honest) => ({ ...honest, ...change }),
})
const pendingWith = (at: number, value: unknown): Between => ({
  pending: (honest) => JSON.stringify((JSON.parse(honest) as unknown[]).with(at, value)),
})
const groups = Array.from({ length: 50_000 }, (_, nth) => `group ${String(nth)}`.padEnd(20))

const lies: readonly (readonly [name: string, reason: string, lies: Lies, between?: Between])[] = [
  ['another issuer in the token', 'issuer', claims({ iss: 'https://other.example' })],
  ['another `iss` in the callback (mix-up)', 'issuer', query({ iss: 'https://other.example' })],
  ['no `iss` in the callback of a provider that promises one', 'issuer', query({ iss: undefined })],
  ['another state', 'state', query({ state: 'x' })],
  ['no state', 'state', query({ state: undefined })],
  ['the state of another beginning', 'state', {}, pendingWith(0, 'x')],
  ['a beginning without a state', 'state', query({ state: '' }), pendingWith(0, '')],
  ['a beginning that is no JSON', 'state', {}, { pending: () => '{' }],
  ['a beginning without a time', 'state', {}, pendingWith(4, null)],
  ['no code', 'code', query({ code: undefined })],
  ['another code', 'code', query({ code: 'x' })],
  ['an error instead of a code', 'provider_refused', query({ code: undefined, error: 'access_denied' })],
  ['two codes', 'malformed', {}, { callbackUrl: (honest) => `${honest}&code=x` }],
  ['an ID token in the callback', 'signature', query({ id_token: 'x' })],
  ['a callback that is no URL', 'malformed', {}, { callbackUrl: () => 'x' }],
  [
    'a callback at another address',
    'code',
    {},
    { callbackUrl: (honest) => honest.replace('/login/', '/other/') },
  ],
  ['another nonce', 'nonce', claims({ nonce: 'x' })],
  ['the nonce of another beginning', 'nonce', {}, pendingWith(1, 'x')],
  ['no nonce', 'malformed', claims({ nonce: undefined })],
  ['another PKCE verifier', 'code', {}, pendingWith(2, 'x'.repeat(43))],
  ['alg none', 'signature', { signed: unsigned }],
  ['HS256 with the secret of the client', 'signature', { signed: signedBySecret(clientSecret) }],
  ['a signature of nobody', 'signature', { signed: (header, body) => `${unsigned(header, body)}AAAA` }],
  [
    'a changed name under the old signature',
    'signature',
    {
      signed: (header, body) => {
        const [, changed = ''] = unsigned(header, { ...body, sub: 'bob' }).split('.')
        return signedLike(header, changed)
      },
    },
  ],
  ['another key', 'signature', { header: (honest) => ({ ...honest, kid: 'other' }) }],
  [
    'a critical header that nobody knows',
    'signature',
    { header: (honest) => ({ ...honest, crit: ['x'], x: 1 }) },
  ],
  ['another audience', 'audience', claims({ aud: 'other' })],
  ['another audience among several', 'audience', claims({ aud: ['other', 'sotto'] })],
  ['several audiences, for another party', 'audience', claims({ aud: ['other', 'sotto'], azp: 'other' })],
  ['a token that has expired', 'expired', claims({ exp: 1 })],
  ['a token of later', 'expired', claims({ nbf: 4e9 })],
  ['a token that says it is of later', 'expired', claims({ iat: 4e9 })],
  ['no expiry', 'malformed', claims({ exp: undefined })],
  ['no time of issue', 'malformed', claims({ iat: undefined })],
  ['no subject', 'malformed', claims({ sub: undefined })],
  ['a subject that is a number', 'malformed', claims({ sub: 1 })],
  ['an empty subject', 'malformed', claims({ sub: '' })],
  ['a subject of 256 characters', 'malformed', claims({ sub: 'x'.repeat(256) })],
  ['a session that is a number', 'malformed', claims({ sid: 1 })],
  ['no token', 'malformed', { answers: { token: bodyWith({ id_token: undefined }) } }],
  ['a token that is none', 'malformed', { signed: () => 'x' }],
  ['a token of random parts', 'malformed', { signed: () => 'x.y.z' }],
  ['a token of five parts', 'signature', { signed: () => 'a.b.c.d.e' }],
  ['1 MB of groups', 'too_large', claims({ groups })],
  ['5,001 groups', 'too_large', claims({ groups: Array.from({ length: 5_001 }, String) })],
  ['userinfo of another subject', 'subject', { ...claims({ groups: undefined }), userinfo: { sub: 'bob' } }],
  [
    'userinfo without a subject',
    'malformed',
    { ...claims({ groups: undefined }), userinfo: { sub: undefined } },
  ],
  ['signed userinfo of another subject', 'subject', signedUserinfo({ sub: 'bob' })],
  ['signed userinfo without a subject', 'malformed', signedUserinfo({ sub: undefined })],
  ['signed userinfo of another issuer', 'issuer', signedUserinfo({ iss: 'https://other.example' })],
  ['signed userinfo for another audience', 'audience', signedUserinfo({ aud: ['other'] })],
  ['signed userinfo that has expired', 'expired', signedUserinfo({ exp: 1 })],
  ['userinfo with alg none', 'signature', signedUserinfo({}, unsigned)],
  ['userinfo with HS256', 'signature', signedUserinfo({}, signedBySecret(clientSecret))],
  ['userinfo that somebody else signed', 'signature', signedUserinfo({}, signedByNobody)],
  ['a token of random parts as userinfo', 'malformed', signedUserinfo({}, () => 'x.y.z')],
  ['a sign-in of an hour ago', 'not_fresh', { claims: ageing(3_600) }, { fresh: true }],
  ['a sign-in of 61 seconds before it began', 'not_fresh', { claims: ageing(61) }, { fresh: true }],
  ['a sign-in of later', 'not_fresh', { claims: ageing(-61) }, { fresh: true }],
  ['no time of the sign-in', 'not_fresh', claims({ auth_time: undefined }), { fresh: true }],
  ['a time of the sign-in that is a text', 'malformed', claims({ auth_time: '4000000000' }), { fresh: true }],
]

for (const [name, reason, lie, between] of lies) {
  // Promise (sign-in): What a provider, a browser or somebody between them makes up proves nobody.
  t.test(`refused: ${name}`, async (t) => {
    const { provider, signIn } = await open(t, lie)
    t.equal(expectErr(await signIn(between), 'sso_refused').reason, reason)
    provider.lies = {}
    expectOk(await signIn())
  })
}

t.test('refused: a clock that is ahead by more than a minute', async (t) => {
  const { provider, signIn } = await open(t)
  for (const seconds of [300, 61]) {
    provider.clockSeconds = seconds
    t.equal(expectErr(await signIn(), 'sso_refused').reason, 'expired')
  }
})

t.test('refused: a code that was used', async (t) => {
  const { provider, identities } = await open(t)
  const redirectUri = 'https://sotto.example/login/sso/callback'
  const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const callbackUrl = provider.signIn(url)
  expectOk(await identities.finish({ callbackUrl, pending }))
  t.equal(expectErr(await identities.finish({ callbackUrl, pending }), 'sso_refused').reason, 'code')
})

t.test('refused: the code of another browser, also from a provider that does not look at PKCE', async (t) => {
  const { provider, identities } = await open(t, { isCareless: true })
  const redirectUri = 'https://sotto.example/login/sso/callback'
  const [mine, others] = [
    expectOk(await identities.begin({ redirectUri, fresh: false })),
    expectOk(await identities.begin({ redirectUri, fresh: false })),
  ]
  const stolen = new URL(provider.signIn(others.url))
  stolen.searchParams.set('state', new URL(mine.url).searchParams.get('state') ?? '')
  const callback = { callbackUrl: stolen.href, pending: mine.pending }
  t.equal(expectErr(await identities.finish(callback), 'sso_refused').reason, 'nonce')
})

/** Userinfo as a token. */
function signedUserinfo(change: Values, signed?: (header: Values, claims: Values) => string): Lies {
  return {
    ...claims({ groups: undefined }),
    userinfo: { iss: undefined, aud: undefined, sub: 'ada', groups: ['staff'], ...change },
    signedUserinfo: signed ?? true,
  }
}

function signedByNobody(header: Values, body: Values): string {
  return `${unsigned({ ...header, alg: 'ES256' }, body).replace(/^[^.]+/, part({ ...header, alg: 'ES256' }))}${'A'.repeat(86)}`
}

function part(value: Values): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function ageing(seconds: number): (honest: Values) => Values {
  return (honest) => ({ ...honest, auth_time: Number(honest['auth_time']) - seconds })
}

function bodyWith(change: Values) {
  return (honest: { readonly status: number; readonly body: string }) => ({
    ...honest,
    body: JSON.stringify({ ...(JSON.parse(honest.body) as Values), ...change }),
  })
}

/** What was signed with some other key. */
function signedLike(header: Values, payload: string): string {
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${'A'.repeat(86)}`
}
