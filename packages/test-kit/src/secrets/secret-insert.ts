import { casesOf } from '../contract/contract.ts'
import {
  nilUuid,
  secretLifetimeMicros,
  type Ciphertext,
  type StoredSecret,
  type StoredShareableSecret,
} from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import {
  addFolder,
  addLink,
  addSecrets,
  linkedOf,
  noteBehind,
  linkRecordOf,
  secretOf,
} from '../stores/rows.ts'

const mebibyte = 1_048_576
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)

const aloneCases: readonly StorageCase[] = casesOf({
  'secret-store/insert-is-found-again': storageCase({
    rule: 'A shareable secret comes back exactly as it was inserted, by its id and in the list.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const columns = { openLimit: 3, notify: true, hasPassword: true }
      const secrets = [make.secret(folder, noonMicros + 1, columns), make.secret(folder)]
      await addSecrets(store, make, [...secrets, make.draft(folder)])
      for (const row of secrets) {
        same(await secretOf(store, folder.accountId, row.id), row, 'by its id')
      }
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      same(expectOk(await store.secrets.page(filter, undefined, 10)), secrets, 'in the list')
    },
  }),
  'secret-store/open-limit-is-optional': storageCase({
    rule: 'An open limit is stored exactly; without one openLimit stays undefined, never 0 or null.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const openLimit of [undefined, 1, 2, 1_000_000]) {
        const row = make.secret(folder, noonMicros, { openLimit })
        await addSecrets(store, make, [row])
        same((await secretOf(store, row.accountId, row.id))?.openLimit, openLimit)
      }
    },
  }),
  'secret-store/heads-are-stored-to-the-byte': storageCase({
    rule: 'A head of any bytes, up to more than 1 MiB long, comes back as it was.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const bytes of [new Uint8Array(1), everyByte, make.bytes(mebibyte + 4_096)]) {
        const row = make.secret(folder, noonMicros, { headCiphertext: bytes as Ciphertext })
        await addSecrets(store, make, [row])
        same(await secretOf(store, row.accountId, row.id), row, `a head of ${bytes.length} bytes`)
      }
    },
  }),
  'secret-store/numbers-are-stored-exactly': storageCase({
    rule: 'Times up to the largest safe integer, and numbers beyond 32 bits, come back as they were.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const createdAtMicros of [0, 1, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER - secretLifetimeMicros]) {
        const row = make.secret(folder, createdAtMicros, { createdAtMicros, openLimit: 1_000_000 })
        await addSecrets(store, make, [row])
        same(await secretOf(store, row.accountId, row.id), row, `created at ${createdAtMicros}`)
      }
    },
  }),
  'secret-store/id-and-lookup-belong-to-one-secret': storageCase({
    rule: 'insert with an id or a lookup that is taken answers a storage error; nothing is replaced.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const first = make.secret(folder)
      await addSecrets(store, make, [first])
      const sameLookup = make.secret(folder, noonMicros, { link: first.link })
      for (const row of [make.draft(folder, { id: first.id }), sameLookup]) {
        expectErr(await store.secrets.insert(row, make.note()), 'storage_failed', 'storage_unavailable')
      }
      same(await secretOf(store, folder.accountId, first.id), first)
      same(await secretOf(store, folder.accountId, sameLookup.id), undefined)
      const filter = { accountId: folder.accountId, nowMicros: noonMicros }
      same(expectOk(await store.secrets.page(filter, undefined, 10)), [first])
    },
  }),
  'secret-store/find-knows-only-live-secrets': storageCase({
    rule: 'find gives a shareable secret until the moment of its expiry, and never a draft.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const [secret, draft] = [make.secret(folder), make.draft(folder)]
      await addSecrets(store, make, [secret, draft])
      const { expiresAtMicros } = secret.link
      const find = async ({ accountId, id }: StoredSecret, nowMicros: number) =>
        expectOk(await store.secrets.find(accountId, id, nowMicros))
      same(await find(secret, expiresAtMicros - 1), secret)
      same(await find(secret, expiresAtMicros), undefined, 'expired')
      same(await find(draft, noonMicros), undefined, 'a draft')
    },
  }),
  'secret-store/find-of-none-is-undefined': storageCase({
    rule: "find answers undefined for an unknown id and for another account's secret.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const rows = [make.secret(theirs), make.draft(theirs)]
      await addSecrets(store, make, rows)
      for (const id of [...rows.map((row) => row.id), make.uuid(), nilUuid]) {
        same(await secretOf(store, mine.accountId, id), undefined)
      }
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'secret-store/draft-is-found-again': storageCase({
    rule: 'A draft comes back exactly as it was inserted, its open limit included.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const columns = { openLimit: 3, notify: true, hasPassword: true }
      for (const row of [make.draft(folder, columns), make.draft(folder)]) {
        await addSecrets(store, make, [row])
        same(await secretOf(store, folder.accountId, row.id), row)
      }
    },
  }),
  'secret-store/note-is-found-by-its-link': storageCase({
    rule: "The note of a shareable secret is found by the link's lookup, exactly as it was inserted.",
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const secret of [make.secret(folder), make.secret(folder)]) {
        const note = make.note()
        expectOk(await store.secrets.insert(secret, note))
        same((await linkRecordOf(store, secret.link.lookup))?.secret, linkedOf(secret), 'the secret')
        same(await noteBehind(store, secret.link.lookup), note, 'the note')
      }
    },
  }),
  'secret-store/notes-are-stored-to-the-byte': storageCase({
    rule: 'A note and a wrapped key of any bytes, up to more than 1 MiB long, come back as they were.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const bytes of [new Uint8Array(1), everyByte, make.bytes(mebibyte + 4_096)]) {
        const note = { note: bytes as Ciphertext, wrappedKey: bytes as Ciphertext }
        const { accountId, id, link, ...columns } = make.secret(folder)
        expectOk(await store.secrets.insert({ accountId, id, link, ...columns }, note))
        same(await noteBehind(store, link.lookup), note, `a note of ${bytes.length} bytes`)
      }
    },
  }),
  'secret-store/folder-must-be-the-accounts': storageCase({
    rule: "insert answers folder_not_found for an unknown folder and for another account's, and writes nothing.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      for (const secret of [
        make.secret(mine, noonMicros, { folderId: theirs.id }),
        make.secret(theirs, noonMicros, { folderId: mine.id }),
        make.secret(make.folder(mine.accountId)),
        make.secret(mine, noonMicros, { accountId: make.uuid() }),
      ]) {
        expectErr(await store.secrets.insert(secret, make.note()), 'folder_not_found')
        await isNowhere(store, secret)
      }
      for (const { accountId } of [mine, theirs]) {
        const [folder] = expectOk(await store.folders.page(accountId, noonMicros, undefined, 10))
        same(folder?.secretsCount, 0, 'the count of the folder')
      }
    },
  }),
  'secret-store/insert-is-all-or-nothing': storageCase({
    rule: 'An insert that is refused for its id or lookup changes no note and leaves no link.',
    async check(store, make) {
      const { secret: first, note, folder } = await addLink(store, make)
      const sameId = make.secret(folder, noonMicros, { id: first.id })
      const sameLookup = make.secret(folder, noonMicros, { link: first.link })
      for (const secret of [sameId, sameLookup]) {
        expectErr(await store.secrets.insert(secret, make.note()), 'storage_failed', 'storage_unavailable')
      }
      same(await linkRecordOf(store, sameId.link.lookup), undefined, 'the link of the refused one')
      same(await noteBehind(store, first.link.lookup), note, 'the note of the first one')
    },
  }),
  'secret-store/parallel-inserts-are-answered-each': storageCase({
    rule: 'Each of several parallel inserts has its own result: the faulty ones are refused, all others are stored with their notes.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const inserts = Array.from({ length: 24 }, (_, at) => {
        const isFaulty = at % 6 === 2
        const secret = make.secret(isFaulty ? make.folder(folder.accountId) : folder, noonMicros + at)
        return { isFaulty, secret, note: make.note() }
      })
      const results = await Promise.all(inserts.map(({ secret, note }) => store.secrets.insert(secret, note)))
      for (const [at, { isFaulty, secret, note }] of inserts.entries()) {
        const result = results[at]
        const error = isFaulty ? { code: 'folder_not_found' } : undefined
        same(result?.isErr() ? result.error : undefined, error, `the error of insert ${at}`)
        const stored = await noteBehind(store, secret.link.lookup)
        same(stored, isFaulty ? undefined : note, `the note of insert ${at}`)
      }
    },
  }),
})

/** Cases of `insert` and `find`. */
export const secretInsertCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

async function isNowhere(
  store: StorageUnderTest,
  { accountId, id, link }: StoredShareableSecret,
): Promise<void> {
  same(await secretOf(store, accountId, id), undefined, 'by its id')
  same(await linkRecordOf(store, link.lookup), undefined, 'by its link')
  same(expectOk(await store.secrets.page({ accountId, nowMicros: 0 }, undefined, 10)), [], 'in the list')
}
