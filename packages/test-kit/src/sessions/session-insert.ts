import type { Uuid } from '@sotto/core'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { addAccount, addPassword } from '../stores/rows.ts'
import { addOwner, status } from './session-rows.ts'

/** Cases of `insert`. */
export const sessionInsertCases: readonly StorageCase[] = casesOf({
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
