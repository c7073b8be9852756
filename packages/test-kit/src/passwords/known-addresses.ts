import { casesOf } from '../contract/contract.ts'
import type { Uuid } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { durableCase, storageCase, type StorageCase, type StorageUnderTest } from '../stores/harness.ts'
import { addAccount } from '../stores/rows.ts'

/** Cases of `rememberAddress` and `knowsAddress`. */
export const knownAddressCases: readonly StorageCase[] = casesOf({
  'sign-in-store/address-is-known-since-its-time': storageCase({
    rule: 'An address is known at the time when it was remembered, and not at a later one.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const address = make.tokenDigest()
      await remember(store, id, address, noonMicros)
      same(await knows(store, id, [address], noonMicros - 1), true, 'one microsecond before')
      same(await knows(store, id, [address], noonMicros), true, 'at that time')
      same(await knows(store, id, [address], noonMicros + 1), false, 'one microsecond after')
    },
  }),
  'sign-in-store/any-of-the-addresses-is-enough': storageCase({
    rule: 'knowsAddress is true when any of the addresses is remembered for the account.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const address = make.tokenDigest()
      await remember(store, id, address)
      same(await knows(store, id, [make.tokenDigest(), address]), true, 'the last of two')
      same(await knows(store, id, [address, make.tokenDigest()]), true, 'the first of two')
      same(await knows(store, id, [make.tokenDigest(), make.tokenDigest()]), false, 'none of two')
      same(await knows(store, id, []), false, 'without addresses')
    },
  }),
  'sign-in-store/address-is-known-for-one-account': storageCase({
    rule: 'An address that is remembered for one account is not known for another one.',
    async check(store, make) {
      const [{ id: mine }, { id: theirs }] = [await addAccount(store, make), await addAccount(store, make)]
      const address = make.tokenDigest()
      await remember(store, mine, address)
      same(await knows(store, theirs, [address]), false)
    },
  }),
  'sign-in-store/address-is-remembered-once': storageCase({
    rule: 'An address that is remembered again has its latest time, and takes no second place.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const [first, second] = [make.tokenDigest(), make.tokenDigest()]
      await remember(store, id, first, noonMicros, 2)
      for (const later of [1, 2, 3]) await remember(store, id, second, noonMicros + later, 2)
      same(await knows(store, id, [first], noonMicros), true, 'the address before')
      same(await knows(store, id, [second], noonMicros + 3), true, 'at its latest time')
    },
  }),
  'sign-in-store/the-latest-addresses-remain': storageCase({
    rule: 'Of the addresses of one account those with the latest times remain, whatever the order in which they were remembered.',
    async check(store, make) {
      const [{ id: mine }, { id: theirs }] = [await addAccount(store, make), await addAccount(store, make)]
      const other = make.tokenDigest()
      await remember(store, theirs, other, 1)
      const addresses = [make.tokenDigest(), make.tokenDigest(), make.tokenDigest(), make.tokenDigest()]
      const times = [3, 1, 4, 2]
      for (const [at, address] of addresses.entries()) {
        await remember(store, mine, address, noonMicros + (times[at] ?? 0), 2)
      }
      const known = await Promise.all(addresses.map((address) => knows(store, mine, [address])))
      same(known, [true, false, true, false], 'which of them are known')
      same(await knows(store, theirs, [other], 0), true, "another account's address")
    },
  }),
  'sign-in-store/account-must-exist': storageCase({
    rule: 'rememberAddress answers account_not_found for an unknown account, and remembers nothing.',
    needs: ['together'],
    async check(store, make) {
      const known = { accountId: make.uuid(), address: make.tokenDigest(), atMicros: noonMicros }
      expectErr(await store.signIns.rememberAddress(known, 10), 'account_not_found')
      same(await knows(store, known.accountId, [known.address]), false)
    },
  }),
  'sign-in-store/addresses-are-durable': durableCase({
    rule: 'Addresses that were remembered are known after reopening.',
    async act(store, make) {
      const { id } = await addAccount(store, make)
      const address = make.tokenDigest()
      await remember(store, id, address)
      return (each) => [knows(each, id, [address])]
    },
  }),
})

async function remember(
  { signIns }: StorageUnderTest,
  accountId: Uuid,
  address: Uint8Array,
  atMicros = noonMicros,
  keep = 10,
): Promise<void> {
  expectOk(await signIns.rememberAddress({ accountId, address, atMicros }, keep), 'remembering an address')
}

async function knows(
  { signIns }: StorageUnderTest,
  accountId: Uuid,
  addresses: readonly Uint8Array[],
  sinceMicros = noonMicros,
): Promise<boolean> {
  return expectOk(await signIns.knowsAddress(accountId, addresses, sinceMicros))
}
