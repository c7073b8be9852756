import type { StoredWrappedKey } from '@sotto/core'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { addFullAccount, noAccess, rowsOf, type FullAccount } from '../accounts/account-rows.ts'
import { casesOf, contractOf } from '../contract/contract.ts'
import {
  durableCase,
  storageCase,
  together,
  type StorageCase,
  type StorageUnderTest,
} from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import {
  addDraft,
  addLink,
  destroyNote,
  linkRecordOf,
  noteBehind,
  recordWithNote,
  secretOf,
} from '../stores/rows.ts'

/** The contract of the corruption store. */
export const corruptionStoreContract: readonly StorageCase[] = contractOf([
  neededStoresCase('corruption-store', 'corruption', allBut('corruption', 'idempotencyKeys')),
  ...casesOf({
    'corruption-store/changed-secret-stays': storageCase({
      rule: 'eraseSecret answers Ok(false) and changes nothing unless the row holds the head, the wrapped key and the given note that were read, byte for byte.',
      async check(store, make) {
        const { secret, note } = await addLink(store, make)
        const before = await recordWithNote(store, secret.link.lookup)
        const read: readonly (readonly [StoredWrappedKey, typeof note.note | undefined])[] = [
          [
            {
              secret: { ...secret, headCiphertext: make.ciphertext(secret.headCiphertext.length) },
              wrappedKey: note.wrappedKey,
            },
            note.note,
          ],
          [{ secret, wrappedKey: make.ciphertext(note.wrappedKey.length) }, note.note],
          [{ secret, wrappedKey: undefined }, undefined],
          [{ secret, wrappedKey: note.wrappedKey }, make.ciphertext(note.note.length)],
          [{ secret: { ...secret, id: make.uuid() }, wrappedKey: note.wrappedKey }, note.note],
        ]
        for (const each of read) {
          same(expectOk(await store.corruption.eraseSecret(...each)), false)
          same(await recordWithNote(store, secret.link.lookup), before)
        }
      },
    }),
  }),
  ...together({
    'corruption-store/secret-is-erased': storageCase({
      rule: 'eraseSecret erases a secret or draft with its note and link, whether its note is given or not, and answers Ok(true); other secrets stay.',
      async check(store, make) {
        const other = await addLink(store, make)
        for (const isNoteGiven of [true, false]) {
          const { secret, note, folder } = await addLink(store, make, other.folder)
          const { draft, note: draftNote } = await addDraft(store, make, folder)
          const givenOf = (given: typeof note) => (isNoteGiven ? given.note : undefined)
          same(
            expectOk(
              await store.corruption.eraseSecret({ secret, wrappedKey: note.wrappedKey }, givenOf(note)),
            ),
            true,
          )
          const ofDraft = { secret: draft, wrappedKey: draftNote.wrappedKey }
          same(expectOk(await store.corruption.eraseSecret(ofDraft, givenOf(draftNote))), true)
          same(await linkRecordOf(store, secret.link.lookup), undefined)
          for (const { accountId, id } of [secret, draft])
            same(await secretOf(store, accountId, id), undefined)
        }
        same(await noteBehind(store, other.secret.link.lookup), other.note, 'the note of the other one')
      },
    }),
    'corruption-store/secret-without-note-is-erased': storageCase({
      rule: 'eraseSecret erases a secret whose note is destroyed when it was read without a wrapped key, and answers Ok(false) when it was read with one.',
      async check(store, make) {
        const { secret, note } = await addLink(store, make)
        await destroyNote(store, secret)
        same(
          expectOk(await store.corruption.eraseSecret({ secret, wrappedKey: note.wrappedKey }, note.note)),
          false,
        )
        same(await secretOf(store, secret.accountId, secret.id), secret)
        same(expectOk(await store.corruption.eraseSecret({ secret, wrappedKey: undefined }, undefined)), true)
        same(await secretOf(store, secret.accountId, secret.id), undefined)
      },
    }),
    'corruption-store/text-is-erased': storageCase({
      rule: 'eraseText erases the access token, the password, the display name, the session, the request, the identity or the passkey, and answers Ok(true); the rows of other accounts stay.',
      async check(store, make) {
        const [mine, theirs] = [await addFullAccount(store, make), await addFullAccount(store, make)]
        const [before, others] = [await rowsOf(store, mine), await rowsOf(store, theirs)]
        await eraseTexts(store, mine)
        same(await rowsOf(store, mine), withoutTexts(before))
        same(await rowsOf(store, theirs), others, 'another account')
      },
    }),
    'corruption-store/changed-text-stays': storageCase({
      rule: 'eraseText answers Ok(false) and changes nothing unless the row holds the text that was read, byte for byte.',
      async check(store, make) {
        const full = await addFullAccount(store, make)
        const before = await rowsOf(store, full)
        for (const column of columns) {
          const { place, encrypted } = full.textIn(column)
          const otherBytes = { ...encrypted, ciphertext: make.ciphertext(encrypted.ciphertext.length) }
          const { corruption } = store
          same(expectOk(await corruption.eraseText(column, place.rowId, otherBytes)), false, 'other bytes')
          same(expectOk(await corruption.eraseText(column, make.uuid(), encrypted)), false, 'another id')
        }
        same(await rowsOf(store, full), before)
      },
    }),
    'corruption-store/erasures-are-durable': durableCase({
      rule: 'Secrets and texts that were erased are so after reopening.',
      async act(store, make) {
        const full = await addFullAccount(store, make)
        const { secret, note } = full
        await eraseTexts(store, full)
        same(
          expectOk(await store.corruption.eraseSecret({ secret, wrappedKey: note.wrappedKey }, note.note)),
          true,
        )
        return (each) => [rowsOf(each, full)]
      },
    }),
  }),
])

/** What can be given up. */
const columns = [
  'access_token.name',
  'account.password',
  'account.display_name',
  'session.name',
  'request.content',
  'identity.name',
  'passkey.name',
] as const

async function eraseTexts({ corruption }: StorageUnderTest, { textIn }: FullAccount): Promise<void> {
  for (const column of columns) {
    const { place, encrypted } = textIn(column)
    same(expectOk(await corruption.eraseText(column, place.rowId, encrypted)), true, column)
  }
}

/** The rows without what {@link eraseTexts} erases. */
function withoutTexts(rows: Awaited<ReturnType<typeof rowsOf>>) {
  const { invitation: _i, change: _c, address: _a, webhooks: _w, deliveries: _d, ...erased } = noAccess
  const account = rows.account && { ...rows.account, displayName: undefined }
  const { from: _, ...link } = rows.link ?? {}
  return { ...rows, ...erased, account, link }
}
