import { noAttempts, type Ciphertext, type StoredSecret } from '@sotto/core'
import { expectErr, expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import { kids, storageCase, type StorageCase, type StorageUnderTest, together } from '../stores/harness.ts'
import {
  addDraft,
  addFolder,
  addSecrets,
  freshState,
  linkRecordOf,
  recordWithNote,
  secretOf,
  type AddedDraft,
} from '../stores/rows.ts'

/** Cases of `share`. */
export const draftSharingCases: readonly StorageCase[] = together({
  'draft-store/share-sets-link-and-keys': storageCase({
    rule: 'share sets link, kid, head and wrapped key in one step; the note and all other columns stay as they were.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const draft = make.draft(folder, { openLimit: 7, notify: true, hasPassword: true })
      const note = make.note()
      expectOk(await store.secrets.insert(draft, note))
      const link = make.link(noonMicros + 3)
      const keys = {
        kid: kids.spare,
        headCiphertext: make.ciphertext(draft.headCiphertext.length),
        wrappedKey: make.ciphertext(note.wrappedKey.length),
      }
      same(expectOk(await store.drafts.share(expecting(draft), link, keys)), true)
      const shared = { ...draft, link, kid: keys.kid, headCiphertext: keys.headCiphertext }
      same(await secretOf(store, draft.accountId, draft.id), shared, 'by its id')
      same(
        expectOk(
          await store.secrets.page({ accountId: draft.accountId, nowMicros: noonMicros }, undefined, 10),
        ),
        [shared],
        'in the list',
      )
      const found = await recordWithNote(store, link.lookup)
      same(found?.secret, shared, 'by its link')
      same(found?.note, { note: note.note, wrappedKey: keys.wrappedKey }, 'its note')
    },
  }),
  'draft-store/share-ends-the-draft': storageCase({
    rule: 'A shared draft is neither found nor listed as a draft any more; other drafts stay.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const other = await addDraft(store, make, folder)
      same(expectOk(await store.drafts.share(expecting(draft), make.link(), newKeys(make))), true)
      same(expectOk(await store.drafts.find(draft.accountId, draft.id)), undefined)
      same(expectOk(await store.drafts.page({ accountId: draft.accountId }, undefined, 10)), [other.draft])
    },
  }),
  'draft-store/shared-link-starts-fresh': storageCase({
    rule: 'The link of a shared draft without attempts has no opens, no attempts, and its note.',
    async check(store, make) {
      const { draft } = await addDraft(store, make)
      const link = make.link()
      expectOk(await store.drafts.share(expecting(draft), link, newKeys(make)))
      same((await linkRecordOf(store, link.lookup))?.state, freshState)
    },
  }),
  'draft-store/share-of-another-head-is-false': storageCase({
    rule: 'share answers Ok(false) and changes nothing unless the head equals the expected one byte for byte.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const { headCiphertext } = added.draft
      const lastByte = Uint8Array.from(headCiphertext, (byte, at) =>
        at === headCiphertext.length - 1 ? byte ^ 1 : byte,
      )
      for (const other of [
        lastByte,
        headCiphertext.slice(0, -1),
        Uint8Array.from([...headCiphertext, 0]),
        make.bytes(headCiphertext.length),
      ]) {
        const link = make.link()
        const draft = { ...expecting(added.draft), expectedHeadCiphertext: other as Ciphertext }
        same(expectOk(await store.drafts.share(draft, link, newKeys(make))), false)
        await isStillDraft(store, added, link.lookup)
      }
    },
  }),
  'draft-store/share-of-none-is-an-error': storageCase({
    rule: "share answers draft_not_found for an id that is unknown, erased, shared already, or another account's.",
    async check(store, make) {
      const [added, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const { accountId } = added.draft
      const shared = make.secret(added.folder)
      await addSecrets(store, make, [shared])
      expectOk(await store.drafts.erase(accountId, added.draft.id))
      for (const row of [added.draft, shared, { ...elsewhere.draft, accountId }, make.draft(added.folder)]) {
        const link = make.link()
        expectErr(await store.drafts.share(expecting(row), link, newKeys(make)), 'draft_not_found')
        same(await linkRecordOf(store, link.lookup), undefined)
      }
      same(await secretOf(store, accountId, shared.id), shared, 'the secret that was shared already')
      await isStillDraft(store, elsewhere, make.bytes(32))
    },
  }),
  'draft-store/one-of-parallel-shares-wins': storageCase({
    rule: 'Of several shares at the same time exactly one succeeds and sets its link, head and wrapped key; the others answer draft_not_found.',
    async check(store, make) {
      const { draft, note } = await addDraft(store, make)
      const rivals = Array.from({ length: 12 }, () => ({ link: make.link(), keys: newKeys(make) }))
      const results = await Promise.all(
        rivals.map(({ link, keys }) => store.drafts.share(expecting(draft), link, keys)),
      )
      const winners = rivals.filter((_, at) => results[at]?.isOk())
      same(winners.length, 1, 'how many succeeded')
      for (const result of results) {
        if (result.isErr()) same(result.error, { code: 'draft_not_found' })
        else same(result.value, true)
      }
      for (const { link, keys } of rivals) {
        const found = await recordWithNote(store, link.lookup)
        if (link !== winners[0]?.link) same(found, undefined, 'the link of one that lost')
        else {
          same(
            found?.secret,
            { ...draft, link, kid: keys.kid, headCiphertext: keys.headCiphertext },
            "the winner's row",
          )
          same(found?.note, { note: note.note, wrappedKey: keys.wrappedKey }, "the winner's note")
        }
      }
    },
  }),
  'draft-store/share-or-erase-wins': storageCase({
    rule: 'Of a share and an erasure at the same time exactly one succeeds; the other one finds no draft.',
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const { draft } = await addDraft(store, make)
        const share = () => store.drafts.share(expecting(draft), make.link(), newKeys(make))
        const erase = () => store.drafts.erase(draft.accountId, draft.id)
        const [shared, erased] =
          round % 2 === 0
            ? await Promise.all([share(), erase()])
            : (await Promise.all([erase(), share()])).toReversed()
        const succeeded = { shared: shared?.isOk(), erased: erased?.isOk() && erased.value }
        const exists = (await secretOf(store, draft.accountId, draft.id)) !== undefined
        same(succeeded, { shared: exists, erased: !exists }, 'which one succeeded')
      }
    },
  }),
})

/** The first argument of `share`, for a draft as it was read. */
function expecting({ accountId, id, headCiphertext }: StoredSecret) {
  return { accountId, id, expectedHeadCiphertext: headCiphertext }
}

function newKeys(make: Samples): { kid: number; headCiphertext: Ciphertext; wrappedKey: Ciphertext } {
  return { kid: kids.writable, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
}

async function isStillDraft(
  store: StorageUnderTest,
  { draft, note }: AddedDraft,
  lookup: Uint8Array,
): Promise<void> {
  same(
    expectOk(await store.drafts.find(draft.accountId, draft.id)),
    { secret: draft, note, attempts: noAttempts },
    'the draft',
  )
  same(await linkRecordOf(store, lookup), undefined, 'the link that was refused')
}
