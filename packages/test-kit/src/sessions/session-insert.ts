import type { Uuid } from '@sotto/core'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { addAccount, addPassword } from '../stores/rows.ts'
import { addOwner, addSession, status } from './session-rows.ts'

/** Cases of `insert`. */
export const sessionInsertCases: readonly StorageCase[] = casesOf({
  'session-store/insert-is-found-again': storageCase({
    rule: 'A session comes back exactly as it was inserted, by its digest and in the list.',
    async check(store, make) {
      const owner = await addOwner(store, make)
      const times = { reauthenticatedAtMicros: noonMicros + 1, lastUsedAtMicros: noonMicros + 2 }
      const { session, digest } = await addSession(store, make, owner, times)
      same(expectOk(await store.sessions.findByDigest(digest)), status(session), 'by its digest')
      same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [session], 'in the list')
    },
  }),
  'session-store/insert-needs-the-password': storageCase({
    rule: 'insert answers Ok(false) and writes nothing unless the account has the named password, identity or passkey.',
    needs: ['together'],
    async check(store, make) {
      const [owner, other] = [await addOwner(store, make), await addOwner(store, make)]
      const { id: withoutPassword } = await addAccount(store, make)
      const { session: newer } = await addPassword(store, make, other.accountId)
      for (const [accountId, passwordId, when] of [
        [owner.accountId, make.uuid(), 'an unknown password'],
        [owner.accountId, other.passwordId, "another account's password"],
        [other.accountId, other.passwordId, 'a password that was replaced'],
        [withoutPassword, owner.passwordId, 'an account without a password'],
        [make.uuid(), owner.passwordId, 'an unknown account'],
        [owner.accountId, await addIdentity(store, make, other.accountId), "another account's identity"],
        [owner.accountId, await addPasskey(store, make, other.accountId), "another account's passkey"],
      ] as const) {
        const [session, digest] = [make.session(accountId), make.tokenDigest()]
        same(expectOk(await store.sessions.insert(session, digest, passwordId)), false, when)
        same(expectOk(await store.sessions.findByDigest(digest)), undefined, when)
      }
      same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [])
      same(expectOk(await store.sessions.page(other.accountId, undefined, 10)), [newer])
      for (const authenticatorId of [
        await addIdentity(store, make, withoutPassword),
        await addPasskey(store, make, withoutPassword),
      ]) {
        const [session, digest] = [make.session(withoutPassword), make.tokenDigest()]
        same(expectOk(await store.sessions.insert(session, digest, authenticatorId)), true)
        same(expectOk(await store.sessions.findByDigest(digest)), status(session))
      }
    },
  }),
  'session-store/insert-of-a-disabled-account-is-false': storageCase({
    rule: 'insert answers Ok(false) and writes nothing when the account is disabled.',
    needs: ['together'],
    async check(store, make) {
      const { accountId, passwordId } = await addOwner(store, make)
      expectOk(await store.accounts.disable(accountId, noonMicros))
      const digest = make.tokenDigest()
      same(expectOk(await store.sessions.insert(make.session(accountId), digest, passwordId)), false)
      same(expectOk(await store.sessions.findByDigest(digest)), undefined)
    },
  }),
  'session-store/id-and-digest-belong-to-one-session': storageCase({
    rule: 'insert with an id or a digest that is taken answers a storage error; nothing is written and nothing is replaced.',
    async check(store, make) {
      const { session, digest, owner } = await addSession(store, make)
      const otherDigest = make.tokenDigest()
      const insert = (columns: { readonly id?: string }, under: Uint8Array) =>
        store.sessions.insert(make.session(owner.accountId, columns), under, owner.passwordId)
      expectErr(await insert({}, digest), 'storage_failed', 'storage_unavailable')
      expectErr(await insert({ id: session.id }, otherDigest), 'storage_failed', 'storage_unavailable')
      same(expectOk(await store.sessions.findByDigest(digest)), status(session))
      same(expectOk(await store.sessions.findByDigest(otherDigest)), undefined)
      same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [session])
    },
  }),
  'session-store/no-session-outlives-its-password': storageCase({
    rule: 'Of a session and the replacement of its password at the same time the replacement is the last: no such session remains.',
    needs: ['together'],
    check: (store, make) => noSessionRemains(store, store, make),
  }),
  'session-store/no-session-outlives-its-password-beside': besideCase({
    rule: 'No session remains that one storage inserts while another one on the same data replaces its password.',
    needs: ['together'],
    check: noSessionRemains,
  }),
})

async function addIdentity(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<Uuid> {
  const identity = make.identity(accountId)
  expectOk(await store.identities.insert(identity, [make.nameIndex()], 5), 'adding an identity')
  return identity.id
}

async function addPasskey(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<Uuid> {
  const passkey = make.passkey(accountId)
  expectOk(await store.passkeys.insert(passkey, make.tokenDigest(), 5), 'adding a passkey')
  return passkey.id
}

async function noSessionRemains(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  for (let round = 0; round < 8; round += 1) {
    const { accountId, passwordId } = await addOwner(store, make)
    const kept = make.session(accountId)
    same(
      expectOk(await store.sessions.insert(kept, make.tokenDigest(), passwordId)),
      true,
      'adding a session',
    )
    const options = { expectedId: passwordId, keepSessionId: kept.id }
    const insert = () =>
      store.sessions.insert(make.session(accountId), make.tokenDigest(), passwordId).map(() => undefined)
    const replace = () => beside.passwords.replace(make.password(accountId), options).map(() => undefined)
    const calls = round % 2 === 0 ? [insert, replace, insert] : [replace, insert, insert]
    for (const result of await Promise.all(calls.map((call) => call()))) expectOk(result)
    same(expectOk(await store.sessions.page(accountId, undefined, 10)), [kept], 'the sessions that remain')
  }
}
