import { expectOk } from '@sotto/test-kit'
import t from 'tap'
import { open, redirectUri, startMicros } from './support/signing-in.ts'

t.test('a sign-in proves who it is', async (t) => {
  const { provider, signIn } = await open(t)
  t.same(expectOk(await signIn()), {
    issuer: provider.issuer,
    subject: 'ada',
    sessionId: 'a-session',
    email: 'ada@example.org',
    emailVerified: true,
    groups: ['staff', 'admins'],
    authenticatedAtMicros: startMicros,
  })
  t.same(provider.asked, ['discovery', 'token', 'keys'], 'userinfo is not asked for what the token says')
})

t.test('the browser is sent with state, nonce and a PKCE challenge, each another time', async (t) => {
  const { identities, provider } = await open(t)
  const urls = []
  for (const fresh of [false, true]) {
    const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh }))
    t.ok(pending.length <= 2_048)
    urls.push(new URL(url))
  }
  const [first, second] = urls as [URL, URL]
  t.equal(`${first.origin}${first.pathname}`, `${provider.issuer}/authorize`)
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.match(first.searchParams.get(name), /^[\w-]{43}$/)
    t.not(first.searchParams.get(name), second.searchParams.get(name))
    first.searchParams.delete(name)
  }
  t.same(Object.fromEntries(first.searchParams), {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    client_id: 'sotto',
    response_type: 'code',
  })
  t.equal(second.searchParams.get('max_age'), '0')
})

t.test('scopes and the claim of the groups are as they were chosen; one text is one group', async (t) => {
  const claims = (honest: object) => ({ ...honest, roles: 'staff, admins' })
  const { identities, signIn } = await open(
    t,
    { claims },
    { scopes: 'openid email roles', groupsClaim: 'roles' },
  )
  const { url } = expectOk(await identities.begin({ redirectUri, fresh: false }))
  t.equal(new URL(url).searchParams.get('scope'), 'openid email roles')
  t.same(expectOk(await signIn()).groups, ['staff, admins'])
})

t.test('of groups, what is no text is left out', async (t) => {
  const { signIn } = await open(t, { claims: (honest) => ({ ...honest, groups: ['a', 1, null, ['b'], {}] }) })
  t.same(expectOk(await signIn()).groups, ['a'])
})

// Promise (sign-in): An address is verified only if the provider says so with the boolean true beside it.
t.test('an address without the boolean true is not verified', async (t) => {
  for (const verified of [undefined, false, 'true', 1, null, [true]]) {
    const { signIn } = await open(t, { claims: (honest) => ({ ...honest, email_verified: verified }) })
    const { email, emailVerified } = expectOk(await signIn())
    t.same({ email, emailVerified }, { email: 'ada@example.org', emailVerified: false }, String(verified))
  }
})

t.test('address and groups come from userinfo where the token has none', async (t) => {
  const userinfo = { sub: 'ada', email: 'ada@other.example', email_verified: true, groups: ['staff'] }
  const without = ({
    email: _,
    email_verified: _verified,
    groups: _groups,
    ...rest
  }: Record<string, unknown>) => rest
  const { signIn } = await open(t, { claims: without, userinfo })
  const { email, emailVerified, groups } = expectOk(await signIn())
  t.same(
    { email, emailVerified, groups },
    { email: 'ada@other.example', emailVerified: true, groups: ['staff'] },
  )
})

t.test('userinfo may be a signed token, with or without issuer and audience', async (t) => {
  const claims = ({ groups: _, ...honest }: Record<string, unknown>) => honest
  const { provider, signIn } = await open(t, { claims })
  const named = { iss: provider.issuer, aud: 'sotto' }
  for (const more of [named, { ...named, aud: ['other', 'sotto'] }, {}]) {
    provider.lies = { claims, userinfo: { sub: 'ada', groups: ['staff'], ...more }, signedUserinfo: true }
    t.same(expectOk(await signIn()).groups, ['staff'])
  }
  provider.rotate()
  t.same(expectOk(await signIn()).groups, ['staff'], 'its keys are fetched anew')
})

// Promise (sign-in): Userinfo keeps nobody out about whom it decides nothing: it is asked only for what the ID token does not say.
t.test('userinfo is not asked before its answer is wanted, whatever it would answer', async (t) => {
  const claims = ({ email: _, groups: _groups, ...honest }: Record<string, unknown>) => honest
  const userinfo = () => ({ status: 401, body: '' })
  const { provider, identities } = await open(t, { claims, answers: { userinfo } })
  const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const callback = { callbackUrl: provider.signIn(url), pending }
  const { more, subject } = expectOk(await identities.finish(callback))
  t.equal(subject, 'ada')
  t.notOk(provider.asked.includes('userinfo'))
  t.match(more, { email: true, groups: true })
  t.match(await more?.ask(), { error: { reason: 'status 401', isRefusal: true } })
})

t.test('userinfo verifies no address of the token', async (t) => {
  const claims = ({ groups: _, ...honest }: Record<string, unknown>) => ({
    ...honest,
    email_verified: undefined,
  })
  const userinfo = { sub: 'ada', email: 'ada@other.example', email_verified: true }
  const { signIn } = await open(t, { claims, userinfo })
  const { email, emailVerified } = expectOk(await signIn())
  t.same({ email, emailVerified }, { email: 'ada@example.org', emailVerified: false })
})

t.test('a provider without userinfo proves what the token says', async (t) => {
  const claims = ({ groups: _, ...honest }: Record<string, unknown>) => honest
  const { signIn } = await open(t, {
    claims,
    metadata: (honest) => ({ ...honest, userinfo_endpoint: undefined }),
  })
  t.same(expectOk(await signIn()).groups, [])
})

t.test('somebody who was to sign in once more has done so since it began', async (t) => {
  const { signIn, clock } = await open(t)
  const wait = () => clock.advance(300_000_000)
  t.equal(expectOk(await signIn({ fresh: true, wait })).authenticatedAtMicros, startMicros + 300_000_000)
})

// Promise (sign-in): Times that a provider dates back keep nobody out: expiry, nonce and PKCE bind a token to its sign-in.
t.test('a token may be dated back, as Entra ID does by five minutes', async (t) => {
  const { provider, signIn } = await open(t)
  for (const seconds of [61, 300, 3_600, 86_400]) {
    provider.lies = {
      claims: (honest) => ({
        ...honest,
        iat: Number(honest['iat']) - seconds,
        nbf: Number(honest['iat']) - seconds,
      }),
    }
    expectOk(await signIn())
    expectOk(await signIn({ fresh: true }))
  }
})

t.test('clocks may differ by 60 seconds', async (t) => {
  const { provider, signIn } = await open(t)
  for (const seconds of [-60, 60]) {
    provider.clockSeconds = seconds
    expectOk(await signIn({ fresh: true }))
  }
})

t.test('the secret goes into the body where the provider takes it there only', async (t) => {
  const methods = { token_endpoint_auth_methods_supported: ['client_secret_post'] }
  const { provider, signIn } = await open(t, { metadata: (honest) => ({ ...honest, ...methods }) })
  const result = await signIn()
  t.match(result, { error: { reason: 'client id or secret not accepted' } }, 'this one looks into the header')
  t.same(provider.asked, ['discovery', 'token'])
})

t.test('the provider is not asked before the first sign-in, and about itself once an hour', async (t) => {
  const { provider, signIn, clock } = await open(t)
  t.same(provider.asked, [])
  await Promise.all([signIn(), signIn()])
  t.equal(provider.asked.filter((endpoint) => endpoint === 'discovery').length, 1)
  clock.advance(3_599_000_000)
  expectOk(await signIn())
  t.equal(provider.asked.filter((endpoint) => endpoint === 'discovery').length, 1)
  clock.advance(1_000_000)
  expectOk(await signIn())
  t.equal(provider.asked.filter((endpoint) => endpoint === 'discovery').length, 2)
})
