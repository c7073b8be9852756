import t from 'tap'
import { createSessionCookie } from '../../src/sessions/cookies.ts'
import { origin, password, sessionOf, startDashboard } from '../support/app.ts'

const token = 'A'.repeat(43)
const secure = 'https://sotto.example.org'

// Promise (The owner's pages): The cookie is for this host only, and not for scripts
t.test('the cookie is for this host only, and not for scripts or other sites', (t) => {
  t.same(attributesOf(createSessionCookie(origin).store(token)), [
    `sotto=${token}`,
    'HttpOnly',
    'Max-Age=1209600',
    'Path=/',
    'SameSite=Lax',
  ])
  t.same(attributesOf(createSessionCookie(secure).store(token)), [
    `__Host-sotto=${token}`,
    'HttpOnly',
    'Max-Age=1209600',
    'Path=/',
    'SameSite=Lax',
    'Secure',
  ])
  t.end()
})

t.test('it is removed with the attributes with which it was stored', (t) => {
  for (const baseUrl of [origin, secure]) {
    const cookie = createSessionCookie(baseUrl)
    const [, ...stored] = attributesOf(cookie.store(token))
    const [pair, ...removed] = attributesOf(cookie.remove)
    t.match(pair, /^(?:__Host-)?sotto=$/)
    t.same(
      removed,
      stored.map((each) => each.replace(/^Max-Age=.*/, 'Max-Age=0')),
    )
  }
  t.end()
})

const headers: readonly { baseUrl: string; cookies: readonly string[]; expected: string | undefined }[] = [
  { baseUrl: origin, cookies: [`sotto=${token}`], expected: token },
  { baseUrl: origin, cookies: [`a=1; sotto=${token};b=2`], expected: token },
  { baseUrl: origin, cookies: ['a=1', `sotto=${token}`], expected: token },
  { baseUrl: origin, cookies: [], expected: undefined },
  { baseUrl: origin, cookies: ['a=1; sotto'], expected: undefined },
  { baseUrl: origin, cookies: [`Sotto=${token}`], expected: undefined },
  { baseUrl: origin, cookies: [`xsotto=${token}`], expected: undefined },
  { baseUrl: origin, cookies: [`__Host-sotto=${token}`], expected: undefined },
  { baseUrl: origin, cookies: [`sotto=${token}; sotto=${token}`], expected: undefined },
  { baseUrl: origin, cookies: [`sotto=${token}`, 'sotto=other'], expected: undefined },
  { baseUrl: origin, cookies: [`sotto=; sotto=${token}`], expected: undefined },
  { baseUrl: secure, cookies: [`__Host-sotto=${token}`], expected: token },
  { baseUrl: secure, cookies: [`__Host-sotto=${token}; sotto=other`], expected: token },
  { baseUrl: secure, cookies: [`sotto=${token}`], expected: undefined },
  { baseUrl: secure, cookies: [`__Host-sotto=${token}; __Host-sotto=other`], expected: undefined },
]

t.test('the token is read from a single cookie of the right name', (t) => {
  for (const { baseUrl, cookies, expected } of headers) {
    const rawHeaders = cookies.flatMap((each) => ['Cookie', each])
    t.equal(createSessionCookie(baseUrl).read({ rawHeaders }), expected, `${baseUrl} ${cookies.join(' | ')}`)
  }
  t.end()
})

t.test('two cookies of that name sign nobody in', async (t) => {
  const dashboard = await startDashboard(t)
  const [one, other] = [await dashboard.makeOwner(), await dashboard.makeOwner()]
  const cookie = `sotto=${one.token}`
  t.equal((await dashboard.get('/dashboard', { headers: { cookie } })).statusCode, 200)
  for (const second of [one.token, other.token, 'x', '']) {
    const answer = await dashboard.get('/dashboard', { headers: { cookie: `${cookie}; sotto=${second}` } })
    t.equal(answer.statusCode, 303, second)
  }
})

// Promise (The owner's pages): Sign-in never adopts a token that was set before
t.test('a token that was set before signing in is never adopted', async (t) => {
  const dashboard = await startDashboard(t)
  const { email, token: own } = await dashboard.makeOwner()
  const attacker = await dashboard.makeOwner()
  for (const before of [token, own, attacker.token]) {
    const answer = await dashboard.signIn({ email, password }, { as: { token: before } })
    const session = sessionOf(answer)
    t.match(session?.token, /^[\w-]{43}$/)
    t.notOk([token, own, attacker.token].includes(session?.token ?? ''), 'a new token')
    t.equal((await dashboard.get('/settings', { as: session })).statusCode, 200)
  }
  t.equal(
    (await dashboard.get('/settings', { as: { token } })).statusCode,
    303,
    'the set one is worth nothing',
  )
  t.notMatch((await dashboard.get('/settings', { as: attacker })).body, email)
})

t.test('every sign-in has a token of its own, and pages set no cookie', async (t) => {
  const dashboard = await startDashboard(t, { baseUrl: secure })
  const { email } = await dashboard.makeOwner()
  const answers = [await dashboard.signIn({ email, password }), await dashboard.signIn({ email, password })]
  const [first, second] = answers.map(sessionOf)
  t.not(first?.token, second?.token)
  t.match(answers[0]?.headers['set-cookie'], /^__Host-sotto=.*; Secure/)
  for (const path of ['/login', '/dashboard', '/settings', '/secrets/none']) {
    t.equal((await dashboard.get(path, { as: first })).headers['set-cookie'], undefined, path)
  }
  t.notMatch(dashboard.logLines.join(''), first?.token, 'no log line contains it')
})

function attributesOf(header: string): string[] {
  const [pair = '', ...attributes] = header.split('; ')
  return [pair, ...attributes.toSorted()]
}
