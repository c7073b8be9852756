import { noAttempts, openTimesMax, type LinkChange, type LinkRecord, type SecretActivity } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync, type Result } from 'neverthrow'
import { brokenStorage, brokenStore, pause, sameBytes, type Broken } from './broken.ts'

const secrets = brokenStore('secrets')

/** Flaws of activity, open times, and the erasure of one secret. */
export const brokenSecretActivity: readonly Broken<StorageHarness>[] = [
  secrets('gives activity by id', ['secret-store/activity-is-in-the-order-of-the-ids'], (store) => ({
    activity: (accountId, ids) => store.activity(accountId, ids.toSorted()),
  })),
  secrets(
    'gives no activity of the expired',
    ['secret-store/activity-is-in-the-order-of-the-ids'],
    (store, data) => ({
      activity: (accountId, ids) =>
        store.activity(
          accountId,
          ids.filter((id) => (data.secrets.get(id)?.secret.link?.createdAtMicros ?? 0) > 0),
        ),
    }),
  ),
  secrets(
    "gives other accounts' activity",
    ['secret-store/activity-is-in-the-order-of-the-ids'],
    (_, data) => ({
      activity: (_accountId, ids) =>
        okAsync(
          ids.flatMap((id) => {
            const row = data.secrets.get(id)
            return row?.secret.link ? [{ ...row, id, hasNote: row.note !== undefined }] : []
          }),
        ),
    }),
  ),
  ...(
    [
      ['shows no opens', { opens: 0 }],
      ['shows a note that is gone', { hasNote: true }],
      ['shows no attempts', { attempts: noAttempts }],
      ['shows no open times', { openedAtMicros: [] }],
    ] as const
  ).map(([flaw, seen]) =>
    secrets(flaw, ['secret-store/activity-shows-what-happened'], (store) => ({
      activity: (accountId, ids) =>
        store
          .activity(accountId, ids)
          .map((rows) => rows.map((row): SecretActivity => ({ ...row, ...seen }))),
    })),
  ),
  secrets('sorts open times', ['secret-store/open-times-are-in-the-order-of-the-claims'], (store) => ({
    activity: (accountId, ids) =>
      store
        .activity(accountId, ids)
        .map((rows) => rows.map((row) => ({ ...row, openedAtMicros: row.openedAtMicros.toSorted() }))),
  })),
  brokenStorage(
    'keeps the first open times',
    ['secret-store/the-latest-open-times-remain'],
    ({ links, data }) => ({
      links: {
        ...links,
        update: <Change extends LinkChange, E>(
          lookup: Uint8Array,
          formId: string | undefined,
          decide: (record: LinkRecord) => Result<Change, E>,
        ) => {
          const row = data.secrets
            .values()
            .find(({ secret: { link } }) => link !== undefined && sameBytes(link.lookup, lookup))
          const isFull = (row?.openedAtMicros.length ?? 0) >= openTimesMax
          return links.update(lookup, formId, (record) =>
            decide(record).map((change) => (isFull ? { ...change, openedAtMicros: undefined } : change)),
          )
        },
      },
    }),
  ),
  secrets('erases no expired secret', ['secret-store/erase-takes-one-secret'], (store, data) => ({
    erase: (accountId, id) =>
      data.secrets.get(id)?.secret.link?.createdAtMicros === 0 ? okAsync(false) : store.erase(accountId, id),
  })),
  secrets('erases all secrets', ['secret-store/erase-takes-one-secret'], (store, data) => ({
    erase: (accountId, id) =>
      store.erase(accountId, id).map((done) => {
        data.secrets.clear()
        return done
      }),
  })),
  brokenStorage(
    'hides a secret instead of erasing it',
    ['secret-store/erased-secret-has-no-link', 'secret-store/activity-is-durable'],
    ({ secrets: store, data }) => {
      const hidden = new Set<string>()
      return {
        secrets: {
          ...store,
          find: (accountId, id, nowMicros) =>
            hidden.has(id) ? okAsync(undefined) : store.find(accountId, id, nowMicros),
          erase(_accountId, id) {
            hidden.add(id)
            return okAsync(data.secrets.has(id))
          },
        },
      }
    },
  ),
  secrets('answers before it has erased', ['link-store/no-update-succeeds-after-an-erase'], (_, data) => ({
    erase(_accountId, id) {
      void pause().then(() => data.secrets.delete(id))
      return okAsync(data.secrets.has(id))
    },
  })),
  secrets('erases drafts', ['secret-store/erase-of-none-is-false'], (store, data) => ({
    erase: (accountId, id) =>
      data.secrets.get(id)?.secret.link === undefined
        ? okAsync(data.secrets.delete(id))
        : store.erase(accountId, id),
  })),
  secrets("erases other accounts' secrets", ['secret-store/erase-of-none-is-false'], (store, data) => ({
    erase: (accountId, id) => store.erase(data.secrets.get(id)?.secret.accountId ?? accountId, id),
  })),
]
