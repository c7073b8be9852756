import type { SecretKeys, StoredSecret, StoredWrap, Uuid } from '@sotto/core'
import { ok } from 'neverthrow'
import { noonMicros, type Samples } from '../samples.ts'
import { addDraft } from './draft-store.ts'
import { failsWith, okOf, same } from './expect.ts'
import { addLink } from './link-store.ts'
import { shuffled } from './paging.ts'
import {
  addFolder,
  addSecrets,
  kids,
  reopenCase,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
} from './storage-harness.ts'

/** Cases of `secrets` and `replaceSecret`. */
export const rewrapSecretCases: readonly StorageCase[] = [
  storageCase({
    id: 'rewrap-store/secrets-under-other-keys',
    rule: 'secrets gives drafts and shareable secrets whose key is not the given one, expired ones and those without a note included.',
    async check(store, make) {
      const { draft, note, folder } = await addDraft(store, make)
      const live = await addLink(store, make, folder)
      const destroyed = await addLink(store, make, folder)
      await okOf(
        store.links.update(destroyed.secret.link.lookup, undefined, () =>
          ok({ opens: 1, destroyNote: true }),
        ),
      )
      const expired = make.secret(await addFolder(store, make), 0)
      const expiredNote = make.note()
      await okOf(store.secrets.insert(expired, expiredNote))
      await addSecrets(store, make, [make.secret(folder, noonMicros, { kid: kids.spare })])
      same(await okOf(store.rewraps.secrets(kids.spare, undefined, 10)), [
        { secret: draft, wrap: note.wrap },
        { secret: live.secret, wrap: live.note.wrap },
        { secret: destroyed.secret, wrap: undefined },
        { secret: expired, wrap: expiredNote.wrap },
      ])
    },
  }),
  storageCase({
    id: 'rewrap-store/secrets-are-in-order',
    rule: 'Secrets are handed out by their id, in slices that neither repeat nor miss one.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const ids = Array.from({ length: 6 }, () => make.uuid())
      const rows = ids.map((id, at) =>
        at % 2 === 0 ? make.draft(folder, { id }) : make.secret(folder, noonMicros - at, { id }),
      )
      await addSecrets(store, make, shuffled(rows))
      for (const limit of [1, 2, 5, 6, 7]) same(await idsBySlices(store, limit), ids, `${limit} at once`)
    },
  }),
  storageCase({
    id: 'rewrap-store/secret-is-replaced',
    rule: 'replaceSecret puts kid, head and wrap in the place of the old ones and answers Ok(true); note, state and other rows stay.',
    async check(store, make) {
      const { secret, note, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 3 })))
      const state = (await okOf(store.links.find(secret.link.lookup)))?.state
      const to = keysUnder(make, kids.spare)
      same(await okOf(store.rewraps.replaceSecret({ secret, wrap: note.wrap }, to)), true)
      const replaced = { ...secret, kid: to.kid, head: to.head }
      same(await okOf(store.links.findWithNote(secret.link.lookup)), {
        secret: replaced,
        state,
        note: { note: note.note, wrap: to.wrap },
      })
      same(await okOf(store.secrets.find(secret.accountId, secret.id)), replaced)
      same(await okOf(store.rewraps.secrets(kids.spare, undefined, 10)), [
        { secret: other.secret, wrap: other.note.wrap },
      ])
    },
  }),
  storageCase({
    id: 'rewrap-store/draft-is-replaced',
    rule: 'replaceSecret puts a draft under another key and leaves it a draft.',
    async check(store, make) {
      const { draft, note } = await addDraft(store, make)
      const to = keysUnder(make, kids.spare)
      same(await okOf(store.rewraps.replaceSecret({ secret: draft, wrap: note.wrap }, to)), true)
      same(await okOf(store.drafts.find(draft.accountId, draft.id)), {
        secret: { ...draft, kid: to.kid, head: to.head },
        note: { note: note.note, wrap: to.wrap },
      })
    },
  }),
  storageCase({
    id: 'rewrap-store/secret-without-note-is-replaced',
    rule: 'Of a secret whose note is destroyed replaceSecret replaces the head alone, and no note comes back.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      const to = { ...keysUnder(make, kids.spare), wrap: undefined }
      same(await okOf(store.rewraps.replaceSecret({ secret, wrap: undefined }, to)), true)
      const replaced = { ...secret, kid: to.kid, head: to.head }
      same((await okOf(store.links.find(secret.link.lookup)))?.secret, replaced)
      same(await okOf(store.links.findWithNote(secret.link.lookup)), undefined)
    },
  }),
  storageCase({
    id: 'rewrap-store/changed-secret-stays',
    rule: 'A secret whose head or wrap is not byte for byte the one that was read, or that is gone, stays as it is: Ok(false).',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const before = await okOf(store.links.findWithNote(secret.link.lookup))
      const from: readonly StoredWrap[] = [
        { secret: { ...secret, head: make.ciphertext(secret.head.length) }, wrap: note.wrap },
        { secret, wrap: make.ciphertext(note.wrap.length) },
        { secret: { ...secret, id: make.uuid() }, wrap: note.wrap },
      ]
      for (const each of from) {
        same(await okOf(store.rewraps.replaceSecret(each, keysUnder(make, kids.spare))), false)
        same(await okOf(store.links.findWithNote(secret.link.lookup)), before)
      }
    },
  }),
  storageCase({
    id: 'rewrap-store/note-destroyed-meanwhile-stays-destroyed',
    rule: 'When the note was destroyed since the secret was read, replaceSecret answers Ok(false) and brings nothing back.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      await okOf(store.links.update(secret.link.lookup, undefined, () => ok({ opens: 1, destroyNote: true })))
      same(
        await okOf(store.rewraps.replaceSecret({ secret, wrap: note.wrap }, keysUnder(make, kids.spare))),
        false,
      )
      same(await okOf(store.links.findWithNote(secret.link.lookup)), undefined)
      same(await okOf(store.secrets.find(secret.accountId, secret.id)), secret)
    },
  }),
  storageCase({
    id: 'rewrap-store/secret-under-a-retired-key-is-refused',
    rule: 'replaceSecret under a retired or an unknown key is refused with key_retired, and nothing changes.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      for (const kid of [kids.retired, kids.unknown]) {
        await failsWith(
          store.rewraps.replaceSecret({ secret, wrap: note.wrap }, keysUnder(make, kid)),
          'key_retired',
        )
        same((await okOf(store.links.findWithNote(secret.link.lookup)))?.note, note)
        same(await okOf(store.secrets.find(secret.accountId, secret.id)), secret)
      }
    },
  }),
  storageCase({
    id: 'rewrap-store/share-or-replacement-wins',
    rule: 'Of a share and a replacement of one draft at once exactly one succeeds, and the other answers Ok(false).',
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const { draft, note } = await addDraft(store, make)
        const [link, sharedKeys, to] = [
          make.link(),
          keysUnder(make, kids.writable),
          keysUnder(make, kids.spare),
        ]
        const share = () => okOf(store.drafts.share({ ...draft, expectedHead: draft.head }, link, sharedKeys))
        const isShareFirst = round % 2 === 0
        const first = isShareFirst ? share() : undefined
        const replacing = okOf(store.rewraps.replaceSecret({ secret: draft, wrap: note.wrap }, to))
        const [shared, replaced] = await Promise.all([first ?? share(), replacing])
        same(shared, !replaced, 'whether the share succeeded, and whether the replacement did not')
        const kept = await okOf(store.secrets.find(draft.accountId, draft.id))
        const expected: StoredSecret = shared
          ? { ...draft, link, kid: sharedKeys.kid, head: sharedKeys.head }
          : { ...draft, kid: to.kid, head: to.head }
        same(kept, expected, 'the row of the one that succeeded')
      }
    },
  }),
  storageCase({
    id: 'rewrap-store/replacement-gives-nothing-back',
    rule: 'Opens that are claimed at once with a replacement stay counted, and a note that is destroyed meanwhile stays so.',
    async check(store, make) {
      for (let round = 0; round < 6; round += 1) {
        const { secret, note } = await addLink(store, make)
        const { lookup } = secret.link
        const claim = () =>
          okOf(
            store.links.update(lookup, undefined, ({ state }) =>
              ok({ opens: state.opens + 1, destroyNote: state.opens === 3 }),
            ),
          )
        const replace = () =>
          okOf(store.rewraps.replaceSecret({ secret, wrap: note.wrap }, keysUnder(make, kids.spare)))
        const calls: (() => Promise<unknown>)[] = [claim, claim, claim, claim]
        calls.splice(round % 5, 0, replace)
        await Promise.all(calls.map((call) => call()))
        same((await okOf(store.links.find(lookup)))?.state.opens, 4, 'the opens that are kept')
        same(await okOf(store.links.findWithNote(lookup)), undefined)
      }
    },
  }),
  reopenCase({
    id: 'rewrap-store/secrets-are-replaced-durably',
    rule: 'Secrets that were replaced are so after the storage was opened anew.',
    async before(store, make) {
      const { secret, note } = await addLink(store, make)
      const to = keysUnder(make, kids.spare)
      await okOf(store.rewraps.replaceSecret({ secret, wrap: note.wrap }, to))
      return { secret: { ...secret, kid: to.kid, head: to.head }, note: { note: note.note, wrap: to.wrap } }
    },
    async after(store, { secret, note }) {
      const behind = await okOf(store.links.findWithNote(secret.link.lookup))
      same({ secret: behind?.secret, note: behind?.note }, { secret, note })
    },
  }),
]

function keysUnder(
  make: Samples,
  kid: number,
): SecretKeys & { readonly wrap: NonNullable<SecretKeys['wrap']> } {
  return { kid, head: make.ciphertext(), wrap: make.ciphertext() }
}

/** The ids of the secrets that are not under the spare key, read in slices. */
async function idsBySlices({ rewraps }: StorageUnderTest, limit: number): Promise<readonly Uuid[]> {
  const ids: Uuid[] = []
  for (;;) {
    const slice = await okOf(rewraps.secrets(kids.spare, ids.at(-1), limit))
    ids.push(...slice.map(({ secret }) => secret.id))
    if (slice.length !== limit || ids.length > 100) return ids
  }
}
