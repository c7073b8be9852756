import { isExpired, secretLifetimeMicros, type LinkRecord, type StoredNote } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, type Broken } from './broken.ts'

const secrets = brokenStore('secrets')

/** Flaws of `page` and `eraseExpired`. */
export const brokenSecretPages: readonly Broken<StorageHarness>[] = [
  brokenStorage('lists the earliest first', ['secret-store/page-is-in-order'], ({ secrets }) => ({
    secrets: { ...secrets, page: (...asked) => secrets.page(...asked).map((rows) => rows.toReversed()) },
  })),
  brokenStorage("lists by the secret's creation", ['secret-store/page-is-in-order'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      page: (...asked) =>
        secrets
          .page(...asked)
          .map((rows) => rows.toSorted((one, other) => other.createdAtMicros - one.createdAtMicros)),
    },
  })),
  brokenStorage('compares only the time of a cursor', ['secret-store/page-is-in-order'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      page: (filter, after, limit) => secrets.page(filter, after && { ...after, id: '!' }, limit),
    },
  })),
  brokenStorage(
    'still lists secrets at their expiry',
    ['secret-store/page-ends-at-the-expiry'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (filter, after, limit) =>
          secrets.page({ ...filter, nowMicros: filter.nowMicros - 1 }, after, limit),
      },
    }),
  ),
  brokenStorage(
    'erases expired secrets when it lists',
    ['secret-store/page-ends-at-the-expiry'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (filter, after, limit) =>
          secrets
            .eraseExpired(filter.nowMicros, 100, neverReported)
            .andThen(() => secrets.page(filter, after, limit)),
      },
    }),
  ),
  brokenStorage(
    'applies the limit before the filter',
    ['secret-store/page-limit-counts-listed-secrets'],
    (storage) => ({
      secrets: {
        ...storage.secrets,
        page(filter, after, limit) {
          const rows = new Set([...storage.data.secrets.keys()].slice(0, limit))
          return storage.secrets
            .page(filter, after, limit)
            .map((listed) => listed.filter(({ id }) => rows.has(id)))
        },
      },
    }),
  ),
  secrets('lists by the expiry', ['secret-store/page-order-ignores-the-expiry'], (store) => ({
    page: (...asked) =>
      store
        .page(...asked)
        .map((rows) => rows.toSorted((one, other) => other.link.expiresAtMicros - one.link.expiresAtMicros)),
  })),
  secrets(
    'takes 30 days for the lifetime of every secret',
    ['secret-store/page-ends-at-the-expiry'],
    (store) => ({
      page: (filter, after, limit) =>
        store
          .page({ ...filter, nowMicros: 0 }, after, limit)
          .map((rows) =>
            rows.filter(({ link }) => link.createdAtMicros + secretLifetimeMicros > filter.nowMicros),
          ),
    }),
  ),
  secrets(
    'ignores the folder',
    ['secret-store/page-of-one-folder', 'secret-store/page-of-no-folder-of-the-account'],
    (store) => ({ page: (filter, ...rest) => store.page({ ...filter, folderId: undefined }, ...rest) }),
  ),
  secrets('applies the limit before the folder', ['secret-store/page-of-one-folder'], (store) => ({
    page: ({ folderId, ...filter }, after, limit) =>
      store
        .page(filter, after, limit)
        .map((rows) => rows.filter((row) => folderId === undefined || row.folderId === folderId)),
  })),
  secrets(
    "lists another account's folder",
    ['secret-store/page-of-no-folder-of-the-account'],
    (store, data) => ({
      page: (filter, ...rest) =>
        store.page(
          { ...filter, accountId: data.folders.get(filter.folderId ?? '')?.accountId ?? filter.accountId },
          ...rest,
        ),
    }),
  ),
  brokenStorage(
    'lists only the folder of the first secret',
    ['secret-store/page-shows-all-folders'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        page: (...asked) =>
          secrets.page(...asked).map((rows) => rows.filter(({ folderId }) => folderId === rows[0]?.folderId)),
      },
    }),
  ),
  brokenStorage(
    "lists other accounts' secrets",
    ['secret-store/page-shows-own-secrets-only'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        page(filter, ...asked) {
          const owner = data.secrets.values().next().value?.secret.accountId
          return secrets.page({ ...filter, accountId: owner ?? filter.accountId }, ...asked)
        },
      },
    }),
  ),
  brokenStorage(
    'does not erase what expires at the given time',
    ['secret-store/erase-takes-the-expired-of-all-accounts'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        eraseExpired: (byMicros, ...asked) => secrets.eraseExpired(byMicros - 1, ...asked),
      },
    }),
  ),
  secrets('erases by the creation', ['secret-store/erase-takes-the-expired-of-all-accounts'], (_, data) => ({
    eraseExpired(byMicros, limit) {
      const old = [...data.secrets.values()].filter(
        ({ secret: { link } }) => link && link.createdAtMicros + secretLifetimeMicros <= byMicros,
      )
      for (const { secret } of old.slice(0, limit)) data.secrets.delete(secret.id)
      return okAsync(Math.min(old.length, limit))
    },
  })),
  brokenStorage('erases drafts too', ['secret-store/erase-leaves-drafts'], ({ secrets, data }) => ({
    secrets: {
      ...secrets,
      eraseExpired(byMicros, limit, report) {
        for (const [id, { secret }] of data.secrets) if (secret.link === undefined) data.secrets.delete(id)
        return secrets.eraseExpired(byMicros, limit, report)
      },
    },
  })),
  brokenStorage(
    'erases only the secrets of one account',
    ['secret-store/erase-takes-the-expired-of-all-accounts'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        eraseExpired(byMicros, limit) {
          const first = data.accounts.keys().next().value
          const own = [...data.secrets.values()].filter(({ secret }) => secret.accountId === first)
          const expired = own.filter(
            ({ secret: { link } }) => link && isExpired(link.expiresAtMicros, byMicros),
          )
          for (const { secret } of expired.slice(0, limit)) data.secrets.delete(secret.id)
          return okAsync(Math.min(expired.length, limit))
        },
      },
    }),
  ),
  brokenStorage('erases without limit', ['secret-store/erase-stops-at-the-limit'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      eraseExpired: (byMicros, _, report) => secrets.eraseExpired(byMicros, 1_000, report),
    },
  })),
  brokenStorage('always answers the limit', ['secret-store/erase-stops-at-the-limit'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      eraseExpired: (byMicros, limit, report) =>
        secrets.eraseExpired(byMicros, limit, report).map(() => limit),
    },
  })),
  brokenStorage('erases every note', ['secret-store/erase-takes-note-and-link'], ({ secrets, data }) => ({
    secrets: {
      ...secrets,
      eraseExpired(byMicros, limit, report) {
        for (const [id, row] of data.secrets) data.secrets.set(id, { ...row, note: undefined })
        return secrets.eraseExpired(byMicros, limit, report)
      },
    },
  })),
  brokenStorage(
    'leaves the links of erased secrets',
    ['secret-store/erase-takes-note-and-link'],
    (storage) => {
      const erased: (LinkRecord & { note: StoredNote })[] = []
      return {
        secrets: {
          ...storage.secrets,
          eraseExpired(byMicros, limit, report) {
            for (const { secret, note, opens, attempts } of storage.data.secrets.values()) {
              const { link } = secret
              const state = { opens, attempts, hasNote: true, formUsed: false }
              if (link && note) erased.push({ secret: { ...secret, link }, state, note })
            }
            return storage.secrets.eraseExpired(byMicros, limit, report)
          },
        },
        links: {
          ...storage.links,
          findWithNote: (lookup, query) =>
            storage.links
              .findWithNote(lookup, query)
              .map(
                (found) =>
                  found ?? erased.find(({ secret }) => Buffer.compare(secret.link.lookup, lookup) === 0),
              ),
        },
      }
    },
  ),
]

function neverReported(): never {
  throw new Error('no secret of these cases has notify')
}
