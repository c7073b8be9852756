import type { Ciphertext, StoredSecret } from '@sotto/core'
import { noonMicros, type MemoryStorage, type StorageHarness } from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { brokenStorage, type Broken } from './broken.ts'

/** Faults of `insert` and `find`. */
export const brokenSecrets: readonly Broken<StorageHarness>[] = [
  inserting('loses notify', ['secret-store/insert-is-found-again'], (secret) => ({
    ...secret,
    notify: false,
  })),
  inserting('loses the open limit of drafts', ['secret-store/draft-is-found-again'], (secret) =>
    secret.link ? secret : { ...secret, openLimit: 0 },
  ),
  inserting('keeps 1 MiB of a head at most', ['secret-store/ciphertexts-are-kept-to-the-byte'], (secret) => ({
    ...secret,
    head: secret.head.slice(0, 1_048_576) as Ciphertext,
  })),
  inserting('keeps ciphertexts as text', ['secret-store/ciphertexts-are-kept-to-the-byte'], (secret) => ({
    ...secret,
    head: new TextEncoder().encode(new TextDecoder().decode(secret.head)) as Ciphertext,
  })),
  inserting('keeps numbers in 32 bits', ['secret-store/numbers-are-kept-exactly'], (secret) => ({
    ...secret,
    createdAtMicros: secret.createdAtMicros >>> 0,
  })),
  brokenStorage(
    'adds to any folder',
    ['secret-store/folder-has-to-be-the-accounts', 'secret-store/parallel-inserts-are-answered-each'],
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
    'adds what it refuses',
    ['secret-store/folder-has-to-be-the-accounts', 'secret-store/retired-key-is-refused'],
    ({ secrets, data }) => ({
      secrets: {
        ...secrets,
        insert: (secret, note) =>
          secrets.insert(secret, note).mapErr((error) => {
            const attempts = { underWay: [], wrongAtMicros: [], wrongTotal: 0, lockedUntilMicros: undefined }
            data.secrets.set(secret.id, { secret, note, opens: 0, attempts, forms: new Set() })
            return error
          }),
      },
    }),
  ),
  brokenStorage(
    'replaces a secret of the same id',
    ['secret-store/insert-is-all-or-nothing'],
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
    'refuses all after one that is refused',
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
  finding(
    'hides the expired',
    ['secret-store/find-shows-all-states'],
    ({ link }) => link === undefined || link.expiresAtMicros > noonMicros,
  ),
  finding(
    'hides drafts',
    ['secret-store/find-shows-all-states', 'secret-store/draft-is-found-again'],
    ({ link }) => link !== undefined,
  ),
  brokenStorage(
    "finds other accounts' secrets",
    ['secret-store/find-of-none-is-undefined'],
    ({ secrets, data }) => ({
      secrets: { ...secrets, find: (_, id) => okAsync(data.secrets.get(id)?.secret) },
    }),
  ),
]

function inserting(
  fault: string,
  breaks: readonly string[],
  kept: (secret: StoredSecret) => StoredSecret,
): Broken<StorageHarness> {
  return brokenStorage(fault, breaks, ({ secrets }) => ({
    secrets: { ...secrets, insert: (secret, note) => secrets.insert(kept(secret), note) },
  }))
}

function finding(
  fault: string,
  breaks: readonly string[],
  isShown: (secret: StoredSecret) => boolean,
): Broken<StorageHarness> {
  return brokenStorage(fault, breaks, ({ secrets }: MemoryStorage) => ({
    secrets: {
      ...secrets,
      find: (accountId, id) =>
        secrets.find(accountId, id).map((found) => (found && isShown(found) ? found : undefined)),
    },
  }))
}
