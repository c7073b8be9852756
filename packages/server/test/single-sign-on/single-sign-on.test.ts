import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '@sotto/system'
import t, { type Test } from 'tap'
import { startRealProvider, type ProviderBrowser } from '../../../adapter-oidc/test/support/real-provider.ts'
import { testCommand } from '../support/in-process.ts'
import { startTestServer } from '../support/installation.ts'

const email = 'ann@example.org'
const password = 'four words in a row'

/** A server and `oidc-provider`, the command on the same installation, and people at the provider. */
async function stage(t: Test, more: NodeJS.ProcessEnv = {}) {
  const { cwd, json } = testCommand(t)
  const port = await findFreePort()
  const base = `http://127.0.0.1:${String(port)}`
  const provider = await startRealProvider({
    redirectUri: `${base}/login/sso/callback`,
    logoutUri: `${base}/login/sso/logout`,
  })
  t.teardown(() => provider.setReachable(false))
  provider.people.set('ann', { email, email_verified: true, groups: ['staff'] })
  provider.people.set('bob', { email: 'bob@example.org', email_verified: true, groups: ['staff'] })
  writeFileSync(join(cwd, 'secret'), `${provider.clientSecret}\n`, { mode: 0o600 })
  const env = {
    SOTTO_PORT: String(port),
    SOTTO_BASE_URL: base,
    SOTTO_OIDC_ISSUER: provider.issuer,
    SOTTO_OIDC_CLIENT_ID: provider.clientId,
    SOTTO_OIDC_CLIENT_SECRET_FILE: 'secret',
    SOTTO_OIDC_LABEL: 'Example',
    ...more,
  }
  const server = await startTestServer(t, cwd, { env })
  return { server, json, provider, base, newBrowser: () => openBrowser(base, provider.browser()) }
}

/** A browser with cookies, which goes to the provider and back. */
function openBrowser(base: string, atProvider: ProviderBrowser) {
  const cookies = new Map<string, string>()
  const request = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, accept: 'text/html', ...(init.method === 'POST' && { origin: base }) }
    const answer = await fetch(new URL(path, base), { redirect: 'manual', ...init, headers })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const send = (path: string, fields: Record<string, string> = {}) =>
    request(path, { method: 'POST', body: new URLSearchParams(fields) })
  return {
    get: (path: string) => request(path),
    send,
    /** Follows an answer to the provider and back. */
    async through(answer: Response, person: string) {
      return request(await atProvider.signIn(answer.headers.get('location') ?? '', person))
    },
    async signIn(person: string) {
      return request(
        await atProvider.signIn((await request('/login/sso')).headers.get('location') ?? '', person),
      )
    },
    isSignedIn: async () => (await request('/dashboard')).status === 200,
    hasCookie: (name: string) => cookies.has(name),
  }
}

// Promise (sign-in): Who may not sign in any more loses the sessions at the next sign-in.
t.test('whom the operator allows gets an account, and loses the sessions with the group', async (t) => {
  const { newBrowser, provider, json } = await stage(t, { SOTTO_OIDC_ALLOW: 'group:staff' })
  const browser = newBrowser()
  t.equal((await browser.signIn('ann')).status, 303)
  t.ok(await browser.isSignedIn())
  t.match(await json(['account', 'list']), [{ email }])
  t.match(await json(['folder', 'list', '--account', email]), [{ label: 'Inbox' }])
  provider.people.set('ann', { email, email_verified: true, groups: [] })
  const refused = await newBrowser().signIn('ann')
  t.equal(refused.status, 403)
  t.match(await refused.text(), 'You may not sign in here')
  t.notOk(await browser.isSignedIn())
  provider.people.set('eve', { email: 'eve@example.org', groups: ['staff'] })
  t.equal((await newBrowser().signIn('eve')).status, 403, 'her address is not verified')
})

t.test('a logout at the provider ends the session that began there', async (t) => {
  const { newBrowser, server, provider } = await stage(t, { SOTTO_OIDC_ALLOW: 'group:staff' })
  const [ann, bob] = [newBrowser(), newBrowser()]
  await ann.signIn('ann')
  await bob.signIn('bob')
  await provider.logOut('ann', 'no session of hers')
  t.ok(await ann.isSignedIn(), 'another session')
  await provider.logOut('ann', provider.sessionOf('ann'))
  t.notOk(await ann.isSignedIn())
  t.ok(await bob.isSignedIn())
  t.match(server.log.join('\n'), '"event":"sessions_ended_by_provider"')
})

t.test(
  'while the provider is down nobody signs in with it, passwords do, and later it works again',
  async (t) => {
    const { json, newBrowser, provider, server } = await stage(t, { SOTTO_OIDC_ALLOW: 'group:staff' })
    await provider.setReachable(false)
    const browser = newBrowser()
    const down = await browser.get('/login/sso')
    t.match({ status: down.status, again: down.headers.get('retry-after') }, { status: 503, again: '30' })
    t.match(await down.text(), 'Example does not answer')
    const { url } = await json<{ url: string }>(['account', 'invite', '--email', 'own@example.org'])
    await browser.send(new URL(url).pathname, { email: 'own@example.org', password })
    t.ok(await browser.isSignedIn())
    t.match(server.log.join('\n'), '"event":"sso_unreachable","reason":"connection refused"')
    await provider.setReachable(true)
    t.equal((await newBrowser().signIn('ann')).status, 303)
  },
)
