import t from 'tap'
import { reauthenticationMicros } from '../../src/sessions/session.ts'
import {
  decideSignIn,
  freshSignInMicros,
  isMoreNeeded,
  parseAllowed,
  sessionProofMicros,
  verifiedEmail,
  type KnownIdentity,
  type SignInQuestion,
} from '../../src/single-sign-on/single-sign-on.ts'
import { type AllowedIdentities } from '../../src/sessions/sign-in-policy.ts'

const group: AllowedIdentities = { kind: 'group', name: 'sotto-users' }
const domain: AllowedIdentities = { kind: 'domain', domain: 'example.org' }
const signIn = { kind: 'sign_in', accountId: 'an account' }
const makeAccount = { kind: 'make_account', email: 'ada@example.org' }

function known(account: 'held' | 'ordinary', accountDisabled = false): KnownIdentity {
  return { accountId: 'an account', accountHeld: account === 'held', accountDisabled }
}

interface Row {
  readonly known?: KnownIdentity
  readonly email?: string | undefined
  readonly emailVerified?: boolean
  readonly groups?: readonly string[]
  readonly isAddressTaken?: boolean
  readonly allowed?: readonly AllowedIdentities[]
  /** What is decided, or why somebody is refused. */
  readonly then: object | string
}

const table: Readonly<Record<string, Row>> = {
  'of an ordinary account': { known: known('ordinary'), then: signIn },
  'of an ordinary account, in no group and without an address': {
    ...{ known: known('ordinary'), allowed: [group], groups: [], email: undefined, emailVerified: false },
    then: signIn,
  },
  'of a held account, still in the group': { known: known('held'), allowed: [group], then: signIn },
  'of a held account, in the group, with an address that is not verified any more': {
    ...{ known: known('held'), allowed: [group], emailVerified: false },
    then: signIn,
  },
  'of a held account, still of the domain': {
    ...{ known: known('held'), allowed: [domain], groups: [] },
    then: signIn,
  },
  'of a held account, with an address of the domain that is not verified any more': {
    ...{ known: known('held'), allowed: [domain], groups: [], emailVerified: false },
    then: 'not_allowed',
  },
  'of a held account, group gone': {
    known: known('held'),
    allowed: [group],
    groups: ['others'],
    then: 'not_allowed',
  },
  'of a held account, nobody is allowed any more': { known: known('held'), allowed: [], then: 'not_allowed' },
  'of a held account, with an address that an account has, its own': {
    ...{ known: known('held'), allowed: [group], isAddressTaken: true },
    then: signIn,
  },
  'of an ordinary account that is disabled': { known: known('ordinary', true), then: 'account_disabled' },
  'of a held account that is disabled, and group gone': {
    ...{ known: known('held', true), allowed: [group], groups: [] },
    then: 'account_disabled',
  },
  'unknown, nobody is allowed': { then: 'unknown' },
  'unknown, nobody is allowed, address taken': { isAddressTaken: true, then: 'unknown' },
  'unknown, in the group': { allowed: [group], then: makeAccount },
  'unknown, of the domain': { allowed: [domain], groups: [], then: makeAccount },
  'unknown, any entry suffices': { allowed: [{ kind: 'group', name: 'x' }, domain], then: makeAccount },
  'unknown, address normalised, domains equal but for case': {
    ...{ allowed: [domain], email: ' Ada@EXAMPLE.org ', groups: [] },
    then: makeAccount,
  },
  'unknown, group with another case': { allowed: [group], groups: ['Sotto-Users'], then: 'not_allowed' },
  'unknown, subdomain': { allowed: [domain], email: 'ada@a.example.org', groups: [], then: 'not_allowed' },
  'unknown, domain that ends alike': {
    ...{ allowed: [domain], email: 'ada@badexample.org', groups: [] },
    then: 'not_allowed',
  },
  'unknown, in the group, not verified': { allowed: [group], emailVerified: false, then: 'unverified' },
  'unknown, in the group, without an address': { allowed: [group], email: undefined, then: 'unverified' },
  'unknown, in the group, with an address that none may have': {
    ...{ allowed: [group], email: '"a b"@example.org' },
    then: 'unverified',
  },
  'unknown, in the group, address taken': { allowed: [group], isAddressTaken: true, then: 'address_taken' },
  'unknown, not allowed, address taken: nobody learns that': {
    ...{ allowed: [group], groups: [], isAddressTaken: true },
    then: 'not_allowed',
  },
}

for (const [
  name,
  { then, known: identity, isAddressTaken = false, allowed = [], ...given },
] of Object.entries(table)) {
  t.test(name, (t) => {
    const proven: SignInQuestion['proven'] = {
      email: 'ada@example.org',
      emailVerified: true,
      groups: ['sotto-users'],
      ...given,
    }
    const decided = decideSignIn({ proven, known: identity, isAddressTaken, allowed })
    if (typeof then === 'string') {
      const account = identity === undefined ? {} : { accountId: 'an account' }
      t.strictSame(decided.isErr() && decided.error, { code: 'identity_refused', reason: then, ...account })
    } else t.strictSame(decided.isOk() && decided.value, then)
    t.end()
  })
}

t.test('entries of who is allowed are read exactly', (t) => {
  t.strictSame(parseAllowed('group:Sotto users: all'), { kind: 'group', name: 'Sotto users: all' })
  t.strictSame(parseAllowed('domain:Example.ORG'), domain)
  for (const text of ['domain:münchen.example', 'domain:mu\u0308nchen.example'])
    t.strictSame(parseAllowed(text), { kind: 'domain', domain: 'münchen.example' })
  const others = ['', 'group', 'group:', 'domain:', 'email:a@b.c', 'Group:x', 'agroup:x', '*', 'example.org']
  for (const text of [
    ...others,
    'domain:@example.org',
    'domain:*.example.org',
    'domain:.org',
    'domain:a..b',
    'domain:a b',
  ])
    t.equal(parseAllowed(text), undefined, text)
  t.end()
})

t.test('an address counts when the provider vouches for it and an account may have it', (t) => {
  t.equal(verifiedEmail({ email: 'Ada@Example.org', emailVerified: true }), 'ada@example.org')
  t.equal(verifiedEmail({ email: 'ada@example.org', emailVerified: false }), undefined)
  t.equal(verifiedEmail({ emailVerified: true }), undefined)
  t.end()
})

t.test('a sign-in at the provider is fresh for ten minutes; one in the future proves nothing', (t) => {
  const now = 1_700_000_000_000_000
  const fresh = (authenticatedAtMicros?: number) => freshSignInMicros({ authenticatedAtMicros }, now)
  t.equal(fresh(now), now)
  t.equal(fresh(now - reauthenticationMicros + 1), now - reauthenticationMicros + 1)
  t.equal(fresh(now - reauthenticationMicros), undefined)
  t.equal(fresh(now + 60_000_000), now, 'clocks may differ by a minute')
  t.equal(fresh(now + 60_000_001), undefined)
  t.equal(fresh(), undefined, 'a provider that does not say')
  t.equal(sessionProofMicros({}, now), now)
  t.equal(sessionProofMicros({ authenticatedAtMicros: now - 5 }, now), now - 5)
  t.equal(sessionProofMicros({ authenticatedAtMicros: 0 }, now), now - reauthenticationMicros, 'long ago')
  t.end()
})

t.test('more is needed only where it may change the decision', (t) => {
  const [email, groups, both] = [
    { email: true, groups: false },
    { email: false, groups: true },
    { email: true, groups: true },
  ]
  const nothing = { email: undefined, emailVerified: false, groups: [] }
  const ada = { ...nothing, email: 'ada@example.org', emailVerified: true }
  for (const [proven, who, allowed, more, is] of [
    [nothing, known('ordinary'), [group, domain], both, false],
    [nothing, known('held', true), [group], both, false],
    [nothing, known('held'), [], both, false],
    [nothing, known('held'), [group], groups, true],
    [nothing, known('held'), [group], email, false],
    [nothing, known('held'), [domain], groups, false],
    [nothing, known('held'), [domain], email, true],
    [ada, known('held'), [group, domain], groups, false],
    [{ ...nothing, groups: ['sotto-users'] }, known('held'), [group, domain], email, false],
    [nothing, undefined, [], both, false],
    [nothing, undefined, [group], both, true],
    [{ ...nothing, groups: ['sotto-users'] }, undefined, [group], email, true],
    [{ ...ada, emailVerified: false }, undefined, [group, domain], groups, false],
    [ada, undefined, [group], groups, true],
    [ada, undefined, [domain], groups, false],
  ] as const)
    t.equal(
      isMoreNeeded({ proven, known: who, allowed }, more),
      is,
      JSON.stringify([proven, who, allowed, more]),
    )
  t.end()
})
