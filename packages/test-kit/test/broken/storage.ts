import type { Erasure } from '@sotto/core'
import { createMemoryStorage, type StorageHarness } from '@sotto/test-kit'
import { err, ok } from 'neverthrow'
import { brokenStorage, brokenStore, pause, slowly, type Broken } from './broken.ts'
import { memoryStorageHarness } from '../harnesses.ts'

const memory = memoryStorageHarness()
const keys = brokenStore('keys')
const servers = brokenStore('servers')
const rewraps = brokenStore('rewraps')
const corruption = brokenStore('corruption')

/** Flaws of a storage as a whole, of its keys and its upkeep. */
export const brokenStorages: readonly Broken<StorageHarness>[] = [
  {
    flaw: 'supports less than its units do',
    breaks: ['storage/offers-what-it-declares'],
    harness: { ...memory, supports: [] },
  },
  {
    flaw: 'forgets everything when it is closed',
    breaks: [
      'account-store/answers-so-reopened',
      'folder-store/writes-are-durable',
      'secret-store/writes-are-durable',
      'secret-store/notes-are-durable',
      'draft-store/writes-are-durable',
      'draft-store/attempts-are-durable',
      'link-store/updates-are-durable',
      'secret-file-store/written-durably',
      'access-token-store/answers-so-reopened',
      'key-store/answers-so-reopened',
      'server-store/answers-so-reopened',
      'rewrap-store/answers-so-reopened',
      'corruption-store/answers-so-reopened',
      'folder-store/changes-are-durable',
      'secret-store/activity-is-durable',
      'draft-store/replacements-are-durable',
      'session-store/answers-so-reopened',
      'invitation-store/answers-so-reopened',
    ],
    harness: memoryStorageHarness({ reopened: () => createMemoryStorage().data }),
  },
  brokenStorage('writes under any key', ['key-store/answers-as-the-memory-storage'], ({ data }) => {
    // Every key counts as known; the list stays what it was.
    data.keys.has = () => true
    return {}
  }),
  keys('counts the rows, then retires', ['key-store/retire-or-write-wins'], (store, data) => ({
    retire: (kid) =>
      slowly(async () => {
        const listed = await store.list()
        const rows = listed.isOk() ? (listed.value.find((key) => key.kid === kid)?.rows ?? 0) : 0
        await pause()
        return rows > 0 ? err({ code: 'key_in_use' as const, rows }) : ok(data.keys.delete(kid))
      }),
  })),
  keys(
    'adds every key as one that may be written under',
    ['key-store/answers-as-the-memory-storage'],
    (store) => ({
      add: (key) => store.add({ ...key, isReadOnly: false }),
    }),
  ),
  keys('lists other keys than it knows', ['key-store/answers-as-the-memory-storage'], (store) => ({
    known: () => store.known().map((known) => known.slice(0, -1)),
  })),
  keys('leaves the other keys open', ['key-store/answers-as-the-memory-storage'], (_, data) => ({
    activate: (kid) =>
      slowly(async () => {
        const key = data.keys.get(kid)
        if (key !== undefined) data.keys.set(kid, { ...key, isReadOnly: false })
        return ok(key !== undefined)
      }),
  })),
  keys('activates whatever key it is asked for', ['key-store/answers-as-the-memory-storage'], (_, data) => ({
    activate: (kid) =>
      slowly(async () => {
        for (const key of data.keys.values()) data.keys.set(key.kid, { ...key, isReadOnly: key.kid !== kid })
        return ok(true)
      }),
  })),
  keys(
    'does not close the key that rows were written under',
    ['key-store/activation-waits-for-writes'],
    () => ({
      activate: () =>
        slowly(async () => {
          await pause()
          return ok(true)
        }),
    }),
  ),
  servers('adds a row each time', ['server-store/answers-as-the-memory-storage'], (store, data) => ({
    show: (server, forgottenByMicros) =>
      store.show({ ...server, id: `${server.id}${data.servers.size}` }, forgottenByMicros),
  })),
  servers('forgets nobody', ['server-store/answers-as-the-memory-storage'], (store) => ({
    show: (server) => store.show(server, 0),
  })),
  servers('removes nobody', ['server-store/answers-as-the-memory-storage'], () => ({
    remove: () => slowly(async () => ok()),
  })),
  rewraps(
    'compares, then replaces a text',
    ['rewrap-store/one-of-parallel-replacements-wins'],
    (_, { folders }) => ({
      replaceText: ({ place, encrypted }, to) =>
        slowly(async () => {
          const row = folders.get(place.rowId)
          const isSame = row && Buffer.compare(row.label.ciphertext, encrypted.ciphertext) === 0
          await pause()
          if (!row || !isSame) return ok(false)
          folders.set(row.id, { ...row, label: to })
          return ok(true)
        }),
    }),
  ),
  rewraps(
    'compares, then replaces a secret',
    ['rewrap-store/share-or-replacement-wins', 'rewrap-store/replacement-undoes-no-update'],
    (_, { secrets }) => ({
      replaceSecret: (from, { kid, headCiphertext, wrappedKey }) =>
        slowly(async () => {
          const row = secrets.get(from.secret.id)
          const isSame = row && Buffer.compare(row.secret.headCiphertext, from.secret.headCiphertext) === 0
          await pause()
          if (!row || !isSame) return ok(false)
          if (!row.note || !wrappedKey) return err({ code: 'key_retired' as const })
          secrets.set(row.secret.id, {
            ...row,
            secret: { ...row.secret, kid, headCiphertext },
            note: { ...row.note, wrappedKey },
          })
          return ok(true)
        }),
    }),
  ),
  corruption(
    'answers true without erasing a text',
    ['corruption-store/answers-as-the-memory-storage'],
    () => ({
      eraseText: () => slowly(async () => ok(true)),
    }),
  ),
  erasure('never finishes', ['erasure/finish-removes-what-was-erased'], () => ({ finish: () => false })),
]

function erasure(
  flaw: string,
  breaks: readonly string[],
  change: () => Partial<Erasure>,
): Broken<StorageHarness> {
  return brokenStorage(flaw, breaks, (storage) => ({ erasure: { ...storage.erasure, ...change() } }))
}
