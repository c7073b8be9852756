import {
  createManualClock,
  createMemoryIdentityProvider,
  createMemoryStorage,
  createSamples,
  expectOk,
  noonMicros,
} from '@sotto/test-kit'
import t from 'tap'
import { checkSignIn, type SignInExamined } from '../../src/doctor/sign-in.ts'

const allowed = [{ kind: 'group', name: 'sotto-users' }] as const

function examined() {
  const [storage, identityProvider] = [createMemoryStorage(), createMemoryIdentityProvider()]
  const clock = createManualClock(noonMicros)
  const rest = { policy: { signIn: { passwords: true, allowed } }, baseUrl: 'https://sotto.example' }
  return { storage, identityProvider, clock, ...rest } satisfies SignInExamined
}

t.test('where there is no provider nothing is found', async (t) => {
  t.strictSame(await checkSignIn({ ...examined(), identityProvider: undefined }), [])
})

// Promise (Single sign-on): The doctor says when the provider cannot be asked
t.test('a provider that is away is a warning, and a fault when passwords are off', async (t) => {
  const all = examined()
  t.match(await checkSignIn(all), [{ ok: true, text: /https:\/\/login\.example answers/ }])
  all.identityProvider.setReachable(false)
  t.match(await checkSignIn(all), [{ ok: undefined, text: /cannot be used \(connection refused\)/ }])
  const passwordsOff = { ...all, policy: { signIn: { passwords: false, allowed } } }
  t.match(await checkSignIn(passwordsOff), [{ ok: false, text: /sotto account invite/ }])
})

// Promise (Single sign-on): The doctor names accounts with access tokens whose owner may not sign in any more
t.test('accounts with live tokens whose owner may not sign in any more are named', async (t) => {
  const all = examined()
  const { storage } = all
  const make = createSamples(1)
  const add = async (refusedAtMicros: number | undefined) => {
    const account = make.account()
    expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
    const identity = make.identity(account.id, { origin: 'allowed', refusedAtMicros })
    expectOk(await storage.identities.insert(identity, [make.nameIndex()], 5))
    expectOk(await storage.accessTokens.insert(make.accessToken(account.id), make.tokenDigest()))
    return account.id
  }
  const [refused, still] = [await add(noonMicros), await add(undefined)]
  const named = (await checkSignIn(all)).filter(({ ok }) => ok === false)
  t.equal(named.length, 1)
  t.match(named, [{ text: new RegExp(`^1 account whose owner may not sign in any more has .*${refused}`) }])
  t.notOk(named[0]?.text.includes(still))
  for (const nobody of [
    { policy: { signIn: { passwords: true, allowed: [] } } },
    { identityProvider: undefined },
  ]) {
    const [both] = (await checkSignIn({ ...all, ...nobody })).filter(({ ok }) => ok === false)
    t.ok(both?.text.includes(refused) && both.text.includes(still), 'also one that nobody has refused yet')
  }
  for (let nr = 0; nr < 20; nr += 1) await add(noonMicros)
  t.match(
    (await checkSignIn(all)).map(({ text }) => text),
    [/answers/, /^21 accounts .* and 1 more; see/],
  )
})
