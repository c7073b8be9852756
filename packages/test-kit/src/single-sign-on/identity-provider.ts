import type { IdentityProvider, ProvenIdentity, ProvenLogout } from '@sotto/identity'
import assert from 'node:assert/strict'
import {
  caseOf,
  casesOf,
  contractOf,
  type ContractCase,
  type Harness,
  type Unit,
} from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'

/** What the other side of an identity provider under test says about a person. */
export type ProvenPerson = Omit<ProvenIdentity, 'issuer' | 'more'>

/** An identity provider and the other side of it, for its contract. */
export interface IdentityProviderUnderTest extends Unit {
  readonly identityProvider: IdentityProvider
  /**
   * Signs the person in at the URL that `begin` answered. Resolves with where the browser comes back to.
   * @param isTerse whether the provider says address and groups only when it is asked for more
   */
  signIn(url: string, person: ProvenPerson, isTerse?: boolean): Promise<string>
  /** A logout token of the provider, which is good for two minutes at least. */
  logoutToken(logout: Omit<ProvenLogout, 'issuer' | 'expiresAtMicros'>): Promise<string>
  /** Whether the provider answers from now on. */
  setReachable(isReachable: boolean): Promise<void>
  /** What the clock of the unit shows, in microseconds since the epoch. */
  nowMicros(): number
}

/** Makes the identity provider that the contract is run on. */
export type IdentityProviderHarness = Harness<IdentityProviderUnderTest, never>

const redirectUri = 'https://sotto.example/login/sso/callback'

/** The contract of the identity provider. */
export const identityProviderContract: readonly ContractCase<IdentityProviderHarness>[] = contractOf(
  casesOf<IdentityProviderHarness>({
    'identity-provider/proves-a-person': caseOf({
      rule: 'Whoever signed in at the provider is proven: subject, session, address with its verification, groups, and the issuer of the settings.',
      async check(opened: IdentityProviderUnderTest) {
        for (const person of people(opened)) {
          const { issuer, ...proven } = expectOk(await signedIn(opened, person))
          assert.equal(issuer, opened.identityProvider.issuer)
          const { authenticatedAtMicros: _, ...expected } = person
          same(withoutTime(proven), expected)
        }
      },
    }),
    'identity-provider/asks-for-more': caseOf({
      rule: 'Address and groups that the provider has not said come from `more`, which says which of them may be there; nothing is asked before.',
      async check(opened: IdentityProviderUnderTest) {
        const who = person(opened)
        const { more, ...first } = expectOk(await signedIn(opened, who, false, true))
        same([first.email, first.emailVerified, first.groups], [undefined, false, []])
        assert.deepEqual([more?.email, more?.groups], [true, true])
        const { email, emailVerified, groups } = who
        same(expectOk(await moreOf(more).ask()), { email, emailVerified, groups })
        const terse = expectOk(await signedIn(opened, who, false, true))
        await opened.setReachable(false)
        expectErr(await moreOf(terse.more).ask(), 'identity_provider_unreachable')
      },
    }),
    'identity-provider/begins-each-for-itself': caseOf({
      rule: 'Each beginning has a pending of its own, of at most 2,048 characters, and an absolute address.',
      async check({ identityProvider }: IdentityProviderUnderTest) {
        const begun = [await begin(identityProvider), await begin(identityProvider, true)] as const
        for (const { url, pending } of begun) {
          assert.ok(URL.canParse(url), url)
          assert.ok(pending.length > 0 && pending.length <= 2_048)
        }
        assert.notEqual(begun[0].pending, begun[1].pending)
        assert.notEqual(begun[0].url, begun[1].url)
      },
    }),
    'identity-provider/finishes-only-what-this-browser-began': caseOf({
      rule: 'What came back for one beginning is `sso_refused` for another one.',
      async check(opened: IdentityProviderUnderTest) {
        const { identityProvider, signIn } = opened
        const [mine, others] = [await begin(identityProvider), await begin(identityProvider)]
        const callbackUrl = await signIn(others.url, person(opened))
        expectErr(await identityProvider.finish({ callbackUrl, pending: mine.pending }), 'sso_refused')
        const stolen = new URL(callbackUrl)
        stolen.searchParams.set('state', new URL(mine.url).searchParams.get('state') ?? '')
        const swapped = { callbackUrl: stolen.href, pending: mine.pending }
        expectErr(await identityProvider.finish(swapped), 'sso_refused')
      },
    }),
    'identity-provider/finishes-once': caseOf({
      rule: 'A code counts once: `sso_refused` the second time.',
      async check(opened: IdentityProviderUnderTest) {
        const { identityProvider, signIn } = opened
        const { url, pending } = await begin(identityProvider)
        const callbackUrl = await signIn(url, person(opened))
        expectOk(await identityProvider.finish({ callbackUrl, pending }))
        expectErr(await identityProvider.finish({ callbackUrl, pending }), 'sso_refused')
      },
    }),
    'identity-provider/refuses-what-is-none': caseOf({
      rule: 'A callback or a pending that is empty, cut, or made up is `sso_refused`; nothing throws.',
      async check(opened: IdentityProviderUnderTest) {
        const { identityProvider, signIn } = opened
        for (const spoil of [
          () => '',
          (text: string) => text.slice(0, -1),
          () => 'x',
          () => '{}',
          () => '[]',
        ]) {
          const { url, pending } = await begin(identityProvider)
          const callbackUrl = await signIn(url, person(opened))
          expectErr(await identityProvider.finish({ callbackUrl, pending: spoil(pending) }), 'sso_refused')
          const { searchParams: query } = new URL(callbackUrl)
          query.set('code', spoil(query.get('code') ?? ''))
          const spoiled = { callbackUrl: `${redirectUri}?${query.toString()}`, pending }
          expectErr(await identityProvider.finish(spoiled), 'sso_refused')
        }
        for (const callbackUrl of ['', 'x', redirectUri, `${redirectUri}?state=x&code=x`]) {
          const { pending } = await begin(identityProvider)
          expectErr(await identityProvider.finish({ callbackUrl, pending }), 'sso_refused')
        }
      },
    }),
    'identity-provider/proves-presence': caseOf({
      rule: 'With `fresh` the identity says when the person signed in: after the beginning, give or take a minute.',
      async check(opened: IdentityProviderUnderTest) {
        const before = opened.nowMicros()
        const { authenticatedAtMicros = 0 } = expectOk(await signedIn(opened, person(opened), true))
        assert.ok(authenticatedAtMicros >= before - 60_000_000, 'it is too old')
        assert.ok(authenticatedAtMicros <= opened.nowMicros() + 60_000_000, 'it is of later')
      },
    }),
    'identity-provider/reads-logout-tokens': caseOf({
      rule: 'A logout token names a subject, a session, or both, its own name, and from when on it is refused.',
      async check(opened: IdentityProviderUnderTest) {
        for (const names of [{ subject: 'ada' }, { sessionId: 's' }, { subject: 'ada', sessionId: 's' }]) {
          const token = await opened.logoutToken({ id: 'a name', ...names })
          const read = expectOk(await opened.identityProvider.readLogout(token))
          const { issuer, expiresAtMicros, ...logout } = read
          assert.equal(issuer, opened.identityProvider.issuer)
          assert.ok(Number.isSafeInteger(expiresAtMicros) && expiresAtMicros > opened.nowMicros())
          same(JSON.parse(JSON.stringify(logout)), { id: 'a name', ...names })
        }
      },
    }),
    'identity-provider/refuses-other-tokens': caseOf({
      rule: 'A text that is no logout token of the provider is `sso_refused`; nothing throws.',
      async check({ identityProvider, logoutToken }: IdentityProviderUnderTest) {
        const token = await logoutToken({ id: 'a name', subject: 'ada' })
        for (const text of ['', 'x', 'a.b.c', token.slice(1), `x${token}`, 'x'.repeat(100_000)])
          expectErr(await identityProvider.readLogout(text), 'sso_refused')
      },
    }),
    'identity-provider/unreachable': caseOf({
      rule: 'A provider that does not answer is `identity_provider_unreachable` with a reason and no refusal, and is asked again by the next call.',
      async check(opened: IdentityProviderUnderTest) {
        const { identityProvider, setReachable } = opened
        const token = await opened.logoutToken({ id: 'a name', subject: 'ada' })
        await setReachable(false)
        const { reason, isRefusal } = expectErr(
          await identityProvider.begin({ redirectUri, fresh: false }),
          'identity_provider_unreachable',
        )
        assert.match(reason, /^[\w ]+$/)
        assert.equal(isRefusal, false)
        expectErr(await identityProvider.readLogout(token), 'identity_provider_unreachable')
        expectErr(await identityProvider.readLogout('a.b.c'), 'sso_refused')
        await setReachable(true)
        expectOk(await signedIn(opened, person(opened)))
        const { url, pending } = await begin(identityProvider)
        const callbackUrl = await opened.signIn(url, person(opened))
        await setReachable(false)
        const callback = { callbackUrl, pending }
        expectErr(await identityProvider.finish(callback), 'identity_provider_unreachable')
      },
    }),
  }),
)

function person({ nowMicros }: IdentityProviderUnderTest): ProvenPerson {
  return {
    subject: 'ada',
    sessionId: 'a session',
    email: 'Ada@Example.org',
    emailVerified: true,
    groups: ['staff', 'Admins'],
    authenticatedAtMicros: nowMicros(),
  }
}

function moreOf(more: ProvenIdentity['more']): NonNullable<ProvenIdentity['more']> {
  return more ?? assert.fail('there is nothing more to ask for')
}

function people(opened: IdentityProviderUnderTest): readonly ProvenPerson[] {
  const whole = person(opened)
  return [
    whole,
    { ...whole, emailVerified: false },
    { ...whole, subject: 'x'.repeat(255), groups: [] },
    { subject: 'ümläut', emailVerified: false, groups: ['a group, with a comma'] },
  ]
}

async function begin(identityProvider: IdentityProvider, fresh = false) {
  return expectOk(await identityProvider.begin({ redirectUri, fresh }))
}

async function signedIn(
  { identityProvider, signIn }: IdentityProviderUnderTest,
  who: ProvenPerson,
  fresh = false,
  isTerse = false,
) {
  const { url, pending } = await begin(identityProvider, fresh)
  return identityProvider.finish({ callbackUrl: await signIn(url, who, isTerse), pending })
}

/** What is not known is absent or undefined. */
function withoutTime({
  authenticatedAtMicros: _,
  more: _more,
  ...proven
}: Omit<ProvenIdentity, 'issuer'>): unknown {
  return JSON.parse(JSON.stringify(proven))
}
