import { expectErr, expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { noonMicros } from '../shared/samples.ts'
import {
  besideCase,
  kids,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { addFolder } from '../stores/rows.ts'
import { eachOf, inserts, writes } from './key-writes.ts'

/** What histories do not show of the store of keys: callers at the same time. */
export const keyCases: readonly StorageCase[] = [
  neededStoresCase('key-store', 'keys', allBut('keys', 'corruption')),
  ...together({
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
            same(
              wrote.isOk(),
              retirement.isErr(),
              `${name}: whether it succeeded (actual) and the key stayed`,
            )
            same(await rowsUnder(store, kid), wrote.isOk() ? 1 : undefined, `${name}: the rows`)
          })
        }
      },
    }),
    'key-store/activation-waits-for-writes': besideCase({
      rule: 'Once activate is answered, no storage on the same data writes a row under another key, however many are writing.',
      async check(store, beside, make) {
        const folder = await addFolder(store, make)
        expectOk(await store.keys.activate(kids.spare))
        for (const [old, kid] of [
          [kids.spare, 301],
          [301, 302],
          [302, 303],
        ] as const) {
          expectOk(await store.keys.add({ ...sampleKey(kid), isReadOnly: true }))
          const insert = () =>
            beside.secrets.insert(make.secret(folder, noonMicros, { kid: old }), make.note())
          const early = Array.from({ length: 10 }, insert)
          const activated = store.keys.activate(kid)
          const late = Array.from({ length: 10 }, insert)
          same(expectOk(await activated), true)
          const rows = await rowsUnder(store, old)
          const inserted = await Promise.all([...early, ...late])
          same(
            await rowsUnder(store, old),
            rows,
            'the rows under the old key, then and when all were answered',
          )
          same(inserted.filter((each) => each.isOk()).length, rows, 'how many were written')
          expectErr(await insert(), 'key_retired')
        }
      },
    }),
  }),
]

async function rowsUnder({ keys }: StorageUnderTest, kid: number): Promise<number | undefined> {
  return expectOk(await keys.list()).find((key) => key.kid === kid)?.rows
}
