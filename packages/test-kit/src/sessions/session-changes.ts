import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { storageCase, type StorageCase } from '../stores/harness.ts'
import { erasesInTwos } from '../stores/paging.ts'
import { addOwner, addSession, status } from './session-rows.ts'

/** Cases of `recordReauthentication`, `rename`, `erase` and `eraseOver`. */
export const sessionChangeCases: readonly StorageCase[] = casesOf({
  'session-store/reauthentication-is-recorded': storageCase({
    rule: 'recordReauthentication sets the time of the last re-authentication and answers Ok(true); nothing else of any session changes.',
    async check(store, make) {
      const { session, owner } = await addSession(store, make)
      const other = await addSession(store, make, owner)
      for (const reauthenticatedAtMicros of [noonMicros + 7, noonMicros + 3]) {
        same(expectOk(await store.sessions.recordReauthentication(session.id, reauthenticatedAtMicros)), true)
        same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [
          { ...session, reauthenticatedAtMicros },
          other.session,
        ])
      }
    },
  }),
  'session-store/reauthentication-of-none-is-false': storageCase({
    rule: 'recordReauthentication of an unknown session answers Ok(false) and changes nothing.',
    async check(store, make) {
      const { session, digest } = await addSession(store, make)
      same(expectOk(await store.sessions.recordReauthentication(make.uuid(), noonMicros + 7)), false)
      same(expectOk(await store.sessions.findByDigest(digest)), status(session))
    },
  }),
  'session-store/rename-names-one-session': storageCase({
    rule: 'rename gives the session a name, or another one, and answers Ok(true); nothing else of any session changes.',
    async check(store, make) {
      const { session, digest, owner } = await addSession(store, make)
      const other = await addSession(store, make, owner)
      const longer = { ...make.encrypted(), ciphertext: make.ciphertext(96) }
      for (const name of [make.encrypted(), make.encrypted(), longer]) {
        same(expectOk(await store.sessions.rename(owner.accountId, session.id, name)), true)
        const sessions = expectOk(await store.sessions.page(owner.accountId, undefined, 10))
        same(sessions, [{ ...session, name }, other.session])
        same(expectOk(await store.sessions.findByDigest(digest)), status({ ...session, name }))
      }
    },
  }),
  'session-store/rename-of-none-is-false': storageCase({
    rule: "rename answers Ok(false) for an unknown session and for another account's, and names none.",
    async check(store, make) {
      const [mine, theirs] = [await addSession(store, make), await addSession(store, make)]
      for (const id of [theirs.session.id, make.uuid()]) {
        same(expectOk(await store.sessions.rename(mine.owner.accountId, id, make.encrypted())), false)
      }
      for (const { session, digest } of [mine, theirs]) {
        same(expectOk(await store.sessions.findByDigest(digest)), status(session))
      }
    },
  }),
  'session-store/erase-ends-one-session': storageCase({
    rule: 'erase ends the session and no other, and answers Ok(true); the second time it answers Ok(false).',
    async check(store, make) {
      const { session, digest, owner } = await addSession(store, make)
      const other = await addSession(store, make, owner)
      for (const isThere of [true, false]) {
        same(expectOk(await store.sessions.erase(owner.accountId, session.id)), isThere)
        same(expectOk(await store.sessions.findByDigest(digest)), undefined)
      }
      sameIds(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [other.session.id])
    },
  }),
  'session-store/erase-of-none-is-false': storageCase({
    rule: "erase answers Ok(false) for an unknown session and for another account's, and ends none.",
    async check(store, make) {
      const [mine, theirs] = [await addSession(store, make), await addSession(store, make)]
      for (const id of [theirs.session.id, make.uuid()]) {
        same(expectOk(await store.sessions.erase(mine.owner.accountId, id)), false)
      }
      for (const { session, digest } of [mine, theirs]) {
        same(expectOk(await store.sessions.findByDigest(digest)), status(session))
      }
    },
  }),
  'session-store/erase-over-takes-the-old-and-the-unused': storageCase({
    rule: 'eraseOver erases the sessions of all accounts that were created, or last used, at the given times or before, and no other.',
    async check(store, make) {
      const owners = [await addOwner(store, make), await addOwner(store, make)]
      const limits = { createdByMicros: noonMicros, lastUsedByMicros: noonMicros + 50 }
      const over = [
        { createdAtMicros: noonMicros, lastUsedAtMicros: noonMicros + 90 },
        { createdAtMicros: noonMicros - 1, lastUsedAtMicros: noonMicros + 90 },
        { createdAtMicros: noonMicros + 1, lastUsedAtMicros: noonMicros + 50 },
        { createdAtMicros: noonMicros + 1, lastUsedAtMicros: noonMicros + 49 },
      ]
      const alive = { createdAtMicros: noonMicros + 1, lastUsedAtMicros: noonMicros + 51 }
      for (const times of over) {
        for (const owner of owners) await addSession(store, make, owner, times)
      }
      const rest = await Promise.all(owners.map((owner) => addSession(store, make, owner, alive)))
      same(expectOk(await store.sessions.eraseOver(limits, 10)), 8, 'how many were erased')
      for (const { session, owner } of rest) {
        same(expectOk(await store.sessions.page(owner.accountId, undefined, 10)), [session])
      }
      same(expectOk(await store.sessions.eraseOver(limits, 10)), 0, 'the second time')
    },
  }),
  'session-store/erase-over-stops-at-the-limit': storageCase({
    rule: 'eraseOver erases at most the given number of sessions, old and unused ones together.',
    async check(store, make) {
      const owner = await addOwner(store, make)
      for (const at of [0, 1, 2, 3, 4]) {
        const times = at < 2 ? { createdAtMicros: at } : { lastUsedAtMicros: at }
        await addSession(store, make, owner, times)
      }
      const limits = { createdByMicros: noonMicros - 1, lastUsedByMicros: noonMicros - 1 }
      await erasesInTwos(
        5,
        (limit) => store.sessions.eraseOver(limits, limit),
        async () => expectOk(await store.sessions.page(owner.accountId, undefined, 10)).length,
      )
    },
  }),
})
