import { expectOk } from '@sotto/test-kit'
import { errAsync } from 'neverthrow'
import t from 'tap'
import type { WorldOptions } from '../../../http-fastify/test/support/world.ts'
import { comparable, password, sessionOf, startDashboard, type Dashboard } from '../support/app.ts'

const wrong = 'a wrong passphrase indeed'

/** Fails to sign in, and returns the status of each attempt. */
async function guess(
  { signIn }: Dashboard,
  times: number,
  { email, address }: { readonly email: string | ((time: number) => string); readonly address: string },
): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) {
    const typed = typeof email === 'string' ? email : email(time)
    statuses.push((await signIn({ email: typed, password: wrong }, { address })).statusCode)
  }
  return statuses
}

t.test('whoever signs in gets a session and goes where he wanted', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  const page = await dashboard.get('/login?next=/settings')
  t.match(page.body, /<form method="post" action="\/login"/)
  for (const name of ['email', 'password', 'next']) t.match(page.body, `name="${name}"`)
  for (const name of ['Sign in', 'Email', 'Password']) t.match(page.body, name)
  const answer = await dashboard.signIn({ email: ` ${email.toUpperCase()} `, password, next: '/settings' })
  t.match(answer, { statusCode: 303, headers: { location: '/settings', 'cache-control': 'no-store' } })
  t.equal((await dashboard.get('/settings', { as: sessionOf(answer) })).statusCode, 200)
})

// Promise (The owner's pages): Sign-in does not reveal which accounts exist
t.test('nobody learns from an answer which accounts there are', async (t) => {
  const dashboard = await startDashboard(t)
  const { email: owner } = await dashboard.makeOwner('known0@example.org')
  const disabled = await dashboard.makeOwner('known1@example.org')
  expectOk(await dashboard.sotto.disableAccount({ accountId: disabled.accountId }))
  await dashboard.makeAccount('known2@example.org')
  const typed: readonly (readonly [what: string, email: string, password: string])[] = [
    ['a wrong password', owner, wrong],
    ['a disabled account, the right password', disabled.email, password],
    ['a disabled account, a wrong password', disabled.email, wrong],
    ['an account without a password', 'known2@example.org', wrong],
    ['an unknown email', 'nobody@example.org', wrong],
    ['an email that is none', 'nobody', wrong],
    ['an empty password', owner, ''],
    ['a password with NUL', owner, 'a\u0000b'],
    ['a password of 2,000 characters', owner, 'x'.repeat(2_000)],
  ]
  const expected = comparable(await dashboard.signIn({ email: 'typed@example.org', password: wrong }))
  for (const [what, email, tried] of typed) {
    const answer = await dashboard.signIn({ email, password: tried }, { address: '192.0.2.77' })
    t.equal(answer.statusCode, 401, what)
    t.notOk(tried !== '' && answer.body.includes(tried), 'no password is sent back')
    const body = answer.body.replace(`value="${email}"`, 'value="typed@example.org"')
    const headers = { ...answer.headers, 'content-length': String(Buffer.byteLength(body)) }
    t.same(comparable({ ...answer, headers, body }), expected, what)
  }
})

// Promise (The owner's pages): Five failures lock an account, but not from an address that it knows
t.test('five failures lock an account, but not for its owner at home', async (t) => {
  const dashboard = await startDashboard(t)
  const { email } = await dashboard.makeOwner()
  const stranger = await dashboard.makeOwner()
  const far = { email, address: '198.51.100.1' }
  t.same(await guess(dashboard, 7, far), [401, 401, 401, 401, 401, 429, 429])
  const locked = await dashboard.signIn({ email, password }, { address: '198.51.100.2' })
  t.equal(locked.statusCode, 429, 'also with the right password, from any other unknown address')
  t.equal(locked.headers['retry-after'], String(15 * 60))
  t.equal(sessionOf(locked), undefined)
  t.match(locked.body, `value="${email}"`, 'what was typed is kept')
  t.notMatch(locked.body, password)
  t.equal((await dashboard.signIn({ email, password })).statusCode, 303, 'from the known address')
  t.equal(
    (await dashboard.signIn({ email: stranger.email, password }, far)).statusCode,
    303,
    'another account',
  )
  dashboard.clock.advance(15 * 60 * 1_000_000)
  t.equal((await dashboard.signIn({ email, password }, far)).statusCode, 303, 'after 15 minutes')
})

// Promise (The owner's pages): The addresses of one IPv6 /64 count as one
t.test('the addresses of one /64 count as one, and so do the two spellings of an IPv4 address', async (t) => {
  const spellings: readonly (readonly [near: (n: number) => string, other: string])[] = [
    [(n) => `2001:db8:1:2:${n.toString(16)}::1`, '2001:db8:1:3::1'],
    [(n) => (n % 2 === 0 ? '198.51.100.1' : '::ffff:198.51.100.1'), '::ffff:198.51.100.2'],
  ]
  for (const [near, other] of spellings) {
    const dashboard = await startDashboard(t)
    for (let n = 0; n < 20; n += 1) {
      const { statusCode } = await dashboard.signIn(
        { email: `person-${n}@example.org`, password: wrong },
        { address: near(n) },
      )
      t.equal(statusCode, 401)
    }
    const fields = { email: 'next@example.org', password: wrong }
    t.equal((await dashboard.signIn(fields, { address: near(99) })).statusCode, 429, near(99))
    t.equal((await dashboard.signIn(fields, { address: other })).statusCode, 401, other)
  }
})

t.test('a header cannot change the address that is counted', async (t) => {
  const dashboard = await startDashboard(t)
  for (let n = 0; n < 20; n += 1) {
    const headers = { 'x-forwarded-for': `203.0.113.${n}` }
    await dashboard.signIn({ email: `person-${n}@example.org`, password: wrong }, { headers })
  }
  const answer = await dashboard.signIn({ email: 'a@example.org', password: wrong })
  t.equal(answer.statusCode, 429)
})

t.test('a busy hasher or store: 503 with Retry-After, and no session', async (t) => {
  let isBusy = false
  const busy = { code: 'storage_unavailable', reason: 'busy' } as const
  const broken: readonly NonNullable<WorldOptions['replace']>[] = [
    ({ passwordHasher: { params, hash } }) => ({
      passwordHasher: { params, hash: (job) => (isBusy ? errAsync({ code: 'hasher_busy' }) : hash(job)) },
    }),
    ({ signIns }) => ({
      signIns: { ...signIns, update: (...given) => (isBusy ? errAsync(busy) : signIns.update(...given)) },
    }),
  ]
  for (const replace of broken) {
    isBusy = false
    const dashboard = await startDashboard(t, { replace })
    const { email } = await dashboard.makeOwner()
    isBusy = true
    const answer = await dashboard.signIn({ email, password })
    t.equal(answer.statusCode, 503)
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/)
    t.equal(sessionOf(answer), undefined)
  }
})
