import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { besideCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount } from '../stores/rows.ts'

/** What histories do not show of the store of passkeys: the stores that it needs, and callers at the same time. */
export const passkeyCases: readonly StorageCase[] = [
  neededStoresCase('passkey-store', 'passkeys', ['accounts', 'keys', 'sessions', 'invitations']),
  ...casesOf({
    'passkey-store/limit-holds-for-parallel-callers': storageCase({
      rule: 'Of many passkeys that are inserted at the same time exactly as many are added as the limit allows.',
      check: (store, make) => reachLimit(store, store, make),
    }),
    'passkey-store/limit-holds-beside': besideCase({
      rule: 'The limit holds for callers in several storages on the same data.',
      check: reachLimit,
    }),
    'passkey-store/one-of-uses-with-one-counter-wins': storageCase({
      rule: 'Of several uses with one counter at the same time exactly one succeeds.',
      check: (store, make) => oneUseWins(store, store, make),
    }),
    'passkey-store/one-of-uses-from-two-storages-wins': besideCase({
      rule: 'Of several uses with one counter by two storages on the same data exactly one succeeds.',
      check: oneUseWins,
    }),
  }),
]

/** Inserts more passkeys than the limit allows, at the same time, by the storages in turn. */
async function reachLimit(one: StorageUnderTest, other: StorageUnderTest, make: Samples): Promise<void> {
  const { id: accountId } = await addAccount(one, make)
  const rivals = Array.from({ length: 12 }, () => make.passkey(accountId))
  const results = await Promise.all(
    rivals.map((passkey, at) => (at % 2 === 0 ? one : other).passkeys.insert(passkey, make.tokenDigest(), 5)),
  )
  const added = rivals.filter((_, at) => results[at]?.isOk())
  for (const result of results) if (result.isErr()) same(result.error, { code: 'passkey_limit_reached' })
  for (const { passkeys } of [one, other]) same(expectOk(await passkeys.list(accountId)), added)
  same(added.length, 5, 'how many were added')
}

async function oneUseWins(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  const { id } = await addAccount(store, make)
  const passkey = make.passkey(id)
  expectOk(await store.passkeys.insert(passkey, make.tokenDigest(), 1), 'adding a passkey')
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => 7,
    run: ({ passkeys }, counter) => passkeys.recordUse(passkey.id, counter, noonMicros),
  })
}
