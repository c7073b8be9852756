import { casesOf, contractOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { durableCase, storageCase, type StorageCase } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'
import { recordUseCases } from '../stores/record-use.ts'
import { sessionChangeCases } from './session-changes.ts'
import { sessionInsertCases } from './session-insert.ts'
import { addOwner, addSession, status } from './session-rows.ts'

/** Cases of `findByDigest` and `page`. */
const sessionFindCases: readonly StorageCase[] = casesOf({
  'session-store/find-of-none-is-undefined': storageCase({
    rule: 'findByDigest answers undefined for an unknown digest.',
    async check(store, make) {
      const { digest } = await addSession(store, make)
      const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
      for (const other of [make.tokenDigest(), close]) {
        same(expectOk(await store.sessions.findByDigest(other)), undefined)
      }
    },
  }),
  'session-store/find-shows-the-account': storageCase({
    rule: 'findByDigest shows whether the account is disabled, its language, and what its owner chose about hearing of opens; those of other accounts do not count.',
    needs: ['together'],
    async check(store, make) {
      const [mine, theirs] = [await addSession(store, make), await addSession(store, make)]
      expectOk(await store.accounts.setLanguage(mine.session.accountId, 'ja'))
      expectOk(await store.accounts.setNotifies(mine.session.accountId, true))
      const chosen = { ...status(mine.session), language: 'ja', notifies: true }
      same(expectOk(await store.sessions.findByDigest(mine.digest)), chosen, 'with choices')
      expectOk(await store.accounts.disable(mine.session.accountId, noonMicros))
      const disabled = { ...chosen, accountDisabled: true }
      same(expectOk(await store.sessions.findByDigest(mine.digest)), disabled, 'of a disabled account')
      same(expectOk(await store.sessions.findByDigest(theirs.digest)), status(theirs.session))
    },
  }),
  'session-store/sessions-that-are-over-are-found': storageCase({
    rule: 'A session that is over is found and listed like any other, until it is erased.',
    async check(store, make) {
      const owner = await addOwner(store, make)
      const times = { createdAtMicros: 1, reauthenticatedAtMicros: 2, lastUsedAtMicros: 3 }
      const { session, digest } = await addSession(store, make, owner, times)
      same(expectOk(await store.sessions.findByDigest(digest)), status(session))
      same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [session])
    },
  }),
  'session-store/page-is-in-order': storageCase({
    rule: 'Sessions are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    async check(store, make) {
      const owner = await addOwner(store, make)
      const rows = []
      for (const position of tiedPositions(make.uuid, noonMicros)) {
        rows.push((await addSession(store, make, owner, position)).session)
      }
      await isPagedInOrder(
        (after, limit) => store.sessions.page(owner.accountId, after, limit),
        (session) => session,
        rows.toSorted(ascending),
      )
    },
  }),
  'session-store/page-shows-own-sessions-only': storageCase({
    rule: "The list holds the account's own sessions and no other account's.",
    async check(store, make) {
      const [mine, theirs] = [await addSession(store, make), await addSession(store, make)]
      for (const { session } of [mine, theirs]) {
        sameIds(expectOk(await store.sessions.page(session.accountId, undefined, 10)), [session.id])
      }
      sameIds(expectOk(await store.sessions.page(make.uuid(), undefined, 10)), [])
    },
  }),
})

const ownCases: readonly StorageCase[] = casesOf({
  'session-store/writes-are-durable': durableCase({
    rule: 'Sessions that were inserted, proven, named or erased are so after reopening.',
    async act(store, make) {
      const owner = await addOwner(store, make)
      const { accountId } = owner
      const [{ session, digest }, erased] = [
        await addSession(store, make, owner),
        await addSession(store, make, owner),
      ]
      expectOk(await store.sessions.recordReauthentication(session.id, noonMicros + 9))
      expectOk(await store.sessions.rename(accountId, session.id, make.encrypted()))
      expectOk(await store.sessions.erase(accountId, erased.session.id))
      return ({ sessions }) => [sessions.findByDigest(digest), sessions.page(accountId, undefined, 10)]
    },
  }),
})

const useCases = recordUseCases('session-store', async (store, make) => {
  const { session, digest, owner } = await addSession(store, make)
  const { sessions } = store
  return {
    id: session.id,
    find: () => sessions.findByDigest(digest),
    recordUse: (id, atMicros) => sessions.recordUse(id, atMicros),
    end: () => sessions.erase(owner.accountId, session.id),
  }
})

/** The contract of the session store. */
export const sessionStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('session-store', 'sessions', [
    ...(['accounts', 'keys', 'passwords', 'identities', 'passkeys', 'invitations'] as const),
  ]),
  ...ownCases,
  ...sessionInsertCases,
  ...sessionFindCases,
  ...useCases,
  ...sessionChangeCases,
])
