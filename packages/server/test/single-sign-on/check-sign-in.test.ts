import {
  createManualClock,
  createMemoryIdentityProvider,
  createMemoryStorage,
  createSamples,
  expectOk,
  noonMicros,
} from '@sotto/test-kit'
import t from 'tap'
import { checkSignIn, type SignInExamined } from '../../src/single-sign-on/check-sign-in.ts'

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

// Promise (Single sign-on): The doctor names accounts whose owner may not sign in any more, and what they can be used with
t.test('accounts that can still be used by somebody who may not sign in any more are named', async (t) => {
  const all = examined()
  const { storage } = all
  const make = createSamples(1)
  const add = async (refusedAtMicros: number | undefined) => {
    const account = make.account({ isHeld: true })
    expectOk(await storage.accounts.insert(account, [make.nameIndex()]))
    const times = { refusedAtMicros, lastUsedAtMicros: noonMicros - 1 }
    const identity = make.identity(account.id, { origin: 'allowed', ...times })
    expectOk(await storage.identities.insert(identity, [make.nameIndex()], 5))
    expectOk(await storage.accessTokens.insert(make.accessToken(account.id), make.tokenDigest()))
    return account.id
  }
  const [refused, still] = [await add(noonMicros), await add(undefined)]
  expectOk(await storage.passkeys.insert(make.passkey(refused), make.tokenDigest(), 10))
  const [password, digest] = [make.password(refused), make.tokenDigest()]
  const link = { nowMicros: noonMicros, session: make.session(refused), sessionDigest: make.tokenDigest() }
  const named = async (more: Partial<SignInExamined> = {}) =>
    (await checkSignIn({ ...all, ...more })).filter(({ ok }) => ok === false)
  const what = `${refused} \\(1 passkey and 1 access token\\)`
  const found = await named()
  t.equal(found.length, 1)
  t.match(found, [
    { text: new RegExp(`^1 account whose owner may not sign in any more can .*: ${what}; see`) },
  ])
  t.notOk(found[0]?.text.includes(still))
  for (const nobody of [
    { policy: { signIn: { passwords: true, allowed: [] } } },
    { identityProvider: undefined },
  ]) {
    const [both] = await named(nobody)
    t.ok(both?.text.includes(refused) && both.text.includes(still), 'also one that nobody has refused yet')
  }
  const invitation = make.invitation(refused, { kind: 'reset' })
  expectOk(await storage.invitations.replace(invitation, digest))
  expectOk(await storage.invitations.spend(digest, { ...link, password }))
  t.match(await named(), [{ text: 'a password, 1 session and 1 access token' }], 'after a one-time link')
  for (let nr = 0; nr < 20; nr += 1) await add(noonMicros)
  t.match(
    (await checkSignIn(all)).map(({ text }) => text),
    [/answers/, /^21 accounts .* and 1 more; see/],
  )
})
