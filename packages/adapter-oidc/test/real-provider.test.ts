import { expectErr, expectOk } from '@sotto/test-kit'
import type { Clock } from '@sotto/core'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { createIdentityProvider } from '../src/index.ts'
import { startRealProvider } from './support/real-provider.ts'

const redirectUri = 'https://sotto.example/login/sso/callback'
/** The provider reads the clock of this machine. */
const clock: Clock = { nowMicros: () => Date.now() * 1_000 }

async function open(t: Tap, logoutUri?: string, signsUserinfo = false) {
  const options = { redirectUri, signsUserinfo, ...(logoutUri !== undefined && { logoutUri }) }
  const provider = await startRealProvider(options)
  t.teardown(() => provider.setReachable(false))
  provider.people.set('ada', { email: 'ada@example.org', email_verified: true, groups: ['staff'] })
  const { issuer, clientId, clientSecret } = provider
  return { provider, identities: createIdentityProvider({ issuer, clientId, clientSecret, clock }) }
}
type Tap = Pick<typeof t, 'teardown'>

t.test('oidc-provider proves who somebody is', async (t) => {
  const { provider, identities } = await open(t)
  const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const callbackUrl = await provider.browser().signIn(url, 'ada')
  const { sessionId, more, ...proven } = expectOk(await identities.finish({ callbackUrl, pending }))
  t.match(sessionId, /^[\w-]+$/)
  t.match(proven, { issuer: provider.issuer, subject: 'ada', email: undefined })
  t.same(expectOk(await more!.ask()), { email: 'ada@example.org', emailVerified: true, groups: ['staff'] })
})

t.test('oidc-provider says in a signed answer what the ID token does not', async (t) => {
  const { provider, identities } = await open(t, undefined, true)
  const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const callbackUrl = await provider.browser().signIn(url, 'ada')
  const { more } = expectOk(await identities.finish({ callbackUrl, pending }))
  t.same(expectOk(await more!.ask()), { email: 'ada@example.org', emailVerified: true, groups: ['staff'] })
})

t.test('oidc-provider refuses a code that was used, and another verifier', async (t) => {
  const { provider, identities } = await open(t)
  const browser = provider.browser()
  const first = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const callbackUrl = await browser.signIn(first.url, 'ada')
  expectOk(await identities.finish({ callbackUrl, pending: first.pending }))
  t.equal(
    expectErr(await identities.finish({ callbackUrl, pending: first.pending }), 'sso_refused').reason,
    'code',
  )
  const second = expectOk(await identities.begin({ redirectUri, fresh: false }))
  const pending = JSON.stringify((JSON.parse(second.pending) as unknown[]).with(2, 'x'.repeat(43)))
  const next = { callbackUrl: await browser.signIn(second.url, 'ada'), pending }
  t.equal(expectErr(await identities.finish(next), 'sso_refused').reason, 'code')
})

t.test('oidc-provider signs in once more where that is asked for, and says when', async (t) => {
  const { provider, identities } = await open(t)
  const browser = provider.browser()
  for (const [fresh, person] of [
    [false, 'ada'],
    [false, 'ada'],
    [true, 'ada'],
  ] as const) {
    const beganMicros = clock.nowMicros()
    const { url, pending } = expectOk(await identities.begin({ redirectUri, fresh }))
    const callbackUrl = await browser.signIn(url, person)
    const proven = expectOk(await identities.finish({ callbackUrl, pending }))
    t.equal(proven.subject, person)
    // The provider says whole seconds.
    t.equal((proven.authenticatedAtMicros ?? 0) > beganMicros - 1_000_000, fresh)
  }
})

t.test('oidc-provider sends a logout token that is read', async (t) => {
  const received = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    void text(request).then((form) => {
      received.resolve(new URLSearchParams(form).get('logout_token') ?? '')
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { provider, identities } = await open(t, `http://127.0.0.1:${String(port)}/`)
  await provider.logOut('ada', 'a-session')
  const logout = expectOk(await identities.readLogout(await received.promise))
  t.match(logout, { issuer: provider.issuer, subject: 'ada', sessionId: 'a-session' })
})
