import type { Result } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import type { Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { accountErasureCases } from './account-erasure.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { addAccount } from '../stores/rows.ts'

/** What histories do not show of the store of accounts: rows of all stores, and callers at the same time. */
export const accountCases: readonly StorageCase[] = [
  neededStoresCase('account-store', 'accounts', allBut('accounts', 'idempotencyKeys', 'corruption')),
  ...casesOf({
    'account-store/one-of-parallel-inserts-wins': storageCase({
      rule: 'Of several inserts of one name at the same time exactly one succeeds; the others answer account_exists.',
      check: (store, make) => oneInsertWins(store, store, make),
    }),
    'account-store/one-of-inserts-from-two-storages-wins': besideCase({
      rule: 'Of several inserts of one name by two storages on the same data exactly one succeeds.',
      check: oneInsertWins,
    }),
    'account-store/one-of-parallel-renames-wins': storageCase({
      rule: 'Of several accounts that take one name at the same time exactly one gets it; the others answer account_exists.',
      async check({ accounts, ...store }, make) {
        const rivals = []
        for (let made = 0; made < 12; made += 1) rivals.push(await addAccount({ accounts, ...store }, make))
        const index = make.nameIndex()
        const results = await Promise.all(rivals.map(({ id, name }) => accounts.rename(id, name, [index])))
        const winners = rivals.filter((_, at) => results[at]?.isOk())
        onlyOneIsOk(results)
        same(expectOk(await accounts.findByName([index])), winners[0])
      },
    }),
  }),
  ...accountErasureCases,
]

async function oneInsertWins(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const indexes = [make.nameIndex(), make.nameIndex()] as const
  const rivals = Array.from({ length: 20 }, () => make.account())
  const results = await Promise.all(
    rivals.map((account, at) => (at % 2 === 0 ? store : beside).accounts.insert(account, indexes)),
  )
  onlyOneIsOk(results)
  const winners = rivals.filter((_, at) => results[at]?.isOk())
  same(expectOk(await store.accounts.page(undefined, 30)), winners)
}

function onlyOneIsOk(results: readonly Result<void, { readonly code: string }>[]): void {
  same(results.filter((each) => each.isOk()).length, 1, 'how many succeeded')
  for (const each of results) if (each.isErr()) same(each.error, { code: 'account_exists' })
}
