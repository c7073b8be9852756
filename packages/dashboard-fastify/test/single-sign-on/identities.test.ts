import { expectOk } from '@sotto/test-kit'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { password } from '../support/app.ts'
import { ada, label, startSso, tokenOf } from '../support/sso.ts'

const minuteMicros = 60_000_000
const path = '/settings/sign-in'

/** Where the button *Disconnect* leads. */
function disconnectPath({ body }: LightMyRequestResponse): string {
  return /action="([^"]*\/disconnect)"/.exec(body)?.[1] ?? ''
}

t.test('an owner connects an identity, signs in with it, and disconnects it', async (t) => {
  const { get, post, makeOwner, comeBack, signInWith, logLines } = await startSso(t)
  const as = await makeOwner()
  const page = await get(path, { as })
  t.match(page.body, 'Nothing is connected')
  t.match(page.body, `Connect ${label}`)
  t.match(page.headers['content-security-policy'], "form-action 'self' https:;")
  t.match((await get('/settings', { as })).body, `href="${path}">Sign-in</a>`)
  const begun = await post(`${path}/connect`, {}, { as })
  t.match(begun, { statusCode: 303, headers: { location: /^https:\/\/login\.example\/authorize/ } })
  const connected = await comeBack(begun, ada, as)
  t.match(connected, { statusCode: 303, headers: { location: `${path}?done=identityConnected` } })
  const shown = await get(`${path}?done=identityConnected`, { as })
  t.match(shown.body, 'The identity is connected')
  t.match(shown.body, `<bdi>${label}</bdi>`)
  t.notMatch(shown.body, /ada@example\.org|>ada</)
  t.equal((await signInWith()).statusCode, 303)
  const question = await get(disconnectPath(shown), { as })
  t.match(question.body, 'Disconnect this identity?')
  const disconnected = await post(disconnectPath(shown), {}, { as })
  t.match(disconnected, { statusCode: 303, headers: { location: `${path}?done=identityDisconnected` } })
  t.equal((await signInWith()).statusCode, 403)
  t.equal((await get(disconnectPath(shown), { as })).statusCode, 404)
  t.equal((await post(disconnectPath(shown), {}, { as })).statusCode, 404)
  for (const event of ['identity_connected', 'identity_disconnected', 'signed_in', 'identity_refused'])
    t.match(logLines.join(''), `"event":"${event}"`)
  t.notMatch(logLines.join(''), /code=|state=|ada@example/)
})

// Promise (sign-in): An identity is connected by the session that began it only, after a fresh re-authentication.
t.test('what one session began connects nothing to another, nor to nobody', async (t) => {
  const { get, post, makeOwner, comeBack, signInWith, sotto } = await startSso(t)
  const [mallory, victim] = [await makeOwner(), await makeOwner()]
  for (const as of [victim, undefined, { token: 'x' }]) {
    const begun = await post(`${path}/connect`, {}, { as: mallory })
    t.equal((await comeBack(begun, ada, as)).statusCode, 400)
  }
  const again = expectOk(await sotto.signIn({ email: mallory.email, password, address: '192.0.2.1' }))
  const begun = await post(`${path}/connect`, {}, { as: mallory })
  t.equal((await comeBack(begun, ada, again)).statusCode, 400, 'another session of the same owner')
  t.match((await get(path, { as: victim })).body, 'Nothing is connected')
  t.equal((await signInWith()).statusCode, 403)
})

t.test('a sign-in connects nothing, and a connection signs nobody in', async (t) => {
  const { get, post, makeOwner, comeBack, makeConnected } = await startSso(t)
  await makeConnected()
  const as = await makeOwner()
  const signedIn = await comeBack(await get('/login/sso'), { ...ada, subject: 'eve' }, as)
  t.equal(signedIn.statusCode, 403)
  t.match((await get(path, { as })).body, 'Nothing is connected')
  const taken = await comeBack(await post(`${path}/connect`, {}, { as }), ada, as)
  t.equal(taken.statusCode, 409)
  t.match(taken.body, 'This identity is connected already')
  t.equal(tokenOf(taken), undefined)
})

t.test('connecting and disconnecting need the password again after ten minutes', async (t) => {
  const { get, post, makeConnected, clock, snapshot } = await startSso(t)
  const as = await makeConnected()
  clock.advance(10 * minuteMicros + 1)
  const page = await get(path, { as })
  t.match(page.body, 'name="proof"')
  const before = snapshot()
  for (const each of [`${path}/connect`, disconnectPath(page)]) {
    t.match(await post(each, {}, { as }), { statusCode: 400, body: /name="proof"/ })
    t.equal((await post(each, { proof: 'wrong' }, { as })).statusCode, 400)
  }
  t.equal(snapshot(), before)
  t.match(await post(`${path}/connect`, { proof: password }, { as }), {
    statusCode: 303,
    headers: { location: /^https:\/\/login\.example\// },
  })
})

t.test('the last authenticator is not disconnected', async (t) => {
  const { get, post, makeInvited } = await startSso(t)
  const as = await makeInvited()
  const answer = await post(disconnectPath(await get(path, { as })), {}, { as })
  t.equal(answer.statusCode, 409)
  t.match(answer.body, 'You could not sign in any more')
})

t.test('an owner without a password is proven by the provider, and sends the form again', async (t) => {
  const { get, post, makeInvited, comeBack, clock, memory } = await startSso(t)
  const as = await makeInvited()
  clock.advance(10 * minuteMicros + 1)
  const page = await get('/settings/tokens', { as })
  t.notMatch(page.body, 'name="proof"')
  t.match(page.body, `so ${label} first asks you to sign in again`)
  t.match(page.headers['content-security-policy'], "form-action 'self' https:;")
  const form = { name: 'my token', read: 'on', expires: '30' }
  const begun = await post('/settings/tokens', form, { as })
  t.match(begun, {
    statusCode: 303,
    headers: { location: /^https:\/\/login\.example\/authorize.*max_age=0/ },
  })
  t.equal(memory.data.accessTokens.size, 0)
  const fresh = { ...ada, authenticatedAtMicros: clock.nowMicros() }
  const back = await comeBack(begun, fresh, as)
  t.equal(back.statusCode, 200)
  t.match(back.body, 'You signed in again')
  t.match(back.body, 'Send again')
  t.match(back.body, 'action="/settings/tokens"')
  for (const [name, value] of Object.entries(form)) t.match(back.body, `name="${name}">\n${value}</textarea>`)
  const sent = await post('/settings/tokens', form, { as })
  t.equal(sent.statusCode, 201)
})

t.test('a proof is refused without a time, of another person, and in another session', async (t) => {
  const { post, makeInvited, makeConnected, comeBack, clock, get } = await startSso(t)
  const as = await makeInvited()
  const other = await makeConnected({ ...ada, subject: 'bob' })
  clock.advance(10 * minuteMicros + 1)
  const fresh = { ...ada, authenticatedAtMicros: clock.nowMicros() }
  const begin = () => post('/settings/delete', {}, { as })
  t.equal((await comeBack(await begin(), ada, as)).statusCode, 400, 'no time')
  const old = { ...ada, authenticatedAtMicros: clock.nowMicros() - 20 * minuteMicros }
  t.equal((await comeBack(await begin(), old, as)).statusCode, 400, 'of before')
  t.equal((await comeBack(await begin(), { ...fresh, subject: 'bob' }, as)).statusCode, 403)
  t.equal((await comeBack(await begin(), fresh, other)).statusCode, 400)
  t.equal((await comeBack(await begin(), fresh)).statusCode, 400)
  t.match(await begin(), { statusCode: 303, headers: { location: /max_age=0/ } }, 'still not proven')
  t.equal((await comeBack(await begin(), fresh, as)).statusCode, 200)
  t.match(await begin(), { statusCode: 303, headers: { location: '/login?account-deleted=1' } })
  t.equal((await get('/dashboard', { as })).statusCode, 303)
})

t.test('a form that is too long for the cookie leads back to its page', async (t) => {
  const { post, makeInvited, comeBack, clock, attemptOf } = await startSso(t)
  const as = await makeInvited()
  clock.advance(10 * minuteMicros + 1)
  const url = `https://hooks.example/${'x'.repeat(8_000)}`
  const begun = await post('/settings/notifications/webhooks', { url }, { as })
  t.ok((attemptOf(begun)?.length ?? 0) < 4_000)
  const fresh = { ...ada, authenticatedAtMicros: clock.nowMicros() }
  const back = await comeBack(begun, fresh, as)
  t.match(back, { statusCode: 303, headers: { location: '/dashboard' } })
})

t.test(
  'a logout token ends the sessions that began at the provider, and those of passwords stay',
  async (t) => {
    const { get, post, makeConnected, signInWith, memory } = await startSso(t)
    const withPassword = await makeConnected()
    const begin = async (sessionId: string) => ({
      token: tokenOf(await signInWith({ ...ada, sessionId })) ?? '',
    })
    const [first, second] = [await begin('one'), await begin('two')]
    const expiresAtMicros = Number.MAX_SAFE_INTEGER
    const send = (logout_token: string) => post('/login/sso/logout', { logout_token })
    const statuses = async () => {
      const answers = [first, second, withPassword].map((as) => get('/dashboard', { as }))
      return (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    }
    t.same(await statuses(), [200, 200, 200])
    const one = memory.identityProvider.logoutToken({ id: '1', sessionId: 'one', expiresAtMicros })
    const done = await send(one)
    t.match(done, { statusCode: 200, body: '', headers: { 'cache-control': /no-store/ } })
    t.same(await statuses(), [303, 200, 200])
    t.equal((await send(one)).statusCode, 400, 'a token counts once')
    t.equal(
      (await send(memory.identityProvider.logoutToken({ id: '2', subject: 'ada', expiresAtMicros })))
        .statusCode,
      200,
    )
    t.same(await statuses(), [303, 303, 200])
  },
)

t.test('a bad logout token is 400, and a provider that cannot be asked 503', async (t) => {
  const { post, memory } = await startSso(t)
  for (const fields of [{}, { logout_token: '' }, { logout_token: 'x' }, { other: 'x' }]) {
    const answer = await post('/login/sso/logout', fields)
    t.match(answer, { statusCode: 400, headers: { 'cache-control': /no-store/ } })
  }
  const nobody = memory.identityProvider.logoutToken({ id: '1', expiresAtMicros: 1e15 })
  t.equal((await post('/login/sso/logout', { logout_token: nobody })).statusCode, 400)
  memory.identityProvider.setReachable(false)
  t.equal((await post('/login/sso/logout', { logout_token: 'x' })).statusCode, 400)
  t.match(await post('/login/sso/logout', { logout_token: nobody }), {
    statusCode: 503,
    headers: { 'retry-after': '30' },
  })
})
