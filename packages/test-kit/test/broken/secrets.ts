import type { Ciphertext, StoredNote, StoredSecret, StoredShareableSecret } from '@sotto/core'
import type { StorageHarness } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { brokenStorage, brokenStore, type Broken } from './broken.ts'

const secrets = brokenStore('secrets')

/** Flaws of `insert` and `find`. */
export const brokenSecrets: readonly Broken<StorageHarness>[] = [
  inserting('loses notify', ['secret-store/insert-is-found-again'], (secret) => ({
    ...secret,
    notify: false,
  })),
  inserting('loses the open limit of drafts', ['secret-store/draft-is-found-again'], (secret) =>
    secret.link ? secret : { ...secret, openLimit: undefined },
  ),
  inserting('stores only 1 MiB of a head', ['secret-store/heads-are-stored-to-the-byte'], (secret) => ({
    ...secret,
    head: secret.head.slice(0, 1_048_576) as Ciphertext,
  })),
  inserting('stores ciphertexts as text', ['secret-store/heads-are-stored-to-the-byte'], (secret) => ({
    ...secret,
    head: new TextEncoder().encode(new TextDecoder().decode(secret.head)) as Ciphertext,
  })),
  inserting('stores 0 for no open limit', ['secret-store/open-limit-is-optional'], (secret) => ({
    ...secret,
    openLimit: secret.openLimit ?? 0,
  })),
  inserting('stores open limits in 8 bits', ['secret-store/open-limit-is-optional'], (secret) => ({
    ...secret,
    openLimit: secret.openLimit === undefined ? undefined : secret.openLimit & 255,
  })),
  ...noting(),
  inserting('stores numbers in 32 bits', ['secret-store/numbers-are-stored-exactly'], (secret) => ({
    ...secret,
    createdAtMicros: secret.createdAtMicros >>> 0,
  })),
  brokenStorage(
    'inserts into any folder',
    ['secret-store/folder-must-be-the-accounts', 'secret-store/parallel-inserts-are-answered-each'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        insert(secret, note) {
          const folder = data.folders.get(secret.folderId)
          const label = { kid: 101, ciphertext: secret.head }
          data.folders.set(secret.folderId, {
            ...(folder ?? { ...secret, label, id: secret.folderId }),
            accountId: secret.accountId,
          })
          return secrets.insert(secret, note)
        },
      },
    }),
  ),
  brokenStorage(
    'inserts what it refuses',
    ['secret-store/folder-must-be-the-accounts', 'secret-store/retired-key-is-refused'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        insert: (secret, note) =>
          secrets.insert(secret, note).mapErr((error) => {
            const attempts = { underWay: [], wrongAtMicros: [], wrongTotal: 0, lockedUntilMicros: undefined }
            data.secrets.set(secret.id, {
              secret,
              note,
              opens: 0,
              attempts,
              openedAtMicros: [],
              forms: new Set(),
            })
            return error
          }),
      },
    }),
  ),
  brokenStorage(
    'replaces a secret of the same id',
    ['secret-store/insert-is-all-or-nothing', 'secret-store/id-and-lookup-belong-to-one-secret'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        insert(secret, note) {
          data.secrets.delete(secret.id)
          return secrets.insert(secret, note)
        },
      },
    }),
  ),
  brokenStorage(
    'writes a note before its secret is refused',
    ['secret-store/insert-is-all-or-nothing'],
    (storage) => ({
      secrets: {
        ...storage.secrets,
        insert(secret, note) {
          const row = storage.data.secrets.get(secret.id)
          if (row) storage.data.secrets.set(secret.id, { ...row, note })
          return storage.secrets.insert(secret, note)
        },
      },
    }),
  ),
  brokenStorage(
    'refuses everything after the first refusal',
    ['secret-store/parallel-inserts-are-answered-each'],
    ({ secrets, data }) => {
      let failed = false
      return {
        secrets: {
          ...secrets,
          insert(secret, note) {
            failed ||= !data.folders.has(secret.folderId)
            return failed ? errAsync({ code: 'folder_not_found' }) : secrets.insert(secret, note)
          },
        },
      }
    },
  ),
  secrets(
    'finds a secret in the microsecond of its expiry',
    ['secret-store/find-knows-only-live-secrets'],
    (store) => ({
      find: (accountId, id, nowMicros) => store.find(accountId, id, nowMicros - 1),
    }),
  ),
  secrets('finds drafts', ['secret-store/find-knows-only-live-secrets'], (store, data) => ({
    find: (accountId, id, nowMicros) =>
      store
        .find(accountId, id, nowMicros)
        .map((found) => found ?? (data.secrets.get(id)?.secret as StoredShareableSecret | undefined)),
  })),
  brokenStorage(
    "finds other accounts' secrets",
    ['secret-store/find-of-none-is-undefined'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        find: (_, id) => okAsync(data.secrets.get(id)?.secret as StoredShareableSecret | undefined),
      },
    }),
  ),
]

/** Storages that store something else than a note. */
function noting(): readonly Broken<StorageHarness>[] {
  const storing = (flaw: string, breaks: readonly string[], stored: (note: StoredNote) => StoredNote) =>
    secrets(flaw, breaks, (store) => ({ insert: (secret, note) => store.insert(secret, stored(note)) }))
  const text = (bytes: Uint8Array) => new TextEncoder().encode(new TextDecoder().decode(bytes)) as Ciphertext
  return [
    storing('swaps note and wrap', ['secret-store/note-is-found-by-its-link'], ({ note, wrap }) => ({
      note: wrap,
      wrap: note,
    })),
    storing('stores notes as text', ['secret-store/notes-are-stored-to-the-byte'], ({ note, wrap }) => ({
      note: text(note),
      wrap,
    })),
    storing(
      'stores only 1 MiB of a wrap',
      ['secret-store/notes-are-stored-to-the-byte'],
      ({ note, wrap }) => ({
        note,
        wrap: wrap.slice(0, 1_048_576) as Ciphertext,
      }),
    ),
  ]
}

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
