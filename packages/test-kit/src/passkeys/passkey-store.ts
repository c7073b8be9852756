import type { StoredPasskey, Authenticators } from '@sotto/identity'
import type { Uuid } from '@sotto/core'
import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  besideCase,
  durableCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { neededStoresCase } from '../stores/needed-stores.ts'
import { ascending, tiedPositions } from '../stores/paging.ts'
import { onlyWinner } from '../stores/races.ts'
import { addAccount, addPassword } from '../stores/rows.ts'

/** Cases of adding and finding. */
const insertCases: readonly StorageCase[] = casesOf({
  'passkey-store/insert-is-found-again': storageCase({
    rule: 'A passkey is found by its digest, and listed, exactly as it was inserted.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const times = { createdAtMicros: 2 ** 52 + 1, lastUsedAtMicros: 2 ** 52 + 3 }
      const passkeys = [
        make.passkey(id, { ...times, algorithm: -257, counter: 2 ** 32 - 1, rpId: 'münchen.example' }),
        make.passkey(id, {
          createdAtMicros: 2 ** 52 + 5,
          credentialId: make.bytes(1_023),
          publicKey: make.bytes(550),
        }),
      ]
      for (const passkey of passkeys) {
        const digest = make.tokenDigest()
        expectOk(await store.passkeys.insert(passkey, digest, 10))
        same(expectOk(await store.passkeys.findByCredential(digest)), { ...passkey, accountDisabled: false })
      }
      same(expectOk(await store.passkeys.findByCredential(make.tokenDigest())), undefined)
      same(expectOk(await store.passkeys.list(id)), passkeys)
    },
  }),
  'passkey-store/is-listed-with-its-account': storageCase({
    rule: 'list gives the passkeys of the account only, by creation and id ascending.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const passkeys = tiedPositions(make.uuid, noonMicros).map((at) => make.passkey(mine.id, at))
      for (const each of passkeys) expectOk(await store.passkeys.insert(each, make.tokenDigest(), 100))
      await add(store, make, theirs.id)
      same(expectOk(await store.passkeys.list(mine.id)), passkeys.toSorted(ascending))
    },
  }),
  'passkey-store/digest-and-id-belong-to-one-passkey': storageCase({
    rule: 'insert answers passkey_taken for a digest that is stored, of whatever account, and storage_failed for an id that is taken; nothing is added.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const { passkey, digest } = await add(store, make, mine.id)
      for (const { id } of [mine, theirs]) {
        expectErr(await store.passkeys.insert(make.passkey(id), digest, 10), 'passkey_taken')
        const sameId = make.passkey(id, { id: passkey.id })
        expectErr(await store.passkeys.insert(sameId, make.tokenDigest(), 10), 'storage_failed')
      }
      same(expectOk(await store.passkeys.list(mine.id)), [passkey])
      same(expectOk(await store.passkeys.list(theirs.id)), [])
    },
  }),
  'passkey-store/limit-is-per-account': storageCase({
    rule: 'insert answers passkey_limit_reached, and adds nothing, once the account has `max` passkeys; those of others do not count.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      for (const { id } of [theirs, mine, mine]) await add(store, make, id)
      expectErr(
        await store.passkeys.insert(make.passkey(mine.id), make.tokenDigest(), 2),
        'passkey_limit_reached',
      )
      same(expectOk(await store.passkeys.list(mine.id)).length, 2)
    },
  }),
  'passkey-store/limit-holds-for-parallel-callers': storageCase({
    rule: 'Of many passkeys that are inserted at the same time exactly as many are added as the limit allows.',
    check: (store, make) => reachLimit(store, store, make),
  }),
  'passkey-store/limit-holds-beside': besideCase({
    rule: 'The limit holds for callers in several storages on the same data.',
    check: reachLimit,
  }),
  'passkey-store/hosts-are-counted': storageCase({
    rule: 'hosts gives each host that passkeys are bound to, by name, with how many.',
    async check(store, make) {
      same(expectOk(await store.passkeys.hosts()), [])
      const [one, two] = [await addAccount(store, make), await addAccount(store, make)]
      await add(store, make, one.id, { rpId: 'b.example' })
      await add(store, make, two.id, { rpId: 'b.example' })
      await add(store, make, two.id, { rpId: 'a.example' })
      same(expectOk(await store.passkeys.hosts()), [
        { rpId: 'a.example', passkeys: 1 },
        { rpId: 'b.example', passkeys: 2 },
      ])
    },
  }),
})

/** Cases of `recordUse`. */
const useCases: readonly StorageCase[] = casesOf({
  'passkey-store/counter-only-goes-on': storageCase({
    rule: 'recordUse records counter and time, and answers Ok(true), when the counter is greater than the stored one, or both are 0. Otherwise, and for an unknown id, it answers Ok(false) and changes nothing.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { passkey, digest } = await add(store, make, id)
      const use = async (counter: number, atMicros: number) =>
        expectOk(await store.passkeys.recordUse(passkey.id, counter, atMicros))
      const stored = async () => {
        const { counter, lastUsedAtMicros } = expectOk(await store.passkeys.findByCredential(digest)) ?? {}
        return [counter, lastUsedAtMicros]
      }
      const uses = [
        [0, true],
        [0, true],
        [5, true],
        [5, false],
        [4, false],
        [0, false],
        [6, true],
        [2 ** 32 - 1, true],
      ] as const
      let [expected, at]: [unknown[], number] = [[], noonMicros]
      for (const [counter, isRecorded] of uses) {
        at += 1
        same(await use(counter, at), isRecorded, `the counter ${String(counter)}`)
        if (isRecorded) expected = [counter, at]
        same(await stored(), expected)
      }
      same(expectOk(await store.passkeys.recordUse(make.uuid(), 9, noonMicros)), false, 'an unknown id')
    },
  }),
  'passkey-store/one-of-uses-with-one-counter-wins': storageCase({
    rule: 'Of several uses with one counter at the same time exactly one succeeds.',
    check: (store, make) => oneUseWins(store, store, make),
  }),
  'passkey-store/one-of-uses-from-two-storages-wins': besideCase({
    rule: 'Of several uses with one counter by two storages on the same data exactly one succeeds.',
    check: oneUseWins,
  }),
})

/** Cases of erasing, and of what is found after reopening. */
const eraseCases: readonly StorageCase[] = casesOf({
  'passkey-store/erase-of-none-is-told': storageCase({
    rule: 'erase answers passkey_not_found for an unknown id and for another account, and erases nothing.',
    async check(store, make) {
      const [mine, theirs] = [await addAccount(store, make), await addAccount(store, make)]
      const { passkey } = await add(store, make, mine.id)
      const mayErase = () => true
      expectErr(await store.passkeys.erase(theirs.id, passkey.id, { mayErase }), 'passkey_not_found')
      expectErr(await store.passkeys.erase(mine.id, make.uuid(), { mayErase }), 'passkey_not_found')
      same(expectOk(await store.passkeys.list(mine.id)), [passkey])
    },
  }),
  'passkey-store/writes-are-durable': durableCase({
    rule: 'Passkeys that were added or used are so after reopening, and those that were erased are gone.',
    async act(store, make) {
      const { id } = await addAccount(store, make)
      const [used, erased] = [await add(store, make, id), await add(store, make, id)]
      same(expectOk(await store.passkeys.recordUse(used.passkey.id, 3, noonMicros)), true)
      expectOk(await store.passkeys.erase(id, erased.passkey.id, { mayErase: () => true }))
      return ({ passkeys }) => [passkeys.list(id), passkeys.findByCredential(used.digest)]
    },
  }),
})

/** Cases that see accounts, passwords and sessions. */
const accountCases: readonly StorageCase[] = together({
  'passkey-store/account-must-exist': storageCase({
    rule: 'insert answers account_not_found for an unknown or disabled account; findByCredential tells whether the account is disabled.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { passkey, digest } = await add(store, make, id)
      expectOk(await store.accounts.disable(id, noonMicros))
      for (const account of [id, make.uuid()])
        expectErr(
          await store.passkeys.insert(make.passkey(account), make.tokenDigest(), 10),
          'account_not_found',
        )
      same(expectOk(await store.passkeys.findByCredential(digest)), { ...passkey, accountDisabled: true })
    },
  }),
  'passkey-store/erase-asks-with-what-is-left': storageCase({
    rule: 'erase passes what is left to the decision, and erases the passkey with the sessions that were begun with it, except the one that is named, only when that is enough; last_way_in otherwise.',
    async check(store, make) {
      const { id } = await addAccount(store, make)
      const { session: kept } = await addPassword(store, make, id)
      const [one, two] = [await add(store, make, id), await add(store, make, id)]
      const sessions = [make.session(id), make.session(id)]
      for (const session of sessions)
        same(expectOk(await store.sessions.insert(session, make.tokenDigest(), one.passkey.id)), true)
      const seen: Authenticators[] = []
      const erase = (isEnough: boolean) =>
        store.passkeys.erase(id, one.passkey.id, {
          mayErase: (left) => {
            seen.push(left)
            return isEnough
          },
          keepSessionId: sessions[1]?.id,
        })
      expectErr(await erase(false), 'last_way_in')
      const left: Authenticators = {
        isHeld: false,
        hasPassword: true,
        identities: [],
        passkeys: [{ id: two.passkey.id, rpId: two.passkey.rpId }],
      }
      same(seen.at(-1), left)
      same(expectOk(await store.sessions.page(id, undefined, 10)), [kept, ...sessions])
      expectOk(await erase(true))
      same(expectOk(await store.passkeys.list(id)), [two.passkey])
      same(expectOk(await store.passkeys.findByCredential(one.digest)), undefined)
      same(expectOk(await store.sessions.page(id, undefined, 10)), [kept, ...sessions.slice(1)])
    },
  }),
})

/** The contract of the store of passkeys. */
export const passkeyStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('passkey-store', 'passkeys', ['accounts', 'keys', 'sessions', 'invitations']),
  ...insertCases,
  ...useCases,
  ...eraseCases,
  ...accountCases,
])

/** Adds a passkey to an account. */
async function add(
  store: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
  columns?: Partial<StoredPasskey>,
): Promise<{ readonly passkey: StoredPasskey; readonly digest: Uint8Array }> {
  const [passkey, digest] = [make.passkey(accountId, columns), make.tokenDigest()]
  expectOk(await store.passkeys.insert(passkey, digest, 100), 'adding a passkey')
  return { passkey, digest }
}

async function oneUseWins(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> {
  const { id } = await addAccount(store, make)
  const { passkey } = await add(store, make, id)
  await onlyWinner({
    stores: [store, beside],
    makeRival: () => 7,
    run: ({ passkeys }, counter) => passkeys.recordUse(passkey.id, counter, noonMicros),
  })
}

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
