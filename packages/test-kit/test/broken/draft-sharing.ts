import { noAttempts, type StoredLink } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { err, errAsync, ok } from 'neverthrow'
import { drafts } from './drafts.ts'
import { brokenStorage, pause, slowly, type Broken } from './broken.ts'

export const brokenDraftSharing: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'keeps the kid of the draft',
    ['draft-store/share-sets-link-and-keys'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share: (draft, link, keys) =>
          store.share(draft, link, { ...keys, kid: data.secrets.get(draft.id)?.secret.kid ?? keys.kid }),
      },
    }),
  ),
  brokenStorage(
    'keeps the wrap of the draft',
    ['draft-store/share-sets-link-and-keys'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share: (draft, link, keys) =>
          store.share(draft, link, { ...keys, wrap: data.secrets.get(draft.id)?.note?.wrap ?? keys.wrap }),
      },
    }),
  ),
  brokenStorage(
    'counts sharing as an open',
    ['draft-store/shared-link-starts-fresh'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share(draft, link, keys) {
          const row = data.secrets.get(draft.id)
          if (row) data.secrets.set(draft.id, { ...row, opens: 1 })
          return store.share(draft, link, keys)
        },
      },
    }),
  ),
  brokenStorage(
    'shares whatever the head is',
    ['draft-store/share-of-another-head-is-false'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share: (draft, link, keys) =>
          store.share(
            { ...draft, expectedHead: data.secrets.get(draft.id)?.secret.head ?? draft.expectedHead },
            link,
            keys,
          ),
      },
    }),
  ),
  brokenStorage(
    'compares only the length of the head',
    ['draft-store/share-of-another-head-is-false'],
    (storage) => ({
      drafts: {
        ...storage.drafts,
        share(draft, link, keys) {
          const head = storage.data.secrets.get(draft.id)?.secret.head ?? draft.expectedHead
          const expectedHead = head.length === draft.expectedHead.length ? head : draft.expectedHead
          return storage.drafts.share({ ...draft, expectedHead }, link, keys)
        },
      },
    }),
  ),
  drafts('answers false when there is no draft', ['draft-store/share-of-none-is-an-error'], (store) => ({
    share: (...asked) =>
      store.share(...asked).orElse((error) => (error.code === 'draft_not_found' ? ok(false) : err(error))),
  })),
  drafts(
    'answers draft_not_found for another head',
    ['draft-store/share-of-another-head-is-false'],
    (store) => ({
      share: (...asked) =>
        store
          .share(...asked)
          .andThen((done) => (done ? ok(true) : err({ code: 'draft_not_found' as const }))),
    }),
  ),
  brokenStorage(
    'shares under any key',
    ['draft-store/share-under-a-retired-key-is-refused'],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share(draft, link, keys) {
          data.keys.set(keys.kid, { kid: keys.kid, checkValue: new Uint8Array(1), createdAtMicros: 0 })
          return store.share(draft, link, keys)
        },
      },
    }),
  ),
  brokenStorage(
    'reads the draft, then shares it',
    [
      'draft-store/one-of-parallel-shares-wins',
      'draft-store/share-or-erase-wins',
      'rewrap-store/share-or-replacement-wins',
    ],
    ({ drafts: store, data }) => ({
      drafts: {
        ...store,
        share: ({ accountId, id, expectedHead }, link: StoredLink, { kid, head, wrap }) =>
          slowly(async () => {
            const found = await store.find(accountId, id)
            if (found.isErr()) return err(found.error)
            if (found.value === undefined) return err({ code: 'draft_not_found' })
            if (Buffer.compare(found.value.secret.head, expectedHead) !== 0) return ok(false)
            await pause()
            const row = { opens: 0, attempts: noAttempts, openedAtMicros: [], forms: new Set<string>() }
            const { secret, note } = found.value
            data.secrets.set(id, { ...row, secret: { ...secret, link, kid, head }, note: { ...note, wrap } })
            return ok(true)
          }),
      },
    }),
  ),
  drafts(
    'is busy when two drafts are shared at the same time',
    ['draft-store/one-of-parallel-shares-wins'],
    (store) => {
      let busy = false
      return {
        share(...asked) {
          if (busy) return errAsync({ code: 'storage_unavailable', reason: 'busy' })
          busy = true
          return slowly(async () => {
            await pause()
            busy = false
            return store.share(...asked)
          })
        },
      }
    },
  ),
]
