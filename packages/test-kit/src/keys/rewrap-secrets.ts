import { casesOf } from '../contract/contract.ts'
import {
  noAttempts,
  type Ciphertext,
  type EncryptedSecret,
  type StoredSecret,
  type StoredWrappedKey,
  type Uuid,
} from '@sotto/core'
import { ok } from 'neverthrow'
import { expectOk } from '../contract/expect.ts'
import { noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'
import {
  durableCase,
  kids,
  storageCase,
  type StorageCase,
  type StorageUnderTest,
  together,
} from '../stores/harness.ts'
import { readAll, shuffled } from '../stores/paging.ts'
import {
  addDraft,
  addFolder,
  addLink,
  addSecrets,
  destroyNote,
  linkRecordOf,
  recordWithNote,
  secretOf,
} from '../stores/rows.ts'

const aloneCases: readonly StorageCase[] = casesOf({
  'rewrap-store/changed-secret-stays': storageCase({
    rule: 'replaceSecret answers Ok(false) and changes nothing unless the row holds the head and wrapped key that were read, byte for byte.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      const before = await recordWithNote(store, secret.link.lookup)
      const from: readonly StoredWrappedKey[] = [
        {
          secret: { ...secret, headCiphertext: make.ciphertext(secret.headCiphertext.length) },
          wrappedKey: note.wrappedKey,
        },
        { secret, wrappedKey: make.ciphertext(note.wrappedKey.length) },
        { secret: { ...secret, id: make.uuid() }, wrappedKey: note.wrappedKey },
      ]
      for (const each of from) {
        same(expectOk(await store.rewraps.replaceSecret(each, keysUnder(make, kids.spare))), false)
        same(await recordWithNote(store, secret.link.lookup), before)
      }
    },
  }),
})

const togetherCases: readonly StorageCase[] = together({
  'rewrap-store/secrets-under-other-keys': storageCase({
    rule: 'secrets gives drafts and shareable secrets whose key is not the given one, also expired ones and those without a note.',
    async check(store, make) {
      const { draft, note, folder } = await addDraft(store, make)
      const live = await addLink(store, make, folder)
      const destroyed = await addLink(store, make, folder)
      await destroyNote(store, destroyed.secret)
      const expired = make.secret(await addFolder(store, make), 0)
      const expiredNote = make.note()
      expectOk(await store.secrets.insert(expired, expiredNote))
      await addSecrets(store, make, [make.secret(folder, noonMicros, { kid: kids.spare })])
      same(expectOk(await store.rewraps.secrets(kids.spare, undefined, 10)), [
        { secret: draft, wrappedKey: note.wrappedKey },
        { secret: live.secret, wrappedKey: live.note.wrappedKey },
        { secret: destroyed.secret, wrappedKey: undefined },
        { secret: expired, wrappedKey: expiredNote.wrappedKey },
      ])
    },
  }),
  'rewrap-store/secrets-are-in-order': storageCase({
    rule: 'Secrets are listed by their id; pages neither repeat nor miss one.',
    async check(store, make) {
      const folder = await addFolder(store, make)
      const ids = Array.from({ length: 6 }, () => make.uuid())
      const rows = ids.map((id, at) =>
        at % 2 === 0 ? make.draft(folder, { id }) : make.secret(folder, noonMicros - at, { id }),
      )
      await addSecrets(store, make, shuffled(rows))
      for (const limit of [1, 2, 5, 6, 7]) {
        same(await idsOfSecrets(store, limit), ids, `in pages of ${limit}`)
      }
    },
  }),
  'rewrap-store/secret-is-replaced': storageCase({
    rule: 'replaceSecret replaces kid, head and wrapped key and answers Ok(true); the note, the state and other rows stay.',
    async check(store, make) {
      const { secret, note, folder } = await addLink(store, make)
      const other = await addLink(store, make, folder)
      expectOk(await store.links.update(secret.link.lookup, undefined, () => ok({ opens: 3 })))
      const state = (await linkRecordOf(store, secret.link.lookup))?.state
      const to = keysUnder(make, kids.spare)
      same(expectOk(await store.rewraps.replaceSecret({ secret, wrappedKey: note.wrappedKey }, to)), true)
      const replaced = { ...secret, kid: to.kid, headCiphertext: to.headCiphertext }
      same(await recordWithNote(store, secret.link.lookup), {
        secret: replaced,
        state,
        note: { note: note.note, wrappedKey: to.wrappedKey },
      })
      same(await secretOf(store, secret.accountId, secret.id), replaced)
      same(expectOk(await store.rewraps.secrets(kids.spare, undefined, 10)), [
        { secret: other.secret, wrappedKey: other.note.wrappedKey },
      ])
    },
  }),
  'rewrap-store/draft-is-replaced': storageCase({
    rule: 'replaceSecret puts a draft under another key; it stays a draft, with its attempts.',
    async check(store, make) {
      const { draft, note } = await addDraft(store, make)
      const attempts = { ...noAttempts, wrongTotal: 1 }
      expectOk(await store.drafts.updateAttempts(draft.accountId, draft.id, () => ({ attempts })))
      const to = keysUnder(make, kids.spare)
      same(
        expectOk(await store.rewraps.replaceSecret({ secret: draft, wrappedKey: note.wrappedKey }, to)),
        true,
      )
      same(expectOk(await store.drafts.find(draft.accountId, draft.id)), {
        secret: { ...draft, kid: to.kid, headCiphertext: to.headCiphertext },
        note: { note: note.note, wrappedKey: to.wrappedKey },
        attempts,
      })
    },
  }),
  'rewrap-store/secret-without-note-is-replaced': storageCase({
    rule: 'replaceSecret of a secret whose note is destroyed replaces kid and head only; no note comes back.',
    async check(store, make) {
      const { secret } = await addLink(store, make)
      await destroyNote(store, secret)
      const to = { ...keysUnder(make, kids.spare), wrappedKey: undefined }
      same(expectOk(await store.rewraps.replaceSecret({ secret, wrappedKey: undefined }, to)), true)
      const replaced = { ...secret, kid: to.kid, headCiphertext: to.headCiphertext }
      same(await secretOf(store, secret.accountId, secret.id), replaced)
      same(await recordWithNote(store, secret.link.lookup), undefined)
    },
  }),
  'rewrap-store/destroyed-note-stays-destroyed': storageCase({
    rule: 'replaceSecret answers Ok(false) when the note was destroyed since the secret was read; the note does not come back.',
    async check(store, make) {
      const { secret, note } = await addLink(store, make)
      await destroyNote(store, secret)
      same(
        expectOk(
          await store.rewraps.replaceSecret(
            { secret, wrappedKey: note.wrappedKey },
            keysUnder(make, kids.spare),
          ),
        ),
        false,
      )
      same(await recordWithNote(store, secret.link.lookup), undefined)
      same(await secretOf(store, secret.accountId, secret.id), secret)
    },
  }),
  'rewrap-store/share-or-replacement-wins': storageCase({
    rule: 'Of a share and a replacement of one draft at the same time exactly one succeeds; the other one answers Ok(false).',
    async check(store, make) {
      for (let round = 0; round < 8; round += 1) {
        const { draft, note } = await addDraft(store, make)
        const [link, sharedKeys, to] = [
          make.link(),
          keysUnder(make, kids.writable),
          keysUnder(make, kids.spare),
        ]
        const share = () =>
          store.drafts.share({ ...draft, expectedHeadCiphertext: draft.headCiphertext }, link, sharedKeys)
        const isShareFirst = round % 2 === 0
        const first = isShareFirst ? share() : undefined
        const replacing = store.rewraps.replaceSecret({ secret: draft, wrappedKey: note.wrappedKey }, to)
        const [shared, replaced] = (await Promise.all([first ?? share(), replacing])).map((result) =>
          expectOk(result),
        )
        same(shared, !replaced, 'whether the share succeeded, and whether the replacement did not')
        const stored = await secretOf(store, draft.accountId, draft.id)
        const expected: StoredSecret = shared
          ? { ...draft, link, kid: sharedKeys.kid, headCiphertext: sharedKeys.headCiphertext }
          : { ...draft, kid: to.kid, headCiphertext: to.headCiphertext }
        same(stored, expected, 'the row of the one that succeeded')
      }
    },
  }),
  'rewrap-store/replacement-undoes-no-update': storageCase({
    rule: 'Opens that are claimed at the same time as a replacement stay counted, and a note that is destroyed stays destroyed.',
    async check(store, make) {
      for (let round = 0; round < 6; round += 1) {
        const { secret, note } = await addLink(store, make)
        const { lookup } = secret.link
        const claim = async () =>
          expectOk(
            await store.links.update(lookup, undefined, ({ state }) =>
              ok({ opens: state.opens + 1, destroyNote: state.opens === 3 }),
            ),
          )
        const replace = async () =>
          expectOk(
            await store.rewraps.replaceSecret(
              { secret, wrappedKey: note.wrappedKey },
              keysUnder(make, kids.spare),
            ),
          )
        const calls: (() => Promise<unknown>)[] = [claim, claim, claim, claim]
        calls.splice(round % 5, 0, replace)
        await Promise.all(calls.map((call) => call()))
        same((await linkRecordOf(store, lookup))?.state.opens, 4, 'the opens that are stored')
        same(await recordWithNote(store, lookup), undefined)
      }
    },
  }),
  'rewrap-store/secrets-are-replaced-durably': durableCase({
    rule: 'Secrets that were replaced are so after reopening.',
    async act(store, make) {
      const { secret, note } = await addLink(store, make)
      const from = { secret, wrappedKey: note.wrappedKey }
      same(expectOk(await store.rewraps.replaceSecret(from, keysUnder(make, kids.spare))), true)
      return (each) => [recordWithNote(each, secret.link.lookup)]
    },
  }),
})

/** Cases of `secrets` and `replaceSecret`. */
export const rewrapSecretCases: readonly StorageCase[] = [...aloneCases, ...togetherCases]

function keysUnder(make: Samples, kid: number): EncryptedSecret & { readonly wrappedKey: Ciphertext } {
  return { kid, headCiphertext: make.ciphertext(), wrappedKey: make.ciphertext() }
}

/** The ids of the secrets that are not under the spare key, read in pages. */
async function idsOfSecrets({ rewraps }: StorageUnderTest, limit: number): Promise<readonly Uuid[]> {
  const idOf = ({ secret }: StoredWrappedKey) => secret.id
  const secrets = await readAll((after, size) => rewraps.secrets(kids.spare, after, size), idOf, limit)
  return secrets.map(idOf)
}
