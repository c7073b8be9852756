import type { StorageHarness } from '@sotto/test-kit'
import { err, ok, okAsync } from 'neverthrow'
import { brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const drafts = brokenStore('drafts')

/** Flaws of replacing drafts. */
export const brokenDraftReplacements: readonly Broken<StorageHarness>[] = [
  drafts('keeps the old note', ['draft-store/replace-changes-the-whole-draft'], (store, { secrets }) => ({
    replace: (head, draft, note) => store.replace(head, draft, secrets.get(draft.id)?.note ?? note),
  })),
  drafts(
    'keeps the folder',
    [
      'draft-store/replace-changes-the-whole-draft',
      'draft-store/replaced-draft-counts-in-its-new-folder',
      'draft-store/replace-needs-a-folder-of-the-account',
    ],
    (store, { secrets }) => ({
      replace: (head, draft, note) =>
        store.replace(
          head,
          { ...draft, folderId: secrets.get(draft.id)?.secret.folderId ?? draft.folderId },
          note,
        ),
    }),
  ),
  drafts('replaces all notes', ['draft-store/replace-changes-the-whole-draft'], (store, { secrets }) => ({
    replace: (head, draft, note) =>
      store.replace(head, draft, note).map((done) => {
        for (const [id, row] of secrets) secrets.set(id, { ...row, note })
        return done
      }),
  })),
  drafts(
    'compares no head',
    ['draft-store/replace-of-another-head-is-false', 'draft-store/one-of-parallel-replacements-wins'],
    (store, { secrets }) => ({
      replace: (head, draft, note) => store.replace(secrets.get(draft.id)?.secret.head ?? head, draft, note),
    }),
  ),
  drafts(
    'compares the length of the head',
    ['draft-store/replace-of-another-head-is-false'],
    (store, { secrets }) => ({
      replace(head, draft, note) {
        const stored = secrets.get(draft.id)?.secret.head
        return store.replace(stored?.length === head.length ? stored : head, draft, note)
      },
    }),
  ),
  drafts('replaces shared secrets', ['draft-store/replace-of-none-is-an-error'], (store, { secrets }) => ({
    replace(head, draft, note) {
      const row = secrets.get(draft.id)
      if (row?.secret.link === undefined) return store.replace(head, draft, note)
      secrets.set(draft.id, { ...row, secret: draft, note })
      return okAsync(true)
    },
  })),
  drafts(
    'replaces although it refuses',
    [
      'draft-store/replace-needs-a-folder-of-the-account',
      'draft-store/replace-under-a-retired-key-is-refused',
    ],
    (store, { secrets }) => ({
      replace: (head, draft, note) =>
        store.replace(head, draft, note).mapErr((error) => {
          const row = secrets.get(draft.id)
          if (row) secrets.set(draft.id, { ...row, secret: draft, note })
          return error
        }),
    }),
  ),
  drafts(
    'compares, then replaces',
    [
      'draft-store/one-of-parallel-replacements-wins',
      'draft-store/one-of-replacements-from-two-storages-wins',
      'draft-store/replace-or-share-wins',
    ],
    (_, { secrets }) => ({
      replace: (head, draft, note) =>
        slowly(async () => {
          const row = secrets.get(draft.id)
          if (row === undefined || row.secret.link) return err({ code: 'draft_not_found' as const })
          if (!sameBytes(row.secret.head, head)) return ok(false)
          await pause()
          secrets.set(draft.id, { ...row, secret: draft, note })
          return ok(true)
        }),
    }),
  ),
]
