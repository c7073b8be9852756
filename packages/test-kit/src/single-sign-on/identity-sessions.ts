import type { StoredSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  durableCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword } from '../stores/rows.ts'

/** An account with sessions that were begun with a password, with one identity in two sessions at the provider, and with another one. */
async function addSessions(store: StorageUnderTest, make: Samples) {
  const { id: accountId } = await addAccount(store, make)
  const { session: password } = await addPassword(store, make, accountId)
  const [one, two] = [make.identity(accountId), make.identity(accountId)]
  const [index, otherIndex] = [make.nameIndex(), make.nameIndex()]
  expectOk(await store.identities.insert(one, [index], 5))
  expectOk(await store.identities.insert(two, [otherIndex], 5))
  const [first, second] = [make.tokenDigest(), make.tokenDigest()]
  const begin = async (authenticatorId: Uuid, providerSession?: Uint8Array) => {
    const session = make.session(accountId)
    same(
      expectOk(await store.sessions.insert(session, make.tokenDigest(), authenticatorId, providerSession)),
      true,
    )
    return session
  }
  const sessions = {
    password,
    first: await begin(one.id, first),
    second: await begin(one.id, second),
    unnamed: await begin(one.id),
    other: await begin(two.id, make.tokenDigest()),
  }
  return { accountId, identity: one, index, first, sessions }
}

type Sessions = Awaited<ReturnType<typeof addSessions>>['sessions']

/** The names of the sessions that are left. */
async function left(
  store: StorageUnderTest,
  accountId: Uuid,
  sessions: Sessions,
): Promise<readonly string[]> {
  const ids = expectOk(await store.sessions.page(accountId, undefined, 20)).map(({ id }: StoredSession) => id)
  return Object.entries(sessions).flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []))
}

const eraseAtMicros = noonMicros + 60_000_000

const ownCases: readonly StorageCase[] = casesOf({
  'identity-store/one-of-parallel-logouts-counts': storageCase({
    rule: 'Of several calls with one logout token at the same time exactly one counts.',
    check: (store, make) => oneLogoutCounts(store, store, make),
  }),
  'identity-store/one-of-logouts-from-two-storages-counts': besideCase({
    rule: 'Of several calls with one logout token by two storages on the same data exactly one counts.',
    check: oneLogoutCounts,
  }),
  'identity-store/endings-are-durable': durableCase({
    rule: 'Sessions that a logout or a refusal ended are gone after reopening.',
    async act(store, make) {
      const [one, other] = [await addSessions(store, make), await addSessions(store, make)]
      const token = { digest: make.tokenDigest(), eraseAtMicros }
      expectOk(
        await store.identities.endSessions({ identity: [one.index], providerSession: undefined, token }),
      )
      expectOk(await store.identities.refuse(other.identity.id, noonMicros))
      return (each) => [left(each, one.accountId, one.sessions), left(each, other.accountId, other.sessions)]
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'identity-store/refusal-ends-all-sessions': storageCase({
    rule: 'refuse records the time and erases all sessions of the account, however they were begun; access tokens and other accounts stay. Ok(false) for an unknown id.',
    async check(store, make) {
      const [mine, theirs] = [await addSessions(store, make), await addSessions(store, make)]
      const [token, digest] = [make.accessToken(mine.accountId), make.tokenDigest()]
      expectOk(await store.accessTokens.insert(token, digest))
      same(expectOk(await store.identities.refuse(make.uuid(), noonMicros)), false)
      same(expectOk(await store.identities.refuse(mine.identity.id, noonMicros + 3)), true)
      same(await left(store, mine.accountId, mine.sessions), [])
      same(await left(store, theirs.accountId, theirs.sessions), Object.keys(theirs.sessions))
      const { refusedAtMicros } = expectOk(await store.identities.find([mine.index])) ?? {}
      same(refusedAtMicros, noonMicros + 3)
      same(expectOk(await store.accessTokens.findUsable(digest, noonMicros))?.id, token.id)
    },
  }),
  'identity-store/erase-ends-its-sessions': storageCase({
    rule: 'erase erases the sessions that were begun with the identity, except the one that is named; other sessions stay.',
    async check(store, make) {
      const mayErase = () => true
      for (const [keep, kept] of [
        [undefined, ['password', 'other']],
        ['second', ['password', 'second', 'other']],
      ] as const) {
        const { accountId, identity, sessions } = await addSessions(store, make)
        const keepSessionId = keep && sessions[keep].id
        expectOk(await store.identities.erase(accountId, identity.id, { mayErase, keepSessionId }))
        same(await left(store, accountId, sessions), kept)
      }
    },
  }),
  'identity-store/logout-ends-what-it-names': storageCase({
    rule: 'endSessions erases the session that was begun with the session at the provider; without one all that were begun with the identity; with both, that one if it is of the identity. It answers how many, 0 for an unknown identity.',
    async check(store, make) {
      const mine = await addSessions(store, make)
      const { accountId, index, first, sessions } = mine
      const end = async (identity: Uint8Array | undefined, providerSession: Uint8Array | undefined) =>
        expectOk(
          await store.identities.endSessions({
            identity: identity && [make.nameIndex(), identity],
            providerSession,
            token: { digest: make.tokenDigest(), eraseAtMicros },
          }),
        )
      const theirs = await addSessions(store, make)
      same(await end(theirs.index, first), 0, 'the session of another identity')
      same(await end(make.nameIndex(), first), 0, 'an unknown identity')
      same(await end(undefined, make.tokenDigest()), 0, 'an unknown session')
      same(await left(store, accountId, sessions), Object.keys(sessions))
      same(await end(undefined, first), 1)
      same(await left(store, accountId, sessions), ['password', 'second', 'unnamed', 'other'])
      same(await end(index, undefined), 2)
      same(await left(store, accountId, sessions), ['password', 'other'])
      same(await end(theirs.index, theirs.first), 1)
      same(await left(store, theirs.accountId, theirs.sessions), ['password', 'second', 'unnamed', 'other'])
    },
  }),
  'identity-store/logout-token-counts-once': storageCase({
    rule: 'endSessions answers undefined, and changes nothing, for a token that was used before; it is remembered also when nothing ended.',
    async check(store, make) {
      const { accountId, index, first, sessions } = await addSessions(store, make)
      const [ended, empty] = [make.tokenDigest(), make.tokenDigest()].map((digest) => ({
        digest,
        eraseAtMicros,
      }))
      if (ended === undefined || empty === undefined) return
      const end = async (token: typeof ended, providerSession: Uint8Array | undefined) =>
        expectOk(await store.identities.endSessions({ identity: [index], providerSession, token }))
      same(await end(ended, first), 1)
      same(await end(empty, make.tokenDigest()), 0)
      for (const token of [ended, empty]) same(await end(token, undefined), undefined)
      same(await left(store, accountId, sessions), ['password', 'second', 'unnamed', 'other'])
    },
  }),
})

/** Cases of what happens to sessions that were begun with an identity. */
export const identitySessionCases: readonly StorageCase[] = [...ownCases, ...togetherCases]

async function oneLogoutCounts(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { index } = await addSessions(store, make)
  const digest = make.tokenDigest()
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => ({ digest, eraseAtMicros }),
    run: ({ identities }, token) =>
      identities
        .endSessions({ identity: [index], providerSession: undefined, token })
        .map((ended) => ended !== undefined),
  })
}
