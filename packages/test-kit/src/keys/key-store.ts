import { casesOf, contractOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { addFullAccount, rowsOf } from '../accounts/account-rows.ts'
import {
  besideCase,
  kids,
  reopenCase,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { activationCases } from './key-activation.ts'
import { eachOf, inserts, writes } from './key-writes.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { destroyNote } from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'key-store/list-is-in-order': storageCase({
    rule: 'Keys are listed exactly as they were added, by kid ascending, by known and by list; a retired key is not listed.',
    async check({ keys }) {
      const waiting = { ...sampleKey(205), isReadOnly: true }
      expectOk(await keys.add(waiting))
      expectOk(await keys.add(sampleKey(204)))
      const listed = expectOk(await keys.list())
      const ascending = listed.toSorted((one, other) => one.kid - other.kid)
      same(listed, ascending, 'the list and its order')
      same(
        listed.filter(({ kid }) => kid > 100),
        [...[kids.writable, kids.spare, 204].map(sampleKey), waiting].map((key) => ({ ...key, rows: 0 })),
      )
      const known = expectOk(await keys.known())
      same(
        known.map((key) => ({ ...key, rows: 0 })),
        listed,
      )
    },
  }),
  'key-store/known-key-stays': storageCase({
    rule: 'Adding a key that is known already answers Ok and changes nothing.',
    async check(store) {
      expectOk(await store.keys.add({ ...sampleKey(205), kid: kids.spare }))
      same(await keyListed(store, kids.spare), { ...sampleKey(kids.spare), rows: 0 })
    },
  }),
  'key-store/retire-of-none-is-false': storageCase({
    rule: 'retire answers Ok(false) for a key that is unknown or retired already, and changes no other key.',
    async check(store) {
      const before = expectOk(await store.keys.list())
      for (const kid of [kids.unknown, kids.retired]) same(expectOk(await store.keys.retire(kid)), false)
      same(expectOk(await store.keys.list()), before)
    },
  }),
  'key-store/writes-are-durable': reopenCase({
    rule: 'Keys that were added, activated or retired are so after reopening.',
    // every case begins by adding and retiring keys
    async before({ keys }) {
      expectOk(await keys.add({ ...sampleKey(204), isReadOnly: true }))
      expectOk(await keys.activate(kids.spare))
    },
    async after(store) {
      same(await keyListed(store, kids.writable), { ...sampleKey(kids.writable), isReadOnly: true, rows: 0 })
      same(await keyListed(store, 204), { ...sampleKey(204), isReadOnly: true, rows: 0 })
      same(await keyListed(store, kids.spare), { ...sampleKey(kids.spare), rows: 0 })
      same(await keyListed(store, kids.retired), undefined)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'key-store/added-key-is-writable': storageCase({
    rule: 'Rows may be written under a key once it was added, and not before; the key is listed with the number of rows under it.',
    async check(store, make) {
      let kid = 300
      await eachOf(writes, store, make, async (write, name) => {
        kid += 1
        expectErr(await write(kid), 'key_retired')
        expectOk(await store.keys.add(sampleKey(kid)))
        expectOk(await write(kid), `${name} under the key that was added`)
        same(await keyListed(store, kid), { ...sampleKey(kid), rows: 1 }, name)
      })
    },
  }),
  'key-store/rows-are-counted': storageCase({
    rule: 'A key is listed with the number of rows under it: accounts, folders, tokens, passwords, identities, passkeys, display names, sessions with a name, webhooks, requests, files, drafts, and secrets with or without a note.',
    async check(store, make) {
      await addFullAccount(store, make)
      const { secret } = await addFullAccount(store, make, kids.spare)
      for (const when of ['with the note', 'without the note']) {
        for (const kid of [kids.writable, kids.spare]) same((await keyListed(store, kid))?.rows, 13, when)
        await destroyNote(store, secret)
      }
    },
  }),
  'key-store/retired-key-is-refused': storageCase({
    rule: 'Once a key is retired, nothing can be written under it, nor under an unknown one: every write answers key_retired and changes nothing.',
    async check(store, make) {
      const full = await addFullAccount(store, make)
      const seen = async () => [await rowsOf(store, full), expectOk(await store.accounts.page(undefined, 10))]
      const before = await seen()
      same(expectOk(await store.keys.retire(kids.spare)), true)
      same(await keyListed(store, kids.spare), undefined)
      for (const [name, write] of Object.entries(writes)) {
        for (const kid of [kids.spare, kids.retired, kids.unknown])
          expectErr(await write({ store, make, full }, kid), 'key_retired')
        same(await seen(), before, name)
      }
    },
  }),
  'key-store/key-in-use-stays': storageCase({
    rule: 'A key that any row is under is not retired: key_in_use has the number of rows, and rows can still be written under it.',
    async check(store, make) {
      let kid = 300
      await eachOf(inserts, store, make, async (write, name) => {
        kid += 1
        expectOk(await store.keys.add(sampleKey(kid)))
        expectOk(await write(kid))
        const error = expectErr(await store.keys.retire(kid), 'key_in_use')
        same(error, { code: 'key_in_use', rows: 1 }, name)
        expectOk(await write(kid), 'another row under the key')
      })
    },
  }),
  'key-store/retire-or-write-wins': storageCase({
    rule: 'Of a write under a key and its retirement at the same time exactly one succeeds: no row is under a retired key.',
    async check(store, make) {
      let kid = 300
      for (const [isWriteFirst, some] of [
        [true, writes],
        [false, inserts],
      ] as const) {
        await eachOf(some, store, make, async (write, name) => {
          kid += 1
          expectOk(await store.keys.add(sampleKey(kid)))
          const written = isWriteFirst ? write(kid) : undefined
          const retired = store.keys.retire(kid)
          const [wrote, retirement] = await Promise.all([written ?? write(kid), retired])
          same(wrote.isOk(), retirement.isErr(), `${name}: whether it succeeded (actual) and the key stayed`)
          same((await keyListed(store, kid))?.rows, wrote.isOk() ? 1 : undefined, `${name}: the rows`)
        })
      }
    },
  }),
  'key-store/keys-are-known-beside': besideCase({
    rule: 'A key that one storage adds or retires is accepted or refused immediately by another storage on the same data.',
    async check(store, beside, make) {
      const insertUnder = (kid: number) =>
        beside.accounts.insert(make.account({ name: { kid, ciphertext: make.ciphertext() } }), [
          make.nameIndex(),
        ])
      expectErr(await insertUnder(kids.unknown), 'key_retired')
      expectOk(await store.keys.add(sampleKey(kids.unknown)))
      expectOk(await insertUnder(kids.unknown), 'writing under the key that was added')
      expectOk(await store.keys.retire(kids.spare))
      expectErr(await insertUnder(kids.spare), 'key_retired')
      expectErr(await store.keys.retire(kids.unknown), 'key_in_use')
    },
  }),
})

/** The contract of the key store. */
export const keyStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('key-store', 'keys', allBut('keys', 'corruption')),
  ...aloneCases,
  ...togetherCases,
  ...activationCases,
])

async function keyListed({ keys }: StorageUnderTest, kid: number) {
  return expectOk(await keys.list()).find((key) => key.kid === kid)
}
