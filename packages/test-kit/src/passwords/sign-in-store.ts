import { noAttempts, type AttemptBucket } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'

const callers = 60

/** What histories do not show of the store that protects sign-in from guessing: callers at the same time. */
export const signInCases: readonly StorageCase[] = [
  neededStoresCase('sign-in-store', 'signIns', ['accounts', 'keys']),
  ...casesOf({
    'sign-in-store/parallel-updates-do-not-interleave': storageCase({
      rule: 'No update comes between the read and the write of another one: parallel decisions about one bucket count one by one.',
      check: (store, make) => countsOneByOne(store, store, make),
    }),
    'sign-in-store/updates-from-two-storages-do-not-interleave': besideCase({
      rule: 'No update of another storage on the same data comes between the read and the write of an update.',
      check: countsOneByOne,
    }),
  }),
]

/** A bucket with so many wrong passwords. */
function bucket(wrongTotal: number): AttemptBucket {
  return { attempts: { ...noAttempts, wrongTotal }, eraseAtMicros: noonMicros + 1 }
}

/** Counts in two buckets, which are named in either order. */
async function countsOneByOne(
  store: StorageUnderTest,
  beside: StorageUnderTest,
  make: Samples,
): Promise<void> {
  const names = [make.tokenDigest(), make.tokenDigest()]
  const counted = await Promise.all(
    Array.from({ length: callers }, (_, at) =>
      (at % 2 === 0 ? store : beside).signIns.update(at % 3 === 0 ? names : names.toReversed(), (attempts) =>
        ok({ buckets: attempts.map(({ wrongTotal }) => bucket(wrongTotal + 1)) }),
      ),
    ),
  )
  for (const each of counted) expectOk(each)
  const { attempts } = bucket(callers)
  for (const { signIns } of [store, beside]) {
    const states = await signIns.update(names, (found) => err(found))
    same(expectErr(states), [attempts, attempts])
  }
}
