import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same, sameIds } from '../contract/compare.ts'
import { accountChangeCases, accountChoiceCases } from './account-changes.ts'
import { accountErasureCases } from './account-erasure.ts'
import { durableCase, besideCase, storageCase, type StorageCase } from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, isPagedInOrder, tiedPositions } from '../stores/paging.ts'

const ownCases: readonly StorageCase[] = casesOf({
  'account-store/insert-is-found-again': storageCase({
    rule: 'An account comes back exactly as it was inserted, by its name and in the list.',
    async check({ accounts }, make) {
      const active = make.account({ language: 'ja' })
      const disabled = make.account({ createdAtMicros: noonMicros + 1, disabledAtMicros: noonMicros + 2 })
      for (const account of [active, disabled]) {
        const index = make.nameIndex()
        expectOk(await accounts.insert(account, [index]))
        same(expectOk(await accounts.findByName([index])), account, 'by its name')
      }
      same(expectOk(await accounts.page(undefined, 10)), [active, disabled], 'in the list')
    },
  }),
  'account-store/find-distinguishes-names': storageCase({
    rule: 'Of several accounts findByName finds the one whose name has the index, whatever kind of name it is.',
    async check({ accounts }, make) {
      const added = [0, 1, 2].map(() => ({ account: make.account(), index: make.nameIndex() }))
      for (const { account, index } of added) expectOk(await accounts.insert(account, [index]))
      for (const { account, index } of added) same(expectOk(await accounts.findByName([index])), account)
    },
  }),
  'account-store/is-stored-under-the-first-index': storageCase({
    rule: 'An account is found by the first of the indexes that it was inserted with, and not by the others.',
    async check({ accounts }, make) {
      const [first, second] = [make.nameIndex(), make.nameIndex()]
      const account = make.account()
      expectOk(await accounts.insert(account, [first, second]))
      same(expectOk(await accounts.findByName([first])), account)
      same(expectOk(await accounts.findByName([second])), undefined)
    },
  }),
  'account-store/find-tries-every-index': storageCase({
    rule: 'findByName finds an account that is stored under any of the given indexes.',
    async check({ accounts }, make) {
      const index = make.nameIndex()
      const account = make.account()
      expectOk(await accounts.insert(account, [index]))
      same(expectOk(await accounts.findByName([make.nameIndex(), index])), account, 'the last of two')
      same(expectOk(await accounts.findByName([index, make.nameIndex()])), account, 'the first of two')
    },
  }),
  'account-store/find-of-none-is-undefined': storageCase({
    rule: 'findByName answers undefined when no account is stored under any of the indexes.',
    async check({ accounts }, make) {
      expectOk(await accounts.insert(make.account(), [make.nameIndex()]))
      same(expectOk(await accounts.findByName([make.nameIndex(), make.nameIndex()])), undefined)
      same(expectOk(await accounts.findByName([])), undefined, 'without indexes')
    },
  }),
  'account-store/name-exists-under-any-index': storageCase({
    rule: 'insert answers account_exists when an account is stored under any of the indexes, and writes nothing.',
    async check({ accounts }, make) {
      const taken = make.nameIndex()
      const first = make.account()
      expectOk(await accounts.insert(first, [taken]))
      const free = make.nameIndex()
      expectErr(await accounts.insert(make.account(), [taken]), 'account_exists')
      expectErr(await accounts.insert(make.account(), [taken, make.nameIndex()]), 'account_exists')
      expectErr(await accounts.insert(make.account(), [free, make.nameIndex(), taken]), 'account_exists')
      same(expectOk(await accounts.findByName([free])), undefined)
      same(expectOk(await accounts.page(undefined, 10)), [first])
    },
  }),
  'account-store/id-belongs-to-one-account': storageCase({
    rule: 'insert with an id that is taken answers a storage error; nothing is written and nothing is replaced.',
    async check({ accounts }, make) {
      const [first, index] = [make.account(), make.nameIndex()]
      expectOk(await accounts.insert(first, [index]))
      const otherIndex = make.nameIndex()
      const sameId = make.account({ id: first.id })
      expectErr(await accounts.insert(sameId, [otherIndex]), 'storage_failed', 'storage_unavailable')
      same(expectOk(await accounts.findByName([otherIndex])), undefined)
      same(expectOk(await accounts.findByName([index])), first)
    },
  }),
  'account-store/one-of-parallel-inserts-wins': storageCase({
    rule: 'Of several inserts of one name at the same time exactly one succeeds; the others answer account_exists.',
    async check({ accounts }, make) {
      const indexes = [make.nameIndex(), make.nameIndex()] as const
      const rivals = Array.from({ length: 20 }, () => make.account())
      const results = await Promise.all(rivals.map((account) => accounts.insert(account, indexes)))
      const winners = rivals.filter((_, at) => results[at]?.isOk())
      same(winners.length, 1, 'how many succeeded')
      for (const result of results) if (result.isErr()) same(result.error, { code: 'account_exists' })
      same(expectOk(await accounts.page(undefined, 30)), winners)
    },
  }),
  'account-store/page-is-in-order': storageCase({
    rule: 'Accounts are listed by creation and id, ascending; pages neither repeat nor miss one, even among equal times.',
    async check({ accounts }, make) {
      const rows = tiedPositions(make.uuid, noonMicros).map((position) => make.account(position))
      for (const row of rows) expectOk(await accounts.insert(row, [make.nameIndex()]))
      await isPagedInOrder(
        (after, limit) => accounts.page(after, limit),
        (account) => account,
        rows.toSorted(ascending),
      )
    },
  }),
  'account-store/page-starts-after-any-cursor': storageCase({
    rule: 'A page starts after the cursor, even if no account is at that position.',
    async check({ accounts }, make) {
      const between = make.uuid()
      const early = make.account({ createdAtMicros: noonMicros })
      const late = make.account({ createdAtMicros: noonMicros + 2 })
      for (const row of [late, early]) expectOk(await accounts.insert(row, [make.nameIndex()]))
      sameIds(expectOk(await accounts.page({ createdAtMicros: noonMicros + 1, id: between }, 10)), [late.id])
    },
  }),
  'account-store/disable-keeps-the-first-time': storageCase({
    rule: 'disable sets the time once: a repeated call answers Ok(true) and keeps the first time.',
    async check({ accounts }, make) {
      const index = make.nameIndex()
      const account = make.account()
      expectOk(await accounts.insert(account, [index]))
      const disabled = { ...account, disabledAtMicros: noonMicros + 5 }
      for (const atMicros of [noonMicros + 5, noonMicros + 9, noonMicros + 1]) {
        same(expectOk(await accounts.disable(account.id, atMicros)), true)
        same(expectOk(await accounts.findByName([index])), disabled)
      }
      same(expectOk(await accounts.page(undefined, 10)), [disabled])
    },
  }),
  'account-store/one-of-inserts-from-two-storages-wins': besideCase({
    rule: 'Of several inserts of one name by two storages on the same data exactly one succeeds.',
    async check(store, beside, make) {
      const index = make.nameIndex()
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          (at % 2 === 0 ? store : beside).accounts.insert(make.account(), [index]),
        ),
      )
      same(results.filter((result) => result.isOk()).length, 1, 'how many succeeded')
      same(expectOk(await store.accounts.page(undefined, 20)).length, 1, 'how many are stored')
    },
  }),
  'account-store/writes-are-durable': durableCase({
    rule: 'Accounts that were inserted or disabled are found after reopening.',
    async act({ accounts }, make) {
      const [index, account] = [make.nameIndex(), make.account()]
      expectOk(await accounts.insert(account, [index]))
      expectOk(await accounts.disable(account.id, noonMicros))
      return (store) => [store.accounts.findByName([index])]
    },
  }),
})

/** The contract of the account store. */
export const accountStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('account-store', 'accounts', allBut('accounts', 'idempotencyKeys', 'corruption')),
  ...ownCases,
  ...accountChoiceCases,
  ...accountChangeCases,
  ...accountErasureCases,
])
