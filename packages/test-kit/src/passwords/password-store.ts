import type { StoredSession } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  durableCase,
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword, type AddedPassword } from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'password-store/find-of-none-is-undefined': storageCase({
    rule: 'find answers undefined for an account without a password and for an unknown one.',
    async check(store, make) {
      await addOwner(store, make)
      const { id } = await addAccount(store, make)
      for (const each of [id, make.uuid()]) same(expectOk(await store.passwords.find(each)), undefined)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'password-store/find-gives-the-password-of-the-account': storageCase({
    rule: 'find gives the password of the account exactly as it was set.',
    async check(store, make) {
      for (const columns of [{}, { createdAtMicros: noonMicros + 1 }]) {
        const { id } = await addAccount(store, make)
        const { password } = await addPassword(store, make, id, columns)
        same(expectOk(await store.passwords.find(id)), password)
      }
    },
  }),
  'password-store/replace-sets-the-password': storageCase({
    rule: 'replace sets the password of its account and of no other.',
    async check(store, make) {
      const [mine, theirs] = [await addOwner(store, make), await addOwner(store, make)]
      const password = make.password(mine.accountId, { createdAtMicros: noonMicros + 7 })
      const options = { expectedId: mine.password.id, keepSessionId: mine.session.id }
      same(expectOk(await store.passwords.replace(password, options)), true)
      same(expectOk(await store.passwords.find(mine.accountId)), password)
      same(expectOk(await store.passwords.find(theirs.accountId)), theirs.password)
    },
  }),
  'password-store/replace-ends-the-other-sessions': storageCase({
    rule: 'replace ends the sessions of its account, except the one to keep, and no session of another account.',
    async check(store, make) {
      const [mine, theirs] = [await addOwner(store, make), await addOwner(store, make)]
      for (const at of [1, 2]) await addSessionTo(store, make, mine, noonMicros + at)
      const options = { expectedId: mine.password.id, keepSessionId: mine.session.id }
      expectOk(await store.passwords.replace(make.password(mine.accountId), options))
      same(expectOk(await store.sessions.page(mine.accountId, undefined, 10)), [mine.session])
      same(expectOk(await store.sessions.page(theirs.accountId, undefined, 10)), [theirs.session])
    },
  }),
  'password-store/replace-erases-the-one-time-link': storageCase({
    rule: 'replace erases the one-time link of its account, and none of another account.',
    async check(store, make) {
      const [mine, theirs] = [await addOwner(store, make), await addOwner(store, make)]
      const [myDigest, theirDigest] = [make.tokenDigest(), make.tokenDigest()]
      expectOk(await store.invitations.replace(make.invitation(mine.accountId), myDigest))
      expectOk(await store.invitations.replace(make.invitation(theirs.accountId), theirDigest))
      const options = { expectedId: mine.password.id, keepSessionId: mine.session.id }
      expectOk(await store.passwords.replace(make.password(mine.accountId), options))
      same(expectOk(await store.invitations.find(myDigest, noonMicros)), undefined)
      const found = expectOk(await store.invitations.find(theirDigest, noonMicros))
      same(found?.accountId, theirs.accountId)
    },
  }),
  'password-store/replace-of-another-password-is-false': storageCase({
    rule: 'replace answers Ok(false) and changes nothing when the account has another password than the expected one, or none.',
    async check(store, make) {
      const [mine, theirs] = [await addOwner(store, make), await addOwner(store, make)]
      const other = await addSessionTo(store, make, mine, noonMicros + 1)
      for (const expectedId of [theirs.password.id, make.uuid()]) {
        const options = { expectedId, keepSessionId: mine.session.id }
        same(expectOk(await store.passwords.replace(make.password(mine.accountId), options)), false)
        await isUnchanged(store, mine, [mine.session, other])
      }
      const { id } = await addAccount(store, make)
      const options = { expectedId: make.uuid(), keepSessionId: make.uuid() }
      same(expectOk(await store.passwords.replace(make.password(id), options)), false)
      same(expectOk(await store.passwords.find(id)), undefined)
    },
  }),
  'password-store/replace-by-an-ended-session-is-false': storageCase({
    rule: 'replace answers Ok(false) and changes nothing when the account does not have the session to keep, or has it no more.',
    async check(store, make) {
      const [mine, theirs] = [await addOwner(store, make), await addOwner(store, make)]
      const ended = await addSessionTo(store, make, mine, noonMicros + 1)
      same(expectOk(await store.sessions.erase(mine.accountId, ended.id)), true)
      for (const keepSessionId of [ended.id, theirs.session.id, make.uuid()]) {
        const options = { expectedId: mine.password.id, keepSessionId }
        same(expectOk(await store.passwords.replace(make.password(mine.accountId), options)), false)
        await isUnchanged(store, mine)
      }
    },
  }),
  'password-store/one-of-parallel-replacements-wins': storageCase({
    rule: 'Of several replacements of one password at the same time exactly one succeeds, and its password is stored.',
    check: (store, make) => oneReplacementWins(store, store, make),
  }),
  'password-store/one-of-replacements-from-two-storages-wins': besideCase({
    rule: 'Of several replacements of one password by two storages on the same data exactly one succeeds.',
    check: oneReplacementWins,
  }),
  'password-store/writes-are-durable': durableCase({
    rule: 'A password that was replaced, and the end of the other sessions, are found after reopening.',
    async act(store, make) {
      const owner = await addOwner(store, make)
      const { accountId, password, session } = owner
      await addSessionTo(store, make, owner, noonMicros + 1)
      const options = { expectedId: password.id, keepSessionId: session.id }
      same(expectOk(await store.passwords.replace(make.password(accountId), options)), true)
      return ({ passwords, sessions }) => [passwords.find(accountId), sessions.page(accountId, undefined, 10)]
    },
  }),
})

/** The contract of the password store. */
export const passwordStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('password-store', 'passwords', ['accounts', 'keys', 'sessions', 'invitations']),
  ...aloneCases,
  ...togetherCases,
])

interface Owner extends AddedPassword {
  readonly accountId: Uuid
}

/** Adds an account with a password and one session. */
async function addOwner(store: StorageUnderTest, make: Samples): Promise<Owner> {
  const { id } = await addAccount(store, make)
  return { accountId: id, ...(await addPassword(store, make, id)) }
}

async function addSessionTo(
  { sessions }: StorageUnderTest,
  make: Samples,
  { accountId, password }: Owner,
  createdAtMicros: number,
): Promise<StoredSession> {
  const session = make.session(accountId, { createdAtMicros })
  same(expectOk(await sessions.insert(session, make.tokenDigest(), password.id)), true, 'adding a session')
  return session
}

async function isUnchanged(
  store: StorageUnderTest,
  { accountId, password, session }: Owner,
  sessions: readonly StoredSession[] = [session],
): Promise<void> {
  same(expectOk(await store.passwords.find(accountId)), password, 'the password')
  same(expectOk(await store.sessions.page(accountId, undefined, 10)), sessions, 'the sessions')
}

async function oneReplacementWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const { accountId, password, session } = await addOwner(store, make)
  const options = { expectedId: password.id, keepSessionId: session.id }
  const winner = await onlyWinner({
    stores: [store, beside],
    makeRival: () => make.password(accountId),
    run: ({ passwords }, rival) => passwords.replace(rival, options),
  })
  same(expectOk(await store.passwords.find(accountId)), winner, 'the password that is stored')
}
