import {
  noAttempts,
  storedKeyBytes,
  type AttemptState,
  type DraftNotFound,
  type IdempotencyStore,
  type LinkChange,
  type LinkRecord,
  type StorageError,
  type StoredLink,
  type StoredSecret,
} from '@sotto/core'
import type { MemoryData, StorageHarness } from '@sotto/test-kit'
import { err, errAsync, ok, okAsync, type Result } from 'neverthrow'
import { brokenStorage, brokenStore, pause, sameBytes, slowly, type Broken } from './broken.ts'

const folders = brokenStore('folders')
const secrets = brokenStore('secrets')
const drafts = brokenStore('drafts')
const links = brokenStore('links')

/** Flaws of folders, secrets, drafts and links. */
export const brokenSecrets: readonly Broken<StorageHarness>[] = [
  brokenStorage('lists the latest first', ['folder-store/page-is-in-order'], ({ folders }) => ({
    folders: {
      ...folders,
      page: (...asked) => folders.page(...asked).map((rows) => rows.toReversed()),
    },
  })),
  brokenStorage(
    'still counts secrets at their expiry',
    ['folder-store/counts-secrets-until-they-expire'],
    ({ folders }) => ({
      folders: {
        ...folders,
        page: (accountId, nowMicros, after, limit) => folders.page(accountId, nowMicros - 1, after, limit),
      },
    }),
  ),
  folders('counts expired secrets', ['folder-store/find-gives-the-folder-with-its-counts'], (store) => ({
    find: (accountId, id) => store.find(accountId, id, 0),
  })),
  folders('looks, then erases', ['folder-store/erase-or-insert-wins'], (store, data) => ({
    erase: (accountId, id, nowMicros) =>
      slowly(async () => {
        const found = await store.find(accountId, id, nowMicros)
        await pause()
        return found.isOk() && found.value ? ok(data.folders.delete(id)) : ok(false)
      }),
  })),
  inserting('loses notify', ['secret-store/insert-is-found-again'], (secret) => ({
    ...secret,
    notify: false,
  })),
  secrets('ignores the status', ['secret-store/status-is-that-of-the-rule'], (store) => ({
    overviews: ({ status: _, ...filter }, after, limit) => store.overviews(filter, after, limit),
  })),
  secrets('shows the activity of all', ['secret-store/activity-is-of-own-secrets'], (store, data) => ({
    activity: (_, id) => store.activity(data.secrets.get(id)?.secret.accountId ?? id, id),
  })),
  secrets('answers before it has erased', ['link-store/no-update-succeeds-after-an-erase'], (_, data) => ({
    erase(_accountId, id) {
      void pause().then(() => data.secrets.delete(id))
      return okAsync(data.secrets.has(id))
    },
  })),
  secrets('takes all news', ['secret-store/seen-is-no-news'], (store, data) => ({
    markSeen: (accountId, id) => store.markSeen(accountId, id, data.secrets.get(id)?.news ?? 0),
  })),
  links('takes no open for news', ['secret-store/opens-are-news-for-notify'], (store, data) => ({
    update: (lookup, ...asked) =>
      store.update(lookup, ...asked).map((change) => {
        for (const [id, row] of data.secrets) data.secrets.set(id, { ...row, news: 0 })
        return change
      }),
  })),
  links('takes every open for news', ['secret-store/opens-are-news-for-notify'], (store, data) => ({
    update: (lookup, ...asked) =>
      store.update(lookup, ...asked).map((change) => {
        for (const [id, row] of data.secrets)
          data.secrets.set(id, { ...row, news: row.openedAtMicros.length })
        return change
      }),
  })),
  drafts('counts answers of all accounts', ['request-store/answers-as-the-memory-storage'], (_, data) => ({
    countNewAnswers: () => okAsync([...data.secrets.values()].filter(({ news }) => news > 0).length),
  })),
  drafts(
    'lists answers until they are deleted',
    ['request-store/answers-as-the-memory-storage'],
    (_, data) => ({
      answers: ({ accountId }) =>
        okAsync(
          [...data.secrets.values()].flatMap(({ secret, note, requestId, news }) =>
            note === undefined || requestId === undefined || secret.accountId !== accountId
              ? []
              : [{ secret, note, answers: { requestId, isNew: news > 0 } }],
          ),
        ),
    }),
  ),
  drafts(
    'lists drafts without what they answer',
    ['request-store/answers-as-the-memory-storage'],
    (store) => ({
      page: (...asked) => store.page(...asked).map((found) => found.map(({ answers: _, ...each }) => each)),
    }),
  ),
  drafts('lists the oldest answers first', ['request-store/answers-as-the-memory-storage'], (store) => ({
    answers: (...asked) => store.answers(...asked).map((rows) => rows.toReversed()),
  })),
  drafts(
    'forgets which request was answered',
    ['request-store/answers-as-the-memory-storage'],
    (store, data) => ({
      replace: (head, draft, ...more) =>
        store.replace(head, draft, ...more).map((done) => {
          const row = data.secrets.get(draft.id)
          if (row !== undefined) {
            const { requestId: _, ...kept } = row
            data.secrets.set(draft.id, kept)
          }
          return done
        }),
    }),
  ),
  brokenStorage('lists the earliest first', ['secret-store/page-is-in-order'], ({ secrets }) => ({
    secrets: { ...secrets, page: (...asked) => secrets.page(...asked).map((rows) => rows.toReversed()) },
  })),
  brokenStorage('erases without limit', ['secret-store/erase-stops-at-the-limit'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      eraseExpired: (byMicros, _, report) => secrets.eraseExpired(byMicros, 1_000, report),
    },
  })),
  secrets('erases, then reports', ['secret-store/erase-reports-each-secret-once'], (store, data) => ({
    eraseExpired: (byMicros, limit, report) =>
      slowly(async () => {
        const before = [...data.secrets.values()]
        const erased = await store.eraseExpired(byMicros, limit, report)
        await pause()
        for (const { secret } of before) {
          const { link } = secret
          if (!link || data.secrets.has(secret.id)) continue
          const event = report({ ...secret, link })
          data.outbox.set(event.id, event)
        }
        return erased
      }),
  })),
  drafts('answers true without erasing', ['draft-store/erase-removes-draft-and-note'], () => ({
    erase: () => okAsync(true),
  })),
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
        share: (
          { accountId, id, expectedHeadCiphertext },
          link: StoredLink,
          { kid, headCiphertext, wrappedKey },
        ) =>
          slowly(async () => {
            const found = await store.find(accountId, id)
            if (found.isErr()) return err(found.error)
            if (found.value === undefined) return err({ code: 'draft_not_found' })
            if (Buffer.compare(found.value.secret.headCiphertext, expectedHeadCiphertext) !== 0)
              return ok(false)
            await pause()
            const fresh = { opens: 0, attempts: noAttempts, openedAtMicros: [], news: 0 }
            const { secret, note } = found.value
            data.secrets.set(id, {
              ...fresh,
              forms: new Set<string>(),
              secret: { ...secret, link, kid, headCiphertext },
              note: { ...note, wrappedKey },
            })
            return ok(true)
          }),
      },
    }),
  ),
  drafts(
    'reads the attempts, then stores them',
    [
      'draft-store/parallel-attempts-do-not-interleave',
      'draft-store/attempts-from-two-storages-do-not-interleave',
    ],
    (store) => ({
      updateAttempts: <Change extends { readonly attempts: AttemptState }>(
        accountId: string,
        id: string,
        decide: (attempts: AttemptState) => Change,
      ) =>
        slowly<Change, DraftNotFound | StorageError>(async () => {
          const found = await store.find(accountId, id)
          if (found.isErr()) return err(found.error)
          if (found.value === undefined) return err({ code: 'draft_not_found' })
          const change = decide(found.value.attempts)
          await pause()
          return store.updateAttempts(accountId, id, () => change)
        }),
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
          if (!sameBytes(row.secret.headCiphertext, head)) return ok(false)
          await pause()
          secrets.set(draft.id, { ...row, secret: draft, note })
          return ok(true)
        }),
    }),
  ),
  brokenStorage(
    'looks, then inserts',
    ['idempotency-store/one-of-many-is-the-first', 'idempotency-store/one-of-two-storages-is-the-first'],
    ({ idempotencyKeys, secrets, data }) => ({
      idempotencyKeys: {
        ...idempotencyKeys,
        insertSecret: (...given: Given) =>
          slowly(async () => {
            const [secret, note, { digests, forgottenByMicros }] = given
            const keys = digests.map(({ key }) => key)
            const found = await idempotencyKeys.find(secret.accountId, keys, forgottenByMicros)
            await pause()
            if (found.isOk() && found.value !== undefined) return found.map(() => false)
            return secrets.insert(secret, note).map(() => {
              claimAnyway(data, secret, given[2])
              return true
            })
          }),
      },
    }),
  ),
  updating('decides on an old record', ['link-store/update-decides-on-the-record'], (change) => change, {
    seen: (record) => withState(record, { opens: 0 }),
  }),
  updating('remembers no form', ['link-store/form-is-remembered'], (change) => ({
    ...change,
    rememberForm: false,
  })),
  links(
    'mixes up links that are updated at the same time',
    ['link-store/links-do-not-mix-in-parallel'],
    (store) => {
      let latest = new Uint8Array()
      return {
        update: (lookup, formId, decide) =>
          slowly(async () => {
            latest = Uint8Array.from(lookup)
            await pause()
            return store.update(latest, formId, decide)
          }),
      }
    },
  ),
]

/** A storage that stores something else than a secret. */
function inserting(
  flaw: string,
  breaks: readonly string[],
  stored: (secret: StoredSecret) => StoredSecret,
): Broken<StorageHarness> {
  return brokenStorage(flaw, breaks, ({ secrets }) => ({
    secrets: { ...secrets, insert: (secret, note) => secrets.insert(stored(secret), note) },
  }))
}

type Insert = IdempotencyStore['insertSecret']

type Given = Parameters<Insert>

function claimAnyway(data: MemoryData, secret: Given[0], { digests }: Given[2]): void {
  const { accountId, id: secretId, createdAtMicros: claimedAtMicros } = secret
  data.claims = [
    ...data.claims,
    ...digests.map(({ key, request }) => ({
      key: key.slice(0, storedKeyBytes),
      request,
      accountId,
      secretId,
      claimedAtMicros,
    })),
  ]
}

function withState(record: LinkRecord, state: Partial<LinkRecord['state']>): LinkRecord {
  return { ...record, state: { ...record.state, ...state } }
}

/** A store that applies something else than what was decided, and answers as if it had not. */
function updating(
  flaw: string,
  breaks: readonly string[],
  applied: (change: LinkChange, record: LinkRecord) => LinkChange,
  { seen = (record) => record }: { readonly seen?: (record: LinkRecord) => LinkRecord } = {},
): Broken<StorageHarness> {
  return links(flaw, breaks, (store) => ({
    update<Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) {
      let decided: Change | undefined
      return store
        .update(lookup, formId, (record) =>
          decide(seen(record)).map((change) => {
            decided = change
            return applied(change, record)
          }),
        )
        .map((change) => decided ?? (change as Change))
    },
  }))
}
