import { type Ciphertext, type StoredSecret } from '@sotto/core'
import { noonMicros, type Samples } from '../samples.ts'
import { addDraft, type AddedDraft } from './draft-store.ts'
import { failsWith, okOf, same } from './expect.ts'
import { addSecrets, storageCase, kids, type StorageCase, type StorageUnderTest } from './storage-harness.ts'

/** Cases of `share`. */
export const draftSharingCases: readonly StorageCase[] = [
  storageCase({
    id: 'draft-store/share-sets-link-and-keys',
    rule: 'share sets link, kid, head and wrap in one step; the note and everything else stay as they were.',
    async check(store, make) {
      const folderOnly = await addDraft(store, make)
      const draft = make.draft(folderOnly.folder, { openLimit: 7, notify: true, hasPassword: true })
      const note = make.note()
      await okOf(store.secrets.insert(draft, note))
      const link = make.link(noonMicros + 3)
      const keys = {
        kid: kids.spare,
        head: make.ciphertext(draft.head.length),
        wrap: make.ciphertext(note.wrap.length),
      }
      same(await okOf(store.drafts.share(expecting(draft), link, keys)), true)
      const shared = { ...draft, link, kid: keys.kid, head: keys.head }
      same(await okOf(store.secrets.find(draft.accountId, draft.id)), shared, 'by its id')
      same(
        await okOf(store.secrets.slice(draft.accountId, noonMicros, undefined, 10)),
        [shared],
        'in the list',
      )
      const behind = await okOf(store.links.findWithNote(link.lookup))
      same(behind?.secret, shared, 'behind its link')
      same(behind?.note, { note: note.note, wrap: keys.wrap }, 'its note')
    },
  }),
  storageCase({
    id: 'draft-store/share-ends-the-draft',
    rule: 'A shared draft is no draft any more: neither found nor listed among them, and no other draft is touched.',
    async check(store, make) {
      const { draft, folder } = await addDraft(store, make)
      const other = await addDraft(store, make, folder)
      same(await okOf(store.drafts.share(expecting(draft), make.link(), newKeys(make))), true)
      same(await okOf(store.drafts.find(draft.accountId, draft.id)), undefined)
      same(await okOf(store.drafts.slice(draft.accountId, undefined, 10)), [other.draft])
    },
  }),
  storageCase({
    id: 'draft-store/shared-link-starts-fresh',
    rule: 'The link of a shared draft has no opens, no attempts and its note.',
    async check(store, make) {
      const { draft } = await addDraft(store, make)
      const link = make.link()
      await okOf(store.drafts.share(expecting(draft), link, newKeys(make)))
      same((await okOf(store.links.find(link.lookup)))?.state, {
        opens: 0,
        hasNote: true,
        attempts: { underWay: [], wrongAtMicros: [], wrongTotal: 0, lockedUntilMicros: undefined },
        formUsed: false,
      })
    },
  }),
  storageCase({
    id: 'draft-store/share-of-another-head-is-false',
    rule: 'share answers Ok(false), and changes nothing, when the head is not byte for byte the expected one.',
    async check(store, make) {
      const added = await addDraft(store, make)
      const { head } = added.draft
      const lastByte = Uint8Array.from(head, (byte, at) => (at === head.length - 1 ? byte ^ 1 : byte))
      for (const other of [
        lastByte,
        head.slice(0, -1),
        Uint8Array.from([...head, 0]),
        make.bytes(head.length),
      ]) {
        const link = make.link()
        const draft = { ...expecting(added.draft), expectedHead: other as Ciphertext }
        same(await okOf(store.drafts.share(draft, link, newKeys(make))), false)
        await isStillDraft(store, added, link.lookup)
      }
    },
  }),
  storageCase({
    id: 'draft-store/share-of-none-is-an-error',
    rule: "share is refused with draft_not_found for an id that is unknown, erased, shared already, or another account's.",
    async check(store, make) {
      const [added, elsewhere] = [await addDraft(store, make), await addDraft(store, make)]
      const { accountId } = added.draft
      const shared = make.secret(added.folder)
      await addSecrets(store, make, [shared])
      await okOf(store.drafts.erase(accountId, added.draft.id))
      for (const row of [added.draft, shared, { ...elsewhere.draft, accountId }, make.draft(added.folder)]) {
        const link = make.link()
        await failsWith(store.drafts.share(expecting(row), link, newKeys(make)), 'draft_not_found')
        same(await okOf(store.links.find(link.lookup)), undefined)
      }
      same(await okOf(store.secrets.find(accountId, shared.id)), shared, 'the one that was shared already')
      await isStillDraft(store, elsewhere, make.bytes(32))
    },
  }),
  storageCase({
    id: 'draft-store/share-under-a-retired-key-is-refused',
    rule: 'share under a retired or an unknown key is refused with key_retired, and the draft stays as it was.',
    async check(store, make) {
      const added = await addDraft(store, make)
      for (const kid of [kids.retired, kids.unknown]) {
        const link = make.link()
        const keys = { ...newKeys(make), kid }
        await failsWith(store.drafts.share(expecting(added.draft), link, keys), 'key_retired')
        await isStillDraft(store, added, link.lookup)
      }
    },
  }),
  storageCase({
    id: 'draft-store/one-of-parallel-shares-wins',
    rule: 'Of several shares at once exactly one succeeds and keeps its link, head and wrap; the others find no draft any more.',
    async check(store, make) {
      const { draft, note } = await addDraft(store, make)
      const rivals = Array.from({ length: 12 }, () => ({ link: make.link(), keys: newKeys(make) }))
      const answers = await Promise.all(
        rivals.map(({ link, keys }) => store.drafts.share(expecting(draft), link, keys)),
      )
      const winners = rivals.filter((_, at) => answers[at]?.isOk())
      same(winners.length, 1, 'how many succeeded')
      for (const answer of answers)
        same(
          answer.isErr() ? answer.error : answer.value,
          answer.isErr() ? { code: 'draft_not_found' } : true,
        )
      for (const { link, keys } of rivals) {
        const behind = await okOf(store.links.findWithNote(link.lookup))
        if (link !== winners[0]?.link) same(behind, undefined, 'the link of one that lost')
        else {
          same(behind?.secret, { ...draft, link, kid: keys.kid, head: keys.head }, "the winner's row")
          same(behind?.note, { note: note.note, wrap: keys.wrap }, "the winner's note")
        }
      }
    },
  }),
  storageCase({
    id: 'draft-store/share-or-erase-wins',
    rule: 'Of a share and an erasure at once exactly one succeeds, and the other finds no draft any more.',
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const { draft } = await addDraft(store, make)
        const share = () => store.drafts.share(expecting(draft), make.link(), newKeys(make))
        const erase = () => store.drafts.erase(draft.accountId, draft.id)
        const [shared, erased] =
          round % 2 === 0
            ? await Promise.all([share(), erase()])
            : (await Promise.all([erase(), share()])).toReversed()
        const answers = { shared: shared?.isOk(), erased: erased?.isOk() && erased.value }
        const kept = (await okOf(store.secrets.find(draft.accountId, draft.id))) !== undefined
        same(answers, { shared: kept, erased: !kept }, 'who succeeded')
      }
    },
  }),
]

function expecting({ accountId, id, head }: StoredSecret): {
  accountId: string
  id: string
  expectedHead: Ciphertext
} {
  return { accountId, id, expectedHead: head }
}

function newKeys(make: Samples): { kid: number; head: Ciphertext; wrap: Ciphertext } {
  return { kid: kids.writable, head: make.ciphertext(), wrap: make.ciphertext() }
}

async function isStillDraft(
  store: StorageUnderTest,
  { draft, note }: AddedDraft,
  lookup: Uint8Array,
): Promise<void> {
  same(await okOf(store.drafts.find(draft.accountId, draft.id)), { secret: draft, note }, 'the draft')
  same(await okOf(store.links.find(lookup)), undefined, 'the link that was refused')
}
