import type { Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, together, type StorageCase, type StorageUnderTest } from './harness.ts'
import { onlyWinner } from './races.ts'
import { addAccount } from './rows.ts'

interface Row {
  readonly accountId: Uuid
}

/** A store of rows of which an account has at most one, and which are found by a digest until they expire, and spent once. */
export interface OneTimeStore<Kept extends Row, Spending> {
  readonly port: string
  /** A row in words. */
  readonly what: string
  make(make: Samples, accountId: Uuid): Kept
  storeIn(storage: StorageUnderTest): {
    replace(row: Kept, digest: Uint8Array): ResultAsync<unknown, { readonly code: string }>
  }
  makeSpending(make: Samples, accountId: Uuid): Spending
  spend(
    storage: StorageUnderTest,
    spending: Spending,
    digest: Uint8Array,
    nowMicros: number,
  ): ResultAsync<boolean, { readonly code: string }>
  /** What a spending changes. */
  changedIn(storage: StorageUnderTest, accountId: Uuid): Promise<unknown>
  /** What {@link changedIn} gives afterwards. */
  afterSpending(spending: Spending): unknown
}

/** The cases of accounts that may have none, and of spending by several callers. */
export function oneTimeCases<Kept extends Row, Spending>(
  of: OneTimeStore<Kept, Spending>,
): readonly StorageCase[] {
  const { port, what, storeIn } = of
  const oneSpendingWins = async (store: StorageUnderTest, beside: StorageUnderTest, make: Samples) => {
    const row = of.make(make, (await addAccount(store, make)).id)
    const digest = make.tokenDigest()
    expectOk(await storeIn(store).replace(row, digest), `storing a ${what}`)
    const winner = await onlyWinner({
      stores: [store, beside],
      makeRival: () => of.makeSpending(make, row.accountId),
      run: (each, rival) => of.spend(each, rival, digest, noonMicros),
    })
    same(await of.changedIn(store, row.accountId), of.afterSpending(winner))
  }
  return together({
    [`${port}/account-must-be-enabled`]: storageCase({
      rule: 'replace answers account_not_found for an unknown account, a disabled one and one that is being erased.',
      async check(store, make) {
        const [disabled, erased] = [await addAccount(store, make), await addAccount(store, make)]
        expectOk(await store.accounts.disable(disabled.id, noonMicros))
        expectOk(await store.accounts.beginErasure(erased.id))
        for (const accountId of [make.uuid(), disabled.id, erased.id]) {
          const replaced = await storeIn(store).replace(of.make(make, accountId), make.tokenDigest())
          expectErr(replaced, 'account_not_found')
        }
      },
    }),
    [`${port}/one-of-parallel-spendings-wins`]: storageCase({
      rule: `Of several calls that spend one ${what} at the same time exactly one succeeds, and what it brought is stored.`,
      check: (store, make) => oneSpendingWins(store, store, make),
    }),
    [`${port}/one-of-spendings-from-two-storages-wins`]: besideCase({
      rule: `Of several calls by two storages on the same data that spend one ${what} exactly one succeeds.`,
      check: oneSpendingWins,
    }),
  })
}
