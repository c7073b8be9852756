import type { StorageError, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  reopenCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from './harness.ts'
import { onlyWinner } from './races.ts'
import { addAccount } from './rows.ts'

interface Row {
  readonly accountId: Uuid
  readonly expiresAtMicros: number
}

/** A store of rows of which an account has at most one, and which are found by a digest until they expire, and spent once. */
export interface OneTimeStore<Kept extends Row, Spending> {
  readonly port: string
  /** A row in words. */
  readonly what: string
  make(make: Samples, accountId: Uuid, columns?: Partial<Kept>): Kept
  storeIn(storage: StorageUnderTest): {
    replace(row: Kept, digest: Uint8Array): ResultAsync<unknown, { readonly code: string }>
    find(digest: Uint8Array, nowMicros: number): ResultAsync<Kept | undefined, StorageError>
    eraseExpired(byMicros: number, limit: number): ResultAsync<number, StorageError>
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

/** The cases that such stores have in common: those of the store alone, and those that see the rows of others. */
export function oneTimeCases<Kept extends Row, Spending>(
  of: OneTimeStore<Kept, Spending>,
): { readonly alone: readonly StorageCase[]; readonly withOthers: readonly StorageCase[] } {
  const { port, what, storeIn } = of
  const add = async (store: StorageUnderTest, make: Samples, accountId?: Uuid, columns?: Partial<Kept>) => {
    const row = of.make(make, accountId ?? (await addAccount(store, make)).id, columns)
    const digest = make.tokenDigest()
    expectOk(await storeIn(store).replace(row, digest), `storing a ${what}`)
    return { row, digest }
  }
  const find = async (store: StorageUnderTest, digest: Uint8Array, nowMicros = noonMicros) =>
    expectOk(await storeIn(store).find(digest, nowMicros))
  const spend = (store: StorageUnderTest, make: Samples, digest: Uint8Array, { accountId }: Row) =>
    of.spend(store, of.makeSpending(make, accountId), digest, noonMicros)
  const oneSpendingWins = async (store: StorageUnderTest, beside: StorageUnderTest, make: Samples) => {
    const { row, digest } = await add(store, make)
    const winner = await onlyWinner({
      stores: [store, beside],
      makeRival: () => of.makeSpending(make, row.accountId),
      run: (each, rival) => of.spend(each, rival, digest, noonMicros),
    })
    same(await of.changedIn(store, row.accountId), of.afterSpending(winner))
  }
  const alone = casesOf({
    [`${port}/find-of-none-is-undefined`]: storageCase({
      rule: 'find answers undefined for an unknown digest.',
      async check(store, make) {
        const { digest } = await add(store, make)
        const close = Uint8Array.from(digest, (byte, at) => (at === 31 ? byte ^ 1 : byte))
        for (const other of [make.tokenDigest(), close]) same(await find(store, other), undefined)
      },
    }),
    [`${port}/replace-erases-the-older-one`]: storageCase({
      rule: `replace erases the older ${what} of its account and of no other account.`,
      async check(store, make) {
        const [older, elsewhere] = [await add(store, make), await add(store, make)]
        const newer = await add(store, make, older.row.accountId)
        same(await find(store, older.digest), undefined, 'the older one')
        for (const { row, digest } of [newer, elsewhere]) same(await find(store, digest), row)
      },
    }),
    [`${port}/is-found-until-it-expires`]: storageCase({
      rule: `A ${what} is found until the microsecond before its expiry.`,
      async check(store, make) {
        const { row, digest } = await add(store, make)
        const { expiresAtMicros } = row
        same(await find(store, digest, expiresAtMicros - 1), row)
        for (const after of [0, 1]) same(await find(store, digest, expiresAtMicros + after), undefined)
      },
    }),
    [`${port}/erase-takes-the-expired-up-to-the-limit`]: storageCase({
      rule: 'eraseExpired erases those that expired at the given time or before, at most as many as it is told, and no other.',
      async check(store, make) {
        const added = []
        for (const after of [0, -1, -2, -3, 1]) {
          const columns = { expiresAtMicros: noonMicros + after } as Partial<Kept>
          added.push(await add(store, make, undefined, columns))
        }
        for (const erased of [2, 2, 0])
          same(expectOk(await storeIn(store).eraseExpired(noonMicros, 2)), erased, 'how many were erased')
        const left = await Promise.all(added.map(({ digest }) => find(store, digest, 0)))
        same(
          left.filter((row) => row !== undefined),
          [added.at(-1)?.row],
          'what is left',
        )
      },
    }),
  })
  const withOthers = together({
    [`${port}/account-must-be-enabled`]: storageCase({
      rule: 'replace answers account_not_found for an unknown account, a disabled one and one that is being erased, and writes nothing.',
      async check(store, make) {
        const [disabled, erased] = [await addAccount(store, make), await addAccount(store, make)]
        expectOk(await store.accounts.disable(disabled.id, noonMicros))
        expectOk(await store.accounts.beginErasure(erased.id))
        for (const accountId of [make.uuid(), disabled.id, erased.id]) {
          const digest = make.tokenDigest()
          expectErr(await storeIn(store).replace(of.make(make, accountId), digest), 'account_not_found')
          same(await find(store, digest), undefined)
        }
        const stored = await storeIn(store).eraseExpired(Number.MAX_SAFE_INTEGER, 10)
        same(expectOk(stored), 0, 'how many are stored')
      },
    }),
    [`${port}/find-of-a-disabled-account-is-undefined`]: storageCase({
      rule: `The ${what} of an account that was disabled since is not found.`,
      async check(store, make) {
        const [mine, theirs] = [await add(store, make), await add(store, make)]
        expectOk(await store.accounts.disable(mine.row.accountId, noonMicros))
        same(await find(store, mine.digest), undefined)
        same(await find(store, theirs.digest), theirs.row)
      },
    }),
    [`${port}/is-spent-once`]: storageCase({
      rule: `A ${what} is found and spent once, and what that brought is stored; other ones stay.`,
      async check(store, make) {
        const [mine, theirs] = [await add(store, make), await add(store, make)]
        const { accountId } = mine.row
        const spending = of.makeSpending(make, accountId)
        for (const [isFirst, given] of [
          [true, spending],
          [false, of.makeSpending(make, accountId)],
        ] as const) {
          same(expectOk(await of.spend(store, given, mine.digest, noonMicros)), isFirst)
          same(await find(store, mine.digest), undefined)
          same(await of.changedIn(store, accountId), of.afterSpending(spending))
        }
        same(await find(store, theirs.digest), theirs.row)
      },
    }),
    [`${port}/spend-of-none-is-false`]: storageCase({
      rule: `spend answers Ok(false) and changes nothing for a ${what} that is unknown, expired, replaced, or of a disabled account; another one can be spent.`,
      async check(store, make) {
        const { id } = await addAccount(store, make)
        const first = await add(store, make, id)
        expectOk(await spend(store, make, first.digest, first.row))
        const [replaced, other] = [await add(store, make, id), await add(store, make)]
        const { row, digest } = await add(store, make, id)
        const before = await of.changedIn(store, id)
        const isFalse = async (given: Uint8Array, nowMicros: number, when: string) => {
          const spent = await of.spend(store, of.makeSpending(make, id), given, nowMicros)
          same(expectOk(spent), false, when)
          same(await of.changedIn(store, id), before, when)
        }
        await isFalse(make.tokenDigest(), noonMicros, 'an unknown one')
        await isFalse(replaced.digest, noonMicros, 'one that was replaced')
        await isFalse(digest, row.expiresAtMicros, 'an expired one')
        same(await find(store, digest), row)
        expectOk(await store.accounts.disable(id, noonMicros))
        await isFalse(digest, noonMicros, 'one of a disabled account')
        same(expectOk(await spend(store, make, other.digest, other.row)), true, "another account's")
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
    [`${port}/writes-are-durable`]: reopenCase({
      rule: 'Those that were stored, replaced or spent are so after reopening, and so is what a spending changed.',
      async before(store, make) {
        const [older, spent] = [await add(store, make), await add(store, make)]
        const newer = await add(store, make, older.row.accountId)
        const left = of.makeSpending(make, spent.row.accountId)
        expectOk(await of.spend(store, left, spent.digest, noonMicros))
        return { older, newer, spent, left }
      },
      async after(store, { older, newer, spent, left }) {
        same(await find(store, newer.digest), newer.row)
        for (const { digest } of [older, spent]) same(await find(store, digest), undefined)
        same(await of.changedIn(store, spent.row.accountId), of.afterSpending(left))
      },
    }),
  })
  return { alone, withOthers }
}
