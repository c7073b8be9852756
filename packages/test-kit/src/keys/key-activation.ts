import { casesOf } from '../contract/contract.ts'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { addFullAccount } from '../accounts/account-rows.ts'
import {
  besideCase,
  kids,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { writes } from './key-writes.ts'
import { addFolder } from '../stores/rows.ts'

/** Cases of keys that wait, and of the one that is active. */
export const activationCases: readonly StorageCase[] = [
  ...casesOf({
    'key-store/activate-makes-others-read-only': storageCase({
      rule: 'After activate every other key is listed as read-only; the same call again changes nothing.',
      async check(store) {
        expectOk(await store.keys.add({ ...sampleKey(205), isReadOnly: true }))
        for (const kid of [kids.spare, 205, 205]) {
          same(expectOk(await store.keys.activate(kid)), true)
          same(await writableKids(store), [kid])
        }
      },
    }),
    'key-store/older-key-is-not-activated': storageCase({
      rule: 'activate answers Ok(false) for a key that is not known or older than the active one, and changes nothing.',
      async check(store) {
        expectOk(await store.keys.activate(kids.spare))
        for (const kid of [kids.writable, kids.retired, kids.unknown]) {
          same(expectOk(await store.keys.activate(kid)), false)
          same(await writableKids(store), [kids.spare])
        }
      },
    }),
  }),
  ...together({
    'key-store/read-only-key-is-refused': storageCase({
      rule: 'No row may be written under a read-only key until it is activated, and under no other key from then on.',
      async check(store, make) {
        const prepared = []
        for (const [name, write] of Object.entries(writes)) {
          const full = await addFullAccount(store, make)
          prepared.push({ name, write: (kid: number) => write({ store, make, full }, kid) })
        }
        expectOk(await store.keys.add({ ...sampleKey(300), isReadOnly: true }))
        for (const { write } of prepared) expectErr(await write(300), 'key_retired')
        same(expectOk(await store.keys.activate(300)), true)
        for (const { name, write } of prepared) {
          for (const other of [kids.writable, kids.spare]) expectErr(await write(other), 'key_retired')
          expectOk(await write(300), `${name} under the active key`)
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

async function writableKids({ keys }: StorageUnderTest): Promise<readonly number[]> {
  return expectOk(await keys.known()).flatMap(({ kid, isReadOnly }) => (isReadOnly ? [] : [kid]))
}

async function rowsUnder({ keys }: StorageUnderTest, kid: number): Promise<number | undefined> {
  return expectOk(await keys.list()).find((key) => key.kid === kid)?.rows
}
