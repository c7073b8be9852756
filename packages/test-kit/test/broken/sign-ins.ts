import { noAttempts, type AttemptsChange, type AttemptState, type SignInStore } from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { okAsync, type Result } from 'neverthrow'
import { brokenStore, pause, sameBytes, slowly, toMillis, type Broken } from './broken.ts'

const signIns = brokenStore('signIns')

/** Flaws of counting attempts to sign in. */
export const brokenSignIns: readonly Broken<StorageHarness>[] = [
  seeing('shows no state of a new bucket', ['sign-in-store/new-buckets-have-no-attempts'], (states) =>
    states.filter(({ wrongTotal }) => wrongTotal > 0),
  ),
  seeing('shows new buckets last', ['sign-in-store/new-buckets-have-no-attempts'], (states) =>
    states.toSorted((one, other) => other.wrongTotal - one.wrongTotal),
  ),
  seeing('forgets what is under way', ['sign-in-store/update-stores-the-buckets-in-order'], (states) =>
    states.map((state) => ({ ...state, underWay: [] })),
  ),
  seeing(
    'rounds the lock',
    ['sign-in-store/update-stores-the-buckets-in-order', 'sign-in-store/decisions-are-durable'],
    (states) =>
      states.map((state) => ({
        ...state,
        lockedUntilMicros: state.lockedUntilMicros && toMillis(state.lockedUntilMicros),
      })),
  ),
  changing(
    'stores the buckets in reverse',
    ['sign-in-store/update-stores-the-buckets-in-order'],
    ({ buckets }) => ({
      buckets: buckets.toReversed(),
    }),
  ),
  changing(
    'empties a bucket instead of erasing it',
    ['sign-in-store/undefined-erases-a-bucket'],
    ({ buckets }) => ({
      buckets: buckets.map((bucket) => bucket ?? { attempts: noAttempts, eraseAtMicros: 1 }),
    }),
  ),
  signIns(
    'erases the buckets it reads',
    ['sign-in-store/undefined-erases-a-bucket', 'sign-in-store/error-of-a-decision-changes-nothing'],
    (store, data) => ({
      update(buckets, decide) {
        const result = store.update(buckets, decide)
        if (buckets.length > 1) data.signInAttempts.clear()
        return result
      },
    }),
  ),
  signIns(
    'reads, then writes',
    [
      'sign-in-store/parallel-updates-do-not-interleave',
      'sign-in-store/updates-from-two-storages-do-not-interleave',
    ],
    (_, data) => ({
      update: <Change extends AttemptsChange, E>(
        buckets: readonly Uint8Array[],
        decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
      ) =>
        slowly(async () => {
          const names = buckets.map((bucket) => Buffer.from(bucket).toString('hex'))
          const states = names.map((name) => data.signInAttempts.get(name)?.attempts ?? noAttempts)
          await pause()
          return decide(states).map((change) => {
            store(data, names, change)
            return change
          })
        }),
    }),
  ),
  signIns('erases too late', ['sign-in-store/erase-takes-what-says-nothing-any-more'], (real) => ({
    eraseOver: (nowMicros, limit) => real.eraseOver(nowMicros - 1, limit),
  })),
  signIns('erases too early', ['sign-in-store/erase-takes-what-says-nothing-any-more'], (real) => ({
    eraseOver: (nowMicros, limit) => real.eraseOver(nowMicros + 1, limit),
  })),
  signIns('ignores the limit', ['sign-in-store/erase-stops-at-the-limit'], (real) => ({
    eraseOver: (nowMicros) => real.eraseOver(nowMicros, 1_000),
  })),
]

/** Flaws of known addresses. */
export const brokenKnownAddresses: readonly Broken<StorageHarness>[] = [
  signIns('knows an address for ever', ['sign-in-store/address-is-known-since-its-time'], (real) => ({
    knowsAddress: (accountId, addresses) => real.knowsAddress(accountId, addresses, 0),
  })),
  signIns('knows an address too late', ['sign-in-store/address-is-known-since-its-time'], (real) => ({
    knowsAddress: (accountId, addresses, sinceMicros) =>
      real.knowsAddress(accountId, addresses, sinceMicros + 1),
  })),
  signIns('tries the first address only', ['sign-in-store/any-of-the-addresses-is-enough'], (real) => ({
    knowsAddress: (accountId, addresses, sinceMicros) =>
      real.knowsAddress(accountId, addresses.slice(0, 1), sinceMicros),
  })),
  signIns('knows any address', ['sign-in-store/any-of-the-addresses-is-enough'], () => ({
    knowsAddress: () => okAsync(true),
  })),
  signIns(
    'knows addresses for all accounts',
    ['sign-in-store/address-is-known-for-one-account'],
    (_, data) => ({
      knowsAddress: (_accountId, addresses) =>
        okAsync(
          data.knownAddresses.some((known) => addresses.some((each) => sameBytes(each, known.address))),
        ),
    }),
  ),
  signIns('keeps the first time', ['sign-in-store/address-is-remembered-once'], (real, data) => ({
    rememberAddress: (known, keep) =>
      data.knownAddresses.some(({ address }) => sameBytes(address, known.address))
        ? okAsync(undefined)
        : real.rememberAddress(known, keep),
  })),
  signIns('remembers an address twice', ['sign-in-store/address-is-remembered-once'], (_, data) => ({
    rememberAddress(known, keep) {
      data.knownAddresses = [known, ...data.knownAddresses].slice(0, keep)
      return okAsync(undefined)
    },
  })),
  signIns('keeps all addresses', ['sign-in-store/the-latest-addresses-remain'], (real) => ({
    rememberAddress: (known) => real.rememberAddress(known, 1_000),
  })),
  signIns('keeps the addresses that came last', ['sign-in-store/the-latest-addresses-remain'], (_, data) => ({
    rememberAddress(known, keep) {
      const own = data.knownAddresses.filter(({ accountId }) => accountId === known.accountId)
      const others = data.knownAddresses.filter(({ accountId }) => accountId !== known.accountId)
      data.knownAddresses = [known, ...own.slice(0, keep - 1), ...others]
      return okAsync(undefined)
    },
  })),
  signIns(
    'keeps so many addresses of all accounts',
    ['sign-in-store/the-latest-addresses-remain'],
    (real, data) => ({
      rememberAddress: (known, keep) =>
        real.rememberAddress(known, keep).map(() => {
          data.knownAddresses = data.knownAddresses
            .toSorted((one, other) => other.atMicros - one.atMicros)
            .slice(0, keep)
        }),
    }),
  ),
  signIns('remembers addresses of unknown accounts', ['sign-in-store/account-must-exist'], (real, data) => ({
    rememberAddress: (known, keep) =>
      real.rememberAddress(known, keep).mapErr((error) => {
        data.knownAddresses = [...data.knownAddresses, known]
        return error
      }),
  })),
]

/** A store whose decisions see other states. */
function seeing(
  flaw: string,
  breaks: readonly string[],
  seen: (states: readonly AttemptState[]) => readonly AttemptState[],
): Broken<StorageHarness> {
  return signIns(flaw, breaks, (real) => ({
    update: (buckets, decide) => real.update(buckets, (states) => decide(seen(states))),
  }))
}

/** A store that stores other buckets than it answers with. */
function changing(
  flaw: string,
  breaks: readonly string[],
  changed: (change: AttemptsChange) => AttemptsChange,
): Broken<StorageHarness> {
  return signIns(flaw, breaks, (real: SignInStore) => ({
    update: <Change extends AttemptsChange, E>(
      buckets: readonly Uint8Array[],
      decide: (attempts: readonly AttemptState[]) => Result<Change, E>,
    ) => {
      let decided: Change | undefined
      return real
        .update(buckets, (states) =>
          decide(states).map((change) => {
            decided = change
            return changed(change)
          }),
        )
        .map((stored) => decided ?? (stored as Change))
    },
  }))
}

function store(data: MemoryData, names: readonly string[], { buckets }: AttemptsChange): void {
  for (const [at, name] of names.entries()) {
    const bucket = buckets[at]
    if (bucket) data.signInAttempts.set(name, bucket)
  }
}
