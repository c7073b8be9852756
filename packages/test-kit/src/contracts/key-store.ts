import type { StoredFolder } from '@sotto/core'
import { ok, type ResultAsync } from 'neverthrow'
import { noonMicros, type Samples } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import {
  addFolder,
  kids,
  reopenCase,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

type AnyWrite = ResultAsync<void, { readonly code: string }>

export const keyStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'key-store/list-is-in-order',
    rule: 'Keys are listed exactly as they were added, by kid ascending; one that was retired is not.',
    async check({ keys }) {
      await okOf(keys.add(sampleKey(205)))
      await okOf(keys.add(sampleKey(204)))
      const listed = await okOf(keys.list())
      const ascending = listed.toSorted((one, other) => one.kid - other.kid)
      same(listed, ascending, 'the list and its order')
      same(
        listed.filter(({ kid }) => kid > 100),
        [kids.writable, kids.spare, 204, 205].map((kid) => ({ ...sampleKey(kid), rows: 0 })),
      )
    },
  }),
  storageCase({
    id: 'key-store/known-key-stays',
    rule: 'Adding a key that is known already is no fault and changes nothing.',
    async check(store) {
      await okOf(store.keys.add({ ...sampleKey(205), kid: kids.spare }))
      same(await keyListed(store, kids.spare), { ...sampleKey(kids.spare), rows: 0 })
    },
  }),
  storageCase({
    id: 'key-store/added-key-is-writable',
    rule: 'Rows may be written under a key from the moment it was added, and not before.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const [at, write] of writesUnder(store, make, folder).entries()) {
        const kid = 300 + at
        await failsWith(write(kid), 'key_retired')
        await okOf(store.keys.add(sampleKey(kid)))
        await okOf(write(kid), `write ${at} under the key that was added`)
      }
    },
  }),
  storageCase({
    id: 'key-store/rows-are-counted',
    rule: 'Each key is listed with the number of rows that use it: accounts, folders, tokens, drafts, and secrets with or without a note.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const before = (await keyListed(store, kids.writable))?.rows
      same(before, 2, 'an account and a folder')
      const writes = writesUnder(store, make, folder)
      for (const [at, write] of writes.entries()) {
        await okOf(write(kids.spare))
        same((await keyListed(store, kids.spare))?.rows, at + 1, `after write ${at}`)
      }
      const [secret] = await okOf(store.secrets.slice(folder.accountId, noonMicros, undefined, 1))
      const lookup = secret?.link.lookup ?? make.bytes(32)
      await okOf(store.links.update(lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      same((await keyListed(store, kids.spare))?.rows, writes.length, 'after the destruction of a note')
      same((await keyListed(store, kids.writable))?.rows, before, 'the other key')
    },
  }),
  storageCase({
    id: 'key-store/retired-key-is-refused',
    rule: 'From the moment a key is retired no row can be written under it, while other keys serve on.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      same(await okOf(store.keys.retire(kids.spare)), true)
      same(await keyListed(store, kids.spare), undefined)
      for (const write of writesUnder(store, make, folder)) {
        await failsWith(write(kids.spare), 'key_retired')
        await okOf(write(kids.writable), 'a row under another key')
      }
    },
  }),
  storageCase({
    id: 'key-store/retire-of-none-is-false',
    rule: 'retire answers Ok(false) for a key that is unknown or retired already, and leaves the others.',
    async check(store) {
      const before = await okOf(store.keys.list())
      for (const kid of [kids.unknown, kids.retired]) same(await okOf(store.keys.retire(kid)), false)
      same(await okOf(store.keys.list()), before)
    },
  }),
  storageCase({
    id: 'key-store/key-in-use-stays',
    rule: 'A key that any row uses is not retired: key_in_use tells how many, and rows can be written under it as before.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const [at, write] of writesUnder(store, make, folder).entries()) {
        const kid = 300 + at
        await okOf(store.keys.add(sampleKey(kid)))
        await okOf(write(kid))
        const answer = await store.keys.retire(kid)
        same(answer.isErr() && answer.error, { code: 'key_in_use', rows: 1 }, `after write ${at}`)
        same(await keyListed(store, kid), { ...sampleKey(kid), rows: 1 })
        await okOf(write(kid), 'another row under the key')
      }
    },
  }),
  storageCase({
    id: 'key-store/retire-or-write-wins',
    rule: 'Of a write under a key and its retirement at once exactly one succeeds: no row is left under a retired key.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const [at, write] of [
        ...writesUnder(store, make, folder),
        ...writesUnder(store, make, folder),
      ].entries()) {
        const kid = 300 + at
        await okOf(store.keys.add(sampleKey(kid)))
        const isWriteFirst = at % 2 === 0
        const written = isWriteFirst ? write(kid) : undefined
        const retired = store.keys.retire(kid)
        const [wrote, gone] = await Promise.all([written ?? write(kid), retired])
        same(wrote.isOk(), gone.isErr(), 'whether the write succeeded, and whether the key stayed')
        same((await keyListed(store, kid))?.rows, wrote.isOk() ? 1 : undefined, 'the rows of the key')
      }
    },
  }),
  reopenCase({
    id: 'key-store/writes-are-durable',
    rule: 'Keys that were added or retired are so after the storage was opened anew.',
    before: () => Promise.resolve(), // the keys were added and retired when the storage was opened
    async after(store) {
      same(await keyListed(store, kids.spare), { ...sampleKey(kids.spare), rows: 0 })
      same(await keyListed(store, kids.retired), undefined)
    },
  }),
]

async function keyListed({ keys }: StorageUnderTest, kid: number) {
  return (await okOf(keys.list())).find((key) => key.kid === kid)
}

/** One write of each kind of row that hangs on a key. */
function writesUnder(
  store: StorageUnderTest,
  make: Samples,
  folder: StoredFolder,
): readonly ((kid: number) => AnyWrite)[] {
  const { accountId } = folder
  const encrypted = (kid: number) => ({ kid, ciphertext: make.ciphertext() })
  return [
    (kid) => store.accounts.insert(make.account({ email: encrypted(kid) }), [make.emailIndex()]),
    (kid) => store.folders.insert(make.folder(accountId, { label: encrypted(kid) })),
    (kid) =>
      store.accessTokens.insert(make.accessToken(accountId, { name: encrypted(kid) }), make.tokenHash()),
    (kid) => store.secrets.insert(make.draft(folder, { kid }), make.note()),
    (kid) => store.secrets.insert(make.secret(folder, noonMicros, { kid }), make.note()),
  ]
}
