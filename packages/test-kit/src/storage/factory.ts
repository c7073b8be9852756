import { nilUuid, type Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { casesOf, caseOfTwo, declaredMethodsCase, withUnit } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { createSamples, noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  addKeys,
  besideCase,
  kids,
  storageCase,
  type StorageCapability,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { everyCall } from './every-call.ts'
import { addLink, linkRecordOf, recordWithNote, secretOf, reportsNothing } from '../stores/rows.ts'

/** Cases of the harness itself. They come first: when one of them fails, the others mean nothing. */
export const factoryCases: readonly StorageCase[] = casesOf({
  'storage/opens-empty': storageCase({
    rule: 'A storage that was just opened holds no row.',
    async check(store, make) {
      same(expectOk(await store.accounts.page(undefined, 10)), [])
      same(expectOk(await store.outbox.page(undefined, 10)), [])
      await holdsNothingOf(store, make, nilUuid)
      same(expectOk(await store.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10, reportsNothing)), 0)
    },
  }),
  'storage/opens-apart': caseOfTwo({
    rule: 'Two storages that are open at the same time share no row.',
    async check(one: StorageUnderTest, other: StorageUnderTest) {
      await addKeys(one)
      const make = createSamples(kids.writable)
      const { secret } = await addLink(one, make)
      same(expectOk(await other.accounts.page(undefined, 10)), [])
      await holdsNothingOf(other, make, secret.accountId)
      same(await linkRecordOf(other, secret.link.lookup), undefined)
      same(expectOk(await other.secrets.eraseExpired(Number.MAX_SAFE_INTEGER, 10, reportsNothing)), 0)
    },
  }),
  'storage/opens-empty-again': {
    rule: 'A storage leaves nothing behind for the next one.',
    async run(harness) {
      await withUnit(harness, async (first) => {
        await addKeys(first)
        await addLink(first, createSamples(kids.writable))
      })
      await withUnit(harness, async (second) => {
        same(expectOk(await second.accounts.page(undefined, 10)), [])
      })
    },
  },
  'storage/offers-what-it-declares': declaredMethodsCase<
    StorageUnderTest,
    StorageCapability & keyof StorageUnderTest
  >(['reopen', 'beside']),
  'storage/closed-storage-answers': {
    rule: 'Once closed, every method answers a storage error; none throws, rejects or hangs.',
    async run(harness) {
      const store = await harness.open()
      await addKeys(store)
      const make = createSamples(kids.writable)
      const link = await addLink(store, make)
      await store.dispose()
      for (const call of everyCall(store, make, link)) {
        expectErr(await call(), 'storage_unavailable', 'storage_failed')
      }
      store.accessTokens.recordUse(make.uuid(), noonMicros)
      store.sessions.recordUse(make.uuid(), noonMicros)
      same(store.erasure.finish(), false, 'whether erased data was removed')
      store.erasure.pendingForMillis()
      await store.upkeep.examine()
    },
  },
})

/** Cases of several storages on the same data. */
export const besideCases: readonly StorageCase[] = together({
  'storage/writes-are-seen-beside': besideCase({
    rule: 'What one storage has answered with Ok is found immediately by another storage on the same data.',
    async check(store, beside, make) {
      const { secret, note, folder } = await addLink(store, make)
      same(await secretOf(beside, secret.accountId, secret.id), secret)
      expectOk(await beside.links.update(secret.link.lookup, undefined, () => ok({ opens: 1 })))
      const found = await recordWithNote(store, secret.link.lookup)
      same({ opens: found?.state.opens, note: found?.note }, { opens: 1, note })
      const second = make.secret(folder, noonMicros + 1)
      expectOk(await beside.secrets.insert(second, note))
      const filter = { accountId: secret.accountId, nowMicros: noonMicros }
      same(expectOk(await store.secrets.page(filter, undefined, 10)), [second, secret])
    },
  }),
})

async function holdsNothingOf(store: StorageUnderTest, make: Samples, accountId: Uuid): Promise<void> {
  same(expectOk(await store.accounts.findByName([make.nameIndex()])), undefined)
  same(expectOk(await store.folders.page(accountId, 0, undefined, 10)), [])
  same(expectOk(await store.secrets.page({ accountId, nowMicros: 0 }, undefined, 10)), [])
  same(expectOk(await store.drafts.page({ accountId }, undefined, 10)), [])
  same(expectOk(await store.accessTokens.page(accountId, undefined, 10)), [])
  same(expectOk(await store.passwords.find(accountId)), undefined)
  same(expectOk(await store.sessions.page(accountId, undefined, 10)), [])
  same(expectOk(await store.invitations.eraseExpired(Number.MAX_SAFE_INTEGER, 10)), 0)
  same(expectOk(await store.signIns.eraseOver(Number.MAX_SAFE_INTEGER, 10)), 0)
  same(expectOk(await store.webhooks.list(accountId)), [])
  same(expectOk(await store.deliveries.page({}, undefined, 10)), [])
}
