import type { StoredSecret } from '@sotto/core'
import { ok } from 'neverthrow'
import { addFullAccount } from '../accounts/account-rows.ts'
import { expectOk } from '../contract/expect.ts'
import { same } from '../contract/compare.ts'
import { kids, storageCase, together, type StorageCase } from '../stores/harness.ts'
import { allBut, neededStoresCase } from '../stores/needed-stores.ts'
import { onlyWinner } from '../stores/races.ts'
import {
  addDraft,
  addLink,
  linkRecordOf,
  recordWithNote,
  secretOf,
  secretUnder,
  under,
} from '../stores/rows.ts'

/** What histories do not show of the store of rewraps: callers at the same time. */
export const rewrapCases: readonly StorageCase[] = [
  neededStoresCase('rewrap-store', 'rewraps', allBut('rewraps', 'corruption')),
  ...together({
    'rewrap-store/one-of-parallel-replacements-wins': storageCase({
      rule: 'Of several replacements of one text at the same time exactly one succeeds, and its text is stored.',
      async check(store, make) {
        const { textIn } = await addFullAccount(store, make)
        const winner = await onlyWinner({
          stores: [store, store],
          makeRival: () => under(make, kids.spare),
          run: ({ rewraps }, to) => rewraps.replaceText(textIn('folder.label'), to, undefined),
        })
        const stored = expectOk(await store.rewraps.texts('folder.label', kids.writable, undefined, 10))
        same(
          stored.map(({ encrypted }) => encrypted),
          [winner],
        )
      },
    }),
    'rewrap-store/share-or-replacement-wins': storageCase({
      rule: 'Of a share and a replacement of one draft at the same time exactly one succeeds; the other one answers Ok(false).',
      async check(store, make) {
        for (let round = 0; round < 8; round += 1) {
          const { draft, note } = await addDraft(store, make)
          const [link, sharedKeys, to] = [
            make.link(),
            secretUnder(make, kids.writable),
            secretUnder(make, kids.spare),
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
                secretUnder(make, kids.spare),
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
  }),
]
