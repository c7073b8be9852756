import { expectOk } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import { errAsync } from 'neverthrow'
import t from 'tap'
import { startDashboard, unescaped } from '../support/app.ts'
import { ada, label, startSso, tokenOf } from '../support/sso.ts'

const minuteMicros = 60_000_000
const staff = { passwords: true, allowed: [{ kind: 'group', name: 'staff' }] } as const

t.test('without a provider there is nothing of it', async (t) => {
  const { get, post, makeOwner, urls, sotto } = await startDashboard(t)
  const as = await makeOwner()
  for (const path of ['/login/sso', '/login/sso/callback'])
    t.equal((await get(path, { as })).statusCode, 404, path)
  for (const path of ['/login/sso/logout', '/settings/sign-in/connect'])
    t.equal((await post(path, {}, { as })).statusCode, 404, path)
  t.same(
    urls.filter((url) => /sso|connect/.test(url)),
    [],
  )
  const { token } = expectOk(await sotto.inviteAccount({ email: 'ada@example.org' }))
  for (const path of ['/login', '/settings', `/welcome/${token}`]) {
    const page = await get(path, { as })
    t.notMatch(page.body, /sso|Connect|Use .* instead/)
    t.match(page.headers['content-security-policy'], "form-action 'self';")
  }
})

t.test('the login page leads to the provider, and back to the page that was asked for', async (t) => {
  const { get, comeBack, makeConnected, attemptOf } = await startSso(t)
  await makeConnected()
  const page = await get('/login?next=%2Fsettings')
  t.match(unescaped(page.body), `href="/login/sso?next=%2Fsettings">Sign in with ${label}</a>`)
  t.match(page.body, 'name="password"')
  const begun = await get('/login/sso?next=%2Fsettings')
  t.match(begun, { statusCode: 303, headers: { location: /^https:\/\/login\.example\/authorize\?/ } })
  t.notMatch(begun.headers.location, 'max_age')
  t.match(begun.headers['set-cookie'], [
    /^sotto-sso-[\w-]{22}=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
  ])
  t.match(begun.headers['cache-control'], 'no-store')
  const back = await comeBack(begun)
  t.match(back, { statusCode: 303, headers: { location: '/settings' } })
  t.match(back.headers['set-cookie'], [/^sotto=/, /^sotto-sso-[\w-]{22}=; .*Max-Age=0$/])
  t.equal((await get('/dashboard', { as: { token: tokenOf(back) ?? '' } })).statusCode, 200)
  t.ok(attemptOf(begun))
})

t.test('over https the cookie is bound to the host', async (t) => {
  const { get } = await startSso(t, { baseUrl: 'https://sotto.example' })
  const begun = await get('/login/sso')
  t.match(begun.headers['set-cookie'], [
    /^__Host-sotto-sso-[\w-]{22}=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
  ])
  const { searchParams } = new URL(String(begun.headers.location))
  t.equal(searchParams.get('redirect_uri'), 'https://sotto.example/login/sso/callback')
})

t.test('the cookie hides what it holds, and is good for ten minutes', async (t) => {
  const { get, comeBack, makeConnected, attemptOf, clock } = await startSso(t)
  await makeConnected()
  const begun = await get('/login/sso?next=%2Fsettings')
  const [, , text = ''] = /=(\d+)\.(.*)$/.exec(attemptOf(begun) ?? '') ?? []
  t.notMatch(
    Buffer.from(text, 'base64url').toString('latin1'),
    new RegExp(new URL(String(begun.headers.location)).searchParams.get('state') ?? '-'),
  )
  clock.advance(10 * minuteMicros - 1)
  t.equal((await comeBack(begun)).statusCode, 303)
  const later = await get('/login/sso')
  clock.advance(10 * minuteMicros)
  t.equal((await comeBack(later)).statusCode, 400)
})

// Promise (sign-in): Nobody is signed in by a browser that has not begun to sign in, or with what is not from the provider.
t.test('a callback without its cookie, or with another, is 400', async (t) => {
  const { get, memory, makeConnected, attemptOf, snapshot } = await startSso(t)
  await makeConnected()
  const begun = await get('/login/sso')
  const others = attemptOf(await get('/login/sso')) ?? ''
  const own = attemptOf(begun) ?? ''
  const before = snapshot()
  const [name = '', value = ''] = own.split(/=(.*)/)
  const cookies = [
    undefined,
    others,
    '',
    'sotto-sso=',
    `sotto-sso=${value}`,
    `${name}=`,
    `${name}=1.x`,
    `${name}=${others.replace(/^[^=]+=/, '')}`,
    `${own.slice(0, -2)}AA`,
    own.replace('=1.', '=2.'),
    `${own}; ${name}=x`,
    own.replace('sotto-sso', '__Host-sotto-sso'),
  ]
  for (const cookie of cookies) {
    const url = new URL(memory.identityProvider.signIn(String(begun.headers.location), ada))
    const answer = await get(url.pathname + url.search, { headers: cookie === undefined ? {} : { cookie } })
    t.equal(answer.statusCode, 400, cookie ?? 'none')
    t.equal(tokenOf(answer), undefined)
    t.match(answer.body, 'That did not work')
  }
  const { search } = new URL(memory.identityProvider.signIn(String(begun.headers.location), ada))
  const back = (query: string) => get(`/login/sso/callback${query}`, { headers: { cookie: own } })
  const state = new URLSearchParams(search).get('state') ?? ''
  for (const wrong of [
    '',
    '?',
    search.replace('state', 'x'),
    `${search}&state=${state}`,
    '?state=',
    `?x=${state}`,
  ])
    t.match(await back(wrong), { statusCode: 400, headers: { 'set-cookie': undefined } }, wrong)
  const answer = await back(search.replace(/code=[^&]*/, 'code=x'))
  t.equal(answer.statusCode, 400)
  t.match(answer.headers['set-cookie'], new RegExp(`^${name}=; `), 'an attempt is over with its return')
  t.equal(snapshot(), before)
})

/** The cookies of a browser after an answer. */
function cookiesAfter(before: ReadonlyMap<string, string>, { headers }: LightMyRequestResponse) {
  const after = new Map(before)
  for (const set of [headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
    if (value === '') after.delete(name)
    else after.set(name, value)
  }
  return after
}

interface CookieHeaders extends Record<string, string> {
  readonly cookie: string
}

function cookieHeader(cookies: ReadonlyMap<string, string>): CookieHeaders {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

// Promise (sign-in): Sign-ins in several tabs of one browser do not disturb each other.
t.test('several sign-ins of one browser are under way at the same time', async (t) => {
  const { get, memory, makeConnected, makeOwner, post } = await startSso(t)
  await makeConnected()
  const owner = await makeOwner()
  let cookies: ReadonlyMap<string, string> = new Map([['sotto', owner.token]])
  const connecting = await post('/settings/sign-in/connect', {}, { as: owner })
  const begun = [connecting]
  for (const next of ['/settings', '/search']) begun.push(await get(`/login/sso?next=${next}`))
  for (const answer of begun) cookies = cookiesAfter(cookies, answer)
  t.equal(cookies.size, 4)
  const [connect, first, second] = begun.map(({ headers: { location } }) => (person = ada) => {
    const url = new URL(memory.identityProvider.signIn(String(location), person))
    return get(url.pathname + url.search, { headers: cookieHeader(cookies) })
  })
  for (const [comeBack, person, location] of [
    [connect!, { ...ada, subject: 'bob' }, '/settings/sign-in?done=identityConnected'],
    [second!, ada, '/search'],
    [first!, ada, '/settings'],
  ] as const) {
    const answer = await comeBack(person)
    t.match(answer, { statusCode: 303, headers: { location } })
    cookies = cookiesAfter(cookies, answer)
    t.equal((await comeBack(person)).statusCode, 400, 'each once')
  }
  t.same([...cookies.keys()], ['sotto'])
})

t.test('a browser keeps its five latest sign-ins, and no more than half of its headers', async (t) => {
  const { get, post, makeInvited, comeBack, clock } = await startSso(t)
  const as = await makeInvited()
  clock.advance(10 * minuteMicros + 1)
  const long = `https://hooks.example/${'x'.repeat(1_900)}`
  for (const [most, begin] of [
    [2, (headers: CookieHeaders) => post('/settings/notifications/webhooks', { url: long }, { headers })],
    [5, (headers: CookieHeaders) => get('/login/sso?next=/settings', { headers })],
  ] as const) {
    let cookies: ReadonlyMap<string, string> = new Map([['sotto', as.token]])
    for (let nth = 1; nth <= 9; nth += 1) {
      clock.advance(1)
      const begun = await begin(cookieHeader(cookies))
      cookies = cookiesAfter(cookies, begun)
      t.equal(cookies.size - 1, Math.min(nth, most))
      t.ok(cookieHeader(cookies).cookie.length < 8_600)
      if (nth < 9) continue
      const fresh = { ...ada, authenticatedAtMicros: clock.nowMicros() }
      t.match((await comeBack(begun, fresh, as)).statusCode, most === 5 ? 303 : 200, 'the latest')
    }
  }
})

t.test('who may not sign in gets 403, and is told why', async (t) => {
  const { signInWith, makeConnected, sotto, get } = await startSso(t, { signIn: staff })
  const owner = await makeConnected({ ...ada, subject: 'bob' })
  for (const [person, says] of [
    [{ ...ada, groups: [] }, 'You may not sign in here'],
    [{ ...ada, emailVerified: false }, 'Your email address is not confirmed'],
    [{ ...ada, email: undefined }, 'Your email address is not confirmed'],
    [{ ...ada, email: owner.email }, 'An account has this email address'],
  ] as const) {
    const answer = await signInWith(person)
    t.equal(answer.statusCode, 403, says)
    t.match(answer.body, says)
    t.equal(tokenOf(answer), undefined)
  }
  expectOk(await sotto.disableAccount({ accountId: owner.accountId }))
  const disabled = await signInWith({ ...ada, subject: 'bob' })
  t.equal(disabled.statusCode, 403)
  t.match(disabled.body, 'This account is disabled')
  const nobody = await startSso(t)
  const unknown = await nobody.signInWith()
  t.equal(unknown.statusCode, 403)
  t.match(unknown.body, 'No account is connected')
  t.equal((await get('/login')).statusCode, 200)
})

t.test('a provider that cannot be asked is 503, and the password still signs in', async (t) => {
  const { get, memory, makeConnected, comeBack, signIn, logLines } = await startSso(t)
  const { email } = await makeConnected()
  const begun = await get('/login/sso')
  memory.identityProvider.setReachable(false)
  for (const answer of [await get('/login/sso'), await comeBack(begun)]) {
    t.match(answer, { statusCode: 503, headers: { 'retry-after': '30' } })
    t.match(answer.body, `${label} does not answer`)
  }
  t.match(logLines.join(''), /"event":"sso_unreachable","reason":"connection refused"/)
  t.equal((await signIn({ email, password: 'correct horse battery' })).statusCode, 303)
})

// Promise (sign-in): Whom the answer does not decide about signs in whether the provider says more or not.
t.test('a provider is asked for more only about somebody whom it decides about', async (t) => {
  const { makeConnected, signInWith, memory, get, comeBack, logLines } = await startSso(t, { signIn: staff })
  await makeConnected()
  const telling = { isTerse: true }
  t.equal((await signInWith(ada, telling)).statusCode, 303)
  t.equal(memory.identityProvider.askedForMore, 0)
  const bob = { ...ada, subject: 'bob', email: 'bob@example.org' }
  t.equal((await signInWith(bob, telling)).statusCode, 303)
  t.equal(memory.identityProvider.askedForMore, 1)
  t.equal((await signInWith({ ...bob, groups: [] }, telling)).statusCode, 403)
  t.match(logLines.join(''), /"event":"account_made"/)
  t.ok(await comeBack(await get('/login/sso'), bob, undefined, telling))
})

t.test('a provider that refuses this service does answer, and says so', async (t) => {
  for (const isRefusal of [true, false]) {
    const unreachable = { code: 'identity_provider_unreachable', reason: 'status 401', isRefusal } as const
    const { signInWith, logLines } = await startSso(t, {
      replace: ({ identityProvider }) => ({
        identityProvider: { ...identityProvider!, finish: () => errAsync(unreachable) },
      }),
    })
    const answer = await signInWith()
    t.match(answer, { statusCode: 503, headers: { 'retry-after': '30' } })
    t.match(answer.body, `${label} ${isRefusal ? 'did not accept this service' : 'does not answer'}`)
    t.match(logLines.join(''), /"event":"sso_unreachable","reason":"status 401"/)
  }
})

t.test('somebody who cancels at the provider is told so', async (t) => {
  const refuse = { finish: () => errAsync({ code: 'sso_refused', reason: 'provider_refused' } as const) }
  const { signInWith } = await startSso(t, {
    replace: ({ identityProvider }) => ({ identityProvider: { ...identityProvider!, ...refuse } }),
  })
  const answer = await signInWith()
  t.equal(answer.statusCode, 400)
  t.match(answer.body, 'You are not signed in')
})

t.test('without passwords only the provider and one-time links sign in', async (t) => {
  const { get, post, sotto, signIn, makeInvited, signInWith } = await startSso(t, {
    signIn: { passwords: false, allowed: [] },
  })
  const page = await get('/login')
  t.match(page.body, `Sign in with ${label}`)
  t.notMatch(page.body, 'name="password"')
  t.notMatch(page.body, '/login/reset')
  const answer = await signIn({ email: 'ada@example.org', password: 'correct horse battery' })
  t.equal(answer.statusCode, 403)
  t.match(answer.body, 'Nobody signs in with a password here')
  await makeInvited()
  t.equal((await signInWith()).statusCode, 303)
  const { token } = expectOk(await sotto.resetAccount({ email: 'invited@example.org' }))
  const entered = await post(`/welcome/${token}`, { password: 'correct horse battery' })
  t.equal(entered.statusCode, 303, 'the way in when the provider is down')
  t.ok(tokenOf(entered))
})

t.test('an invitation is taken with an identity instead of a password', async (t) => {
  const { get, post, comeBack, sotto, signInWith } = await startSso(t)
  const { token } = expectOk(await sotto.inviteAccount({ email: 'new@example.org' }))
  const page = await get(`/welcome/${token}`)
  t.match(page.body, `Use ${label} instead of a password`)
  t.match(page.body, `action="/welcome/${token}/sso"`)
  t.match(page.headers['content-security-policy'], "form-action 'self' https:;")
  const begun = await post(`/welcome/${token}/sso`, {})
  t.match(begun, { statusCode: 303, headers: { location: /^https:\/\/login\.example\// } })
  t.equal((await get(`/welcome/${token}`)).statusCode, 200, 'it is not spent yet')
  const taken = await comeBack(begun)
  t.match(taken, { statusCode: 303, headers: { location: '/dashboard?done=invitationWithIdentity' } })
  const as = { token: tokenOf(taken) ?? '' }
  t.match((await get('/dashboard?done=invitationWithIdentity', { as })).body, 'Your account is connected')
  t.equal((await get(`/welcome/${token}`)).statusCode, 404)
  t.equal((await post(`/welcome/${token}/sso`, {})).statusCode, 404)
  t.equal((await signInWith()).statusCode, 303)
})

t.test('no other site makes a browser connect, disconnect or take an invitation', async (t) => {
  const { post, makeConnected, sotto, snapshot, get } = await startSso(t)
  const as = await makeConnected()
  const { token } = expectOk(await sotto.inviteAccount({ email: 'new@example.org' }))
  const before = snapshot()
  const headers = { 'sec-fetch-site': 'cross-site' }
  const cookie = `sotto=${as.token}`
  for (const path of ['/settings/sign-in/connect', `/welcome/${token}/sso`, '/login/sso/logout']) {
    t.equal((await post(path, {}, { headers: { ...headers, cookie } })).statusCode, 403, path)
    t.equal((await get(path, { as })).statusCode, 405, 'a link to it does nothing')
  }
  t.equal(snapshot(), before)
})

t.test('a provider may send long codes, and every other URL is as short as before', async (t) => {
  const { get } = await startSso(t)
  const query = (length: number) => `?code=${'x'.repeat(length - '?code='.length)}`
  t.equal((await get(`/login/sso/callback${query(8_192 - '/login/sso/callback'.length)}`)).statusCode, 400)
  t.equal((await get(`/login/sso/callback${query(8_193 - '/login/sso/callback'.length)}`)).statusCode, 414)
  t.equal((await get(`/login/sso${query(2_049 - '/login/sso'.length)}`)).statusCode, 414)
  const plain = await startDashboard(t)
  t.equal((await plain.get(`/login/sso/callback${query(2_048)}`)).statusCode, 414)
})
