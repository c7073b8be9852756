import assert from 'node:assert/strict'
import { nilUuid, secretLifetimeMicros, type StoredNote, type StoredShareableSecret } from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros } from '../samples.ts'
import { failsWith, okOf, same } from './expect.ts'
import {
  addFolder,
  addSecrets,
  storageCase,
  kids,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

const mebibyte = 1_048_576

/** Cases of `insert` and `find`. */
export const secretStoreCases: readonly StorageCase[] = [
  storageCase({
    id: 'secret-store/insert-is-found-again',
    rule: 'A shareable secret is found again exactly as it was added: by its id, in the list, and with its note behind its link.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const secret of [
        make.secret(folder),
        make.secret(folder, noonMicros + 1, { openLimit: 3, notify: true, hasPassword: true }),
      ]) {
        const note = make.note()
        await okOf(store.secrets.insert(secret, note))
        same(await okOf(store.secrets.find(folder.accountId, secret.id)), secret, 'by its id')
        const [newest] = await okOf(store.secrets.slice(folder.accountId, noonMicros, undefined, 1))
        same(newest, secret, 'in the list')
        same(await noteBehind(store, secret.link.lookup), note, 'its note')
      }
    },
  }),
  storageCase({
    id: 'secret-store/draft-is-found-again',
    rule: 'A draft is found again exactly as it was added: by its id, and with its note among the drafts.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const draft = make.draft(folder, { openLimit: 1_000_000, notify: true, hasPassword: true })
      const note = make.note()
      await okOf(store.secrets.insert(draft, note))
      same(await okOf(store.secrets.find(folder.accountId, draft.id)), draft)
      same(await okOf(store.drafts.find(folder.accountId, draft.id)), { secret: draft, note })
    },
  }),
  storageCase({
    id: 'secret-store/ciphertexts-are-kept-to-the-byte',
    rule: 'Ciphertexts of any length up to more than 1 MiB, and of any bytes, come back as they were.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      for (const bytes of [new Uint8Array(1), everyByte, make.bytes(mebibyte + 4_096)]) {
        const text = bytes as StoredNote['note']
        const secret = make.secret(folder, noonMicros, { head: text })
        await okOf(store.secrets.insert(secret, { note: text, wrap: text }))
        same(
          await okOf(store.secrets.find(folder.accountId, secret.id)),
          secret,
          `a head of ${bytes.length} bytes`,
        )
        same(
          await noteBehind(store, secret.link.lookup),
          { note: text, wrap: text },
          `a note of ${bytes.length} bytes`,
        )
      }
    },
  }),
  storageCase({
    id: 'secret-store/numbers-are-kept-exactly',
    rule: 'Times up to the largest safe integer, and numbers beyond 32 bits, come back as they were.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const createdAtMicros of [0, 1, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER - secretLifetimeMicros]) {
        const secret = make.secret(folder, createdAtMicros, { createdAtMicros, openLimit: 1_000_000 })
        await okOf(store.secrets.insert(secret, make.note()))
        same(
          await okOf(store.secrets.find(folder.accountId, secret.id)),
          secret,
          `created at ${createdAtMicros}`,
        )
      }
    },
  }),
  storageCase({
    id: 'secret-store/folder-has-to-be-the-accounts',
    rule: "A secret for a folder that is unknown or another account's is refused with folder_not_found, and nothing is written.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const unknown = make.folder(mine.accountId)
      for (const secret of [
        make.secret(mine, noonMicros, { folderId: theirs.id }),
        make.secret(theirs, noonMicros, { folderId: mine.id }),
        make.secret(unknown),
        make.secret(mine, noonMicros, { accountId: make.uuid() }),
      ]) {
        await failsWith(store.secrets.insert(secret, make.note()), 'folder_not_found')
        await isNowhere(store, secret)
      }
      for (const { accountId } of [mine, theirs]) {
        const [folder] = await okOf(store.folders.slice(accountId, noonMicros, undefined, 10))
        same(folder?.secretsCount, 0, 'what the folder counts')
      }
    },
  }),
  storageCase({
    id: 'secret-store/retired-key-is-refused',
    rule: 'A secret under a retired or an unknown key is refused with key_retired, and nothing is written.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      for (const kid of [kids.retired, kids.unknown]) {
        const secret = make.secret(folder, noonMicros, { kid })
        await failsWith(store.secrets.insert(secret, make.note()), 'key_retired')
        await isNowhere(store, secret)
      }
    },
  }),
  storageCase({
    id: 'secret-store/insert-is-all-or-nothing',
    rule: 'A secret whose id or lookup is taken is refused with a storage error: nothing of it is written, nothing is replaced.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const first = make.secret(folder)
      const note = make.note()
      await okOf(store.secrets.insert(first, note))
      const sameId = make.secret(folder, noonMicros, { id: first.id })
      const sameLookup = make.secret(folder, noonMicros, { link: first.link })
      for (const secret of [sameId, sameLookup]) {
        await failsWith(store.secrets.insert(secret, make.note()), 'storage_failed', 'storage_unavailable')
      }
      same(
        await okOf(store.links.find(sameId.link.lookup)),
        undefined,
        'the lookup of the secret with a taken id',
      )
      same(
        await okOf(store.secrets.find(folder.accountId, sameLookup.id)),
        undefined,
        'the one with a taken lookup',
      )
      same(await okOf(store.secrets.slice(folder.accountId, noonMicros, undefined, 10)), [first])
      same(await noteBehind(store, first.link.lookup), note, "the first one's note")
    },
  }),
  storageCase({
    id: 'secret-store/parallel-inserts-are-answered-each',
    rule: 'Of inserts at once each has an answer of its own: the faulty ones are refused, all others are kept with their own notes.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = Array.from({ length: 24 }, (_, at) => ({
        faulty: at % 6 === 2,
        secret: make.secret(at % 6 === 2 ? make.folder(folder.accountId) : folder, noonMicros + at),
        note: make.note(),
      }))
      const answers = await Promise.all(rows.map(({ secret, note }) => store.secrets.insert(secret, note)))
      for (const [at, { faulty, secret, note }] of rows.entries()) {
        const answer = answers[at]
        assert.ok(answer, `insert ${at} has no answer`)
        same(
          answer.isErr() && answer.error,
          faulty && { code: 'folder_not_found' },
          `the answer to insert ${at}`,
        )
        same(
          await noteBehind(store, secret.link.lookup),
          faulty ? undefined : note,
          `the note of insert ${at}`,
        )
      }
    },
  }),
  storageCase({
    id: 'secret-store/find-shows-all-states',
    rule: 'find shows a draft, a shareable secret, an expired one and one whose note is destroyed.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const rows = [make.draft(folder), make.secret(folder), make.secret(folder, 0), make.secret(folder)]
      await addSecrets(store, make, rows)
      const lookup = rows[3]?.link?.lookup ?? make.bytes(32)
      await okOf(store.links.update(lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      for (const row of rows) same(await okOf(store.secrets.find(folder.accountId, row.id)), row)
    },
  }),
  storageCase({
    id: 'secret-store/find-of-none-is-undefined',
    rule: "find answers undefined for an id that is unknown or another account's.",
    async check(store, make) {
      const [mine, theirs] = [await addFolder(store, make), await addFolder(store, make)]
      const rows = [make.secret(theirs), make.draft(theirs)]
      await addSecrets(store, make, rows)
      for (const id of [...rows.map((row) => row.id), make.uuid(), nilUuid]) {
        same(await okOf(store.secrets.find(mine.accountId, id)), undefined)
      }
    },
  }),
]

/** What the link's lookup leads to, its note alone. */
export async function noteBehind(
  store: StorageUnderTest,
  lookup: Uint8Array,
): Promise<StoredNote | undefined> {
  return (await okOf(store.links.findWithNote(lookup)))?.note
}

async function isNowhere(
  store: StorageUnderTest,
  { accountId, id, link }: StoredShareableSecret,
): Promise<void> {
  same(await okOf(store.secrets.find(accountId, id)), undefined, 'by its id')
  same(await okOf(store.links.find(link.lookup)), undefined, 'by its link')
  same(await okOf(store.secrets.slice(accountId, 0, undefined, 10)), [], 'in the list')
}
