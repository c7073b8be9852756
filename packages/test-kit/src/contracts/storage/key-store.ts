import type { Encrypted, StoredFolder, Uuid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'
import { casesOf, contractOf } from '../../contract.ts'
import { expectErr, expectOk } from '../../expect.ts'
import { noonMicros, type Samples } from '../../samples.ts'
import { same } from '../compare.ts'
import {
  besideCase,
  kids,
  reopenCase,
  sampleKey,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from './harness.ts'
import { neededStoresCase } from './needed-stores.ts'
import { addFolder, destroyNote } from './rows.ts'
import { addSession } from './session-rows.ts'
import { spending } from './invitation-spending.ts'

type AnyWrite = ResultAsync<unknown, { readonly code: string }>

const aloneCases: readonly StorageCase[] = casesOf({
  'key-store/list-is-in-order': storageCase({
    rule: 'Keys are listed exactly as they were added, by kid ascending; a retired key is not listed.',
    async check({ keys }) {
      expectOk(await keys.add(sampleKey(205)))
      expectOk(await keys.add(sampleKey(204)))
      const listed = expectOk(await keys.list())
      const ascending = listed.toSorted((one, other) => one.kid - other.kid)
      same(listed, ascending, 'the list and its order')
      same(
        listed.filter(({ kid }) => kid > 100),
        [kids.writable, kids.spare, 204, 205].map((kid) => ({ ...sampleKey(kid), rows: 0 })),
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
    rule: 'Keys that were added or retired are so after reopening.',
    before: () => Promise.resolve(), // every case begins by adding and retiring keys
    async after(store) {
      same(await keyListed(store, kids.spare), { ...sampleKey(kids.spare), rows: 0 })
      same(await keyListed(store, kids.retired), undefined)
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'key-store/added-key-is-writable': storageCase({
    rule: 'Rows may be written under a key once it was added, and not before.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const [at, write] of (await writesUnder(store, make, folder)).entries()) {
        const kid = 300 + at
        expectErr(await write(kid), 'key_retired')
        expectOk(await store.keys.add(sampleKey(kid)))
        expectOk(await write(kid), `write ${at} under the key that was added`)
      }
    },
  }),
  'key-store/rows-are-counted': storageCase({
    rule: 'A key is listed with the number of rows under it: accounts, folders, tokens, passwords, display names, sessions with a name, webhooks, drafts, and secrets with or without a note.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const writes = await writesUnder(store, make, folder)
      const before = (await keyListed(store, kids.writable))?.rows
      same(before, 4, 'an account and a folder, and an account and a password for a session')
      for (const [at, write] of writes.entries()) {
        expectOk(await write(kids.spare))
        same((await keyListed(store, kids.spare))?.rows, at + 1, `after write ${at}`)
      }
      const [secret] = expectOk(
        await store.secrets.page({ accountId: folder.accountId, nowMicros: noonMicros }, undefined, 1),
      )
      if (secret) await destroyNote(store, secret)
      same((await keyListed(store, kids.spare))?.rows, writes.length, 'after the destruction of a note')
      same((await keyListed(store, kids.writable))?.rows, before, 'the other key')
    },
  }),
  'key-store/retired-key-is-refused': storageCase({
    rule: 'Once a key is retired, no row can be written under it; other keys still work.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      same(expectOk(await store.keys.retire(kids.spare)), true)
      same(await keyListed(store, kids.spare), undefined)
      for (const write of await writesUnder(store, make, folder)) {
        expectErr(await write(kids.spare), 'key_retired')
        expectOk(await write(kids.writable), 'a row under another key')
      }
    },
  }),
  'key-store/key-in-use-stays': storageCase({
    rule: 'A key that any row is under is not retired: key_in_use has the number of rows, and rows can still be written under it.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const [at, write] of (await writesUnder(store, make, folder)).entries()) {
        const kid = 300 + at
        expectOk(await store.keys.add(sampleKey(kid)))
        expectOk(await write(kid))
        const error = expectErr(await store.keys.retire(kid), 'key_in_use')
        same(error, { code: 'key_in_use', rows: 1 }, `after write ${at}`)
        same(await keyListed(store, kid), { ...sampleKey(kid), rows: 1 })
        expectOk(await write(kid), 'another row under the key')
      }
    },
  }),
  'key-store/retire-or-write-wins': storageCase({
    rule: 'Of a write under a key and its retirement at the same time exactly one succeeds: no row is under a retired key.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const writes = [
        ...(await writesUnder(store, make, folder)),
        ...(await writesUnder(store, make, folder)),
      ]
      for (const [at, write] of writes.entries()) {
        const kid = 300 + at
        expectOk(await store.keys.add(sampleKey(kid)))
        const isWriteFirst = at % 2 === 0
        const written = isWriteFirst ? write(kid) : undefined
        const retired = store.keys.retire(kid)
        const [wrote, retirement] = await Promise.all([written ?? write(kid), retired])
        same(wrote.isOk(), retirement.isErr(), 'whether the write succeeded (actual) and the key stayed')
        same((await keyListed(store, kid))?.rows, wrote.isOk() ? 1 : undefined, 'the rows under the key')
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
  neededStoresCase('key-store', 'keys', [
    'accounts',
    'folders',
    'secrets',
    'links',
    'accessTokens',
    'sessions',
    'invitations',
    'webhooks',
  ]),
  ...aloneCases,
  ...togetherCases,
])

async function keyListed({ keys }: StorageUnderTest, kid: number) {
  return expectOk(await keys.list()).find((key) => key.kid === kid)
}

/** One write for each kind of row that is under a key. */
async function writesUnder(
  store: StorageUnderTest,
  make: Samples,
  folder: StoredFolder,
): Promise<readonly ((kid: number) => AnyWrite)[]> {
  const { accountId } = folder
  const { session } = await addSession(store, make)
  const encrypted = (kid: number) => ({ kid, ciphertext: make.ciphertext() })
  return [
    (kid) => store.accounts.insert(make.account({ name: encrypted(kid) }), [make.nameIndex()]),
    (kid) => store.folders.insert(make.folder(accountId, { label: encrypted(kid) })),
    (kid) =>
      store.accessTokens.insert(make.accessToken(accountId, { name: encrypted(kid) }), make.tokenDigest()),
    (kid) => setPassword(store, make, accountId, encrypted(kid)),
    (kid) => store.accounts.setDisplayName(accountId, { id: make.uuid(), name: encrypted(kid) }),
    (kid) => store.sessions.rename(session.accountId, session.id, encrypted(kid)),
    (kid) => store.webhooks.insert(make.webhook(accountId, { endpoint: encrypted(kid) }), 100),
    (kid) => store.secrets.insert(make.draft(folder, { kid }), make.note()),
    (kid) => store.secrets.insert(make.secret(folder, noonMicros, { kid }), make.note()),
  ]
}

/** Sets the password of the account. */
function setPassword(
  { invitations }: StorageUnderTest,
  make: Samples,
  accountId: Uuid,
  hash: Encrypted,
): AnyWrite {
  const digest = make.tokenDigest()
  return invitations
    .replace(make.invitation(accountId), digest)
    .andThen(() => invitations.spend(digest, spending(make, accountId, { hash })))
    .map(() => undefined)
}
