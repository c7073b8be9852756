import { noAttempts, type AttemptBucket, type AttemptState } from '@sotto/core'
import { err, ok } from 'neverthrow'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  durableCase,
  besideCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { knownAddressCases } from './known-addresses.ts'

const callers = 60

const ownCases: readonly StorageCase[] = casesOf({
  'sign-in-store/new-buckets-have-no-attempts': storageCase({
    rule: 'A decision gets one state for each bucket: noAttempts for a bucket that is not stored.',
    async check(store, make) {
      const stored = make.tokenDigest()
      await put(store, stored, bucket(1))
      const buckets = [make.tokenDigest(), stored, make.tokenDigest()]
      same(await attemptsIn(store, buckets), [noAttempts, bucket(1).attempts, noAttempts])
    },
  }),
  'sign-in-store/update-stores-the-buckets-in-order': storageCase({
    rule: 'update answers with what the decision returned, and stores its buckets exactly, in their order.',
    async check({ signIns, ...store }, make) {
      const names = [make.tokenDigest(), make.tokenDigest(), make.tokenDigest()]
      const change = { buckets: [bucket(1), fullBucket, bucket(3)], more: 'of the decision' }
      same(expectOk(await signIns.update(names, () => ok(change))), change)
      const states = change.buckets.map(({ attempts }) => attempts)
      same(await attemptsIn({ signIns, ...store }, names), states)
      same(
        await attemptsIn({ signIns, ...store }, names.toReversed()),
        states.toReversed(),
        'asked in another order',
      )
    },
  }),
  'sign-in-store/undefined-erases-a-bucket': storageCase({
    rule: 'A decision erases the buckets for which it returns undefined, and no other.',
    async check(store, make) {
      const names = [make.tokenDigest(), make.tokenDigest(), make.tokenDigest()]
      for (const [at, name] of names.entries()) await put(store, name, bucket(at + 1))
      const [first, second] = names
      if (first && second) {
        const buckets = [bucket(9), undefined]
        expectOk(await store.signIns.update([first, second], () => ok({ buckets })))
      }
      same(await attemptsIn(store, names), [bucket(9).attempts, noAttempts, bucket(3).attempts])
      same(expectOk(await store.signIns.eraseOver(Number.MAX_SAFE_INTEGER, 10)), 2, 'how many were stored')
    },
  }),
  'sign-in-store/error-of-a-decision-changes-nothing': storageCase({
    rule: 'An Err of the decision is passed on, and no bucket changes.',
    async check(store, make) {
      const names = [make.tokenDigest(), make.tokenDigest()]
      await put(store, names[0], bucket(1))
      const error = { code: 'no', wait: 7 }
      same(expectErr(await store.signIns.update(names, () => err(error))), error)
      same(await attemptsIn(store, names), [bucket(1).attempts, noAttempts])
    },
  }),
  'sign-in-store/parallel-updates-do-not-interleave': storageCase({
    rule: 'No update comes between the read and the write of another one: parallel decisions about one bucket count one by one.',
    check: (store, make) => countsOneByOne(store, store, make),
  }),
  'sign-in-store/updates-from-two-storages-do-not-interleave': besideCase({
    rule: 'No update of another storage on the same data comes between the read and the write of an update.',
    check: countsOneByOne,
  }),
  'sign-in-store/erase-takes-what-says-nothing-any-more': storageCase({
    rule: 'eraseOver erases the buckets that may be erased at the given time or before, and no other.',
    async check(store, make) {
      const over = [make.tokenDigest(), make.tokenDigest()]
      const current = make.tokenDigest()
      for (const name of over) await put(store, name, bucket(1, noonMicros))
      await put(store, current, bucket(2, noonMicros + 1))
      same(expectOk(await store.signIns.eraseOver(noonMicros, 10)), 2, 'how many were erased')
      same(await attemptsIn(store, [...over, current]), [noAttempts, noAttempts, bucket(2).attempts])
      same(expectOk(await store.signIns.eraseOver(noonMicros, 10)), 0, 'the second time')
    },
  }),
  'sign-in-store/erase-stops-at-the-limit': storageCase({
    rule: 'eraseOver erases at most the given number of buckets.',
    async check(store, make) {
      for (let at = 0; at < 5; at += 1) await put(store, make.tokenDigest(), bucket(1, at))
      for (const erased of [2, 2, 1, 0]) same(expectOk(await store.signIns.eraseOver(noonMicros, 2)), erased)
    },
  }),
  'sign-in-store/decisions-are-durable': durableCase({
    rule: 'Attempts that were counted are found after reopening.',
    async act(store, make) {
      const name = make.tokenDigest()
      await put(store, name, fullBucket)
      return (each) => [attemptsIn(each, [name])]
    },
  }),
})

/** The contract of the store that protects sign-in from guessing. */
export const signInStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('sign-in-store', 'signIns', ['accounts', 'keys']),
  ...ownCases,
  ...knownAddressCases,
])

/** A bucket with so many wrong passwords. */
function bucket(wrongTotal: number, eraseAtMicros = noonMicros + 1): AttemptBucket {
  return { attempts: { ...noAttempts, wrongTotal }, eraseAtMicros }
}

/** A bucket of which every column has a value. */
const fullBucket: AttemptBucket = {
  attempts: {
    underWay: [
      { id: 'one', sinceMicros: noonMicros },
      { id: 'two', sinceMicros: noonMicros + 1 },
    ],
    wrongAtMicros: [noonMicros - 2, noonMicros - 1],
    wrongTotal: 17,
    lockedUntilMicros: noonMicros + 900_000_003,
  },
  eraseAtMicros: noonMicros + 3_600_000_001,
}

async function put(
  { signIns }: StorageUnderTest,
  name: Uint8Array | undefined,
  stored: AttemptBucket,
): Promise<void> {
  if (name === undefined) return
  expectOk(await signIns.update([name], () => ok({ buckets: [stored] })), 'storing a bucket')
}

/** The states of the buckets, as a decision sees them. */
async function attemptsIn(
  { signIns }: Pick<StorageUnderTest, 'signIns'>,
  names: readonly Uint8Array[],
): Promise<readonly AttemptState[]> {
  const states = await signIns.update(names, (attempts) => err(attempts))
  return expectErr(states) as readonly AttemptState[]
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
  for (const each of [store, beside]) same(await attemptsIn(each, names), [attempts, attempts])
}
