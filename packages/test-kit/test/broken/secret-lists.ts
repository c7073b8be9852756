import { isExpired, type LinkRecord, type StoredNote } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { okAsync } from 'neverthrow'
import { brokenStorage, type Broken } from './broken.ts'

/** Faults of `slice` and `eraseExpired`. */
export const brokenSecretLists: readonly Broken<StorageHarness>[] = [
  brokenStorage('lists the earliest first', ['secret-store/slice-is-in-order'], ({ secrets }) => ({
    secrets: { ...secrets, slice: (...asked) => secrets.slice(...asked).map((rows) => rows.toReversed()) },
  })),
  brokenStorage("lists by the secret's creation", ['secret-store/slice-is-in-order'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      slice: (...asked) =>
        secrets
          .slice(...asked)
          .map((rows) => rows.toSorted((one, other) => other.createdAtMicros - one.createdAtMicros)),
    },
  })),
  brokenStorage('goes on by time alone', ['secret-store/slice-is-in-order'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      slice: (accountId, nowMicros, after, limit) =>
        secrets.slice(accountId, nowMicros, after && { ...after, id: '!' }, limit),
    },
  })),
  brokenStorage(
    'lists secrets at their expiry still',
    ['secret-store/slice-ends-at-the-expiry'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        slice: (accountId, nowMicros, after, limit) => secrets.slice(accountId, nowMicros - 1, after, limit),
      },
    }),
  ),
  brokenStorage(
    'erases what a list leaves out',
    ['secret-store/slice-ends-at-the-expiry'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        slice(accountId, nowMicros, after, limit) {
          return secrets
            .eraseExpired(nowMicros, 100)
            .andThen(() => secrets.slice(accountId, nowMicros, after, limit))
        },
      },
    }),
  ),
  brokenStorage(
    'cuts the list before it leaves rows out',
    ['secret-store/slice-cuts-what-is-listed'],
    (storage) => ({
      secrets: {
        ...storage.secrets,
        slice(accountId, nowMicros, after, limit) {
          const rows = new Set([...storage.data.secrets.keys()].slice(0, limit))
          return storage.secrets
            .slice(accountId, nowMicros, after, limit)
            .map((listed) => listed.filter(({ id }) => rows.has(id)))
        },
      },
    }),
  ),
  brokenStorage('lists one folder only', ['secret-store/slice-shows-all-folders'], ({ secrets }) => ({
    secrets: {
      ...secrets,
      slice: (...asked) =>
        secrets.slice(...asked).map((rows) => rows.filter(({ folderId }) => folderId === rows[0]?.folderId)),
    },
  })),
  brokenStorage(
    "lists other accounts' secrets",
    ['secret-store/slice-shows-own-secrets-only'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        slice(accountId, ...asked) {
          const owner = data.secrets.values().next().value?.secret.accountId
          return secrets.slice(owner ?? accountId, ...asked)
        },
      },
    }),
  ),
  brokenStorage(
    'erases what expired before the moment only',
    ['secret-store/erase-takes-the-expired-of-all-accounts'],
    ({ secrets }) => ({
      secrets: { ...secrets, eraseExpired: (byMicros, limit) => secrets.eraseExpired(byMicros - 1, limit) },
    }),
  ),
  brokenStorage(
    'erases drafts too',
    ['secret-store/erase-takes-the-expired-of-all-accounts'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        eraseExpired(byMicros, limit) {
          for (const [id, { secret }] of data.secrets) if (secret.link === undefined) data.secrets.delete(id)
          return secrets.eraseExpired(byMicros, limit)
        },
      },
    }),
  ),
  brokenStorage(
    'erases the secrets of one account only',
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
    secrets: { ...secrets, eraseExpired: (byMicros) => secrets.eraseExpired(byMicros, 1_000) },
  })),
  brokenStorage(
    'always says that more is left',
    ['secret-store/erase-stops-at-the-limit'],
    ({ secrets }) => ({
      secrets: {
        ...secrets,
        eraseExpired: (byMicros, limit) => secrets.eraseExpired(byMicros, limit).map(() => limit),
      },
    }),
  ),
  brokenStorage('erases every note', ['secret-store/erase-takes-note-and-link'], ({ secrets, data }) => ({
    secrets: {
      ...secrets,
      eraseExpired(byMicros, limit) {
        for (const [id, row] of data.secrets) data.secrets.set(id, { ...row, note: undefined })
        return secrets.eraseExpired(byMicros, limit)
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
          eraseExpired(byMicros, limit) {
            for (const { secret, note, opens, attempts } of storage.data.secrets.values()) {
              const { link } = secret
              const state = { opens, attempts, hasNote: true, formUsed: false }
              if (link && note) erased.push({ secret: { ...secret, link }, state, note })
            }
            return storage.secrets.eraseExpired(byMicros, limit)
          },
        },
        links: {
          ...storage.links,
          findWithNote: (lookup) =>
            storage.links
              .findWithNote(lookup)
              .map(
                (found) =>
                  found ?? erased.find(({ secret }) => Buffer.compare(secret.link.lookup, lookup) === 0),
              ),
        },
      }
    },
  ),
]
