import { nilUuid } from '@sotto/core'
import {
  createMemoryStorage,
  createSamples,
  type MemoryData,
  type MemoryStorage,
  type StorageHarness,
} from '@sotto/test-kit'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, type Broken } from './broken.ts'

const memory = memoryStorageHarness()

/** Flaws of opening, closing, reopening, and of several storages on the same data. */
export const brokenStorages: readonly Broken<StorageHarness>[] = [
  brokenStorage(
    'opens with an account in it',
    ['storage/opens-empty', 'storage/opens-apart', 'storage/opens-empty-again'],
    ({ data }) => {
      const account = { ...createSamples(1).account(), id: nilUuid }
      data.accounts.set(account.id, { account, nameIndex: new Uint8Array(32) })
      return {}
    },
  ),
  ...['storage/opens-apart', 'storage/opens-empty-again'].map((id) => ({
    flaw: 'shares its data with all others',
    breaks: [id],
    harness: sharing(createMemoryStorage().data),
  })),
  {
    flaw: 'supports less than its units do',
    breaks: ['storage/offers-what-it-declares'],
    harness: { ...memory, supports: [] },
  },
  {
    flaw: 'supports more than its units do',
    breaks: ['storage/offers-what-it-declares'],
    harness: {
      supports: ['reopen', 'beside'],
      async open() {
        const { reopen: _, ...store } = await memory.open()
        return store
      },
    },
  },
  {
    flaw: 'is not closed when it is disposed of',
    breaks: ['storage/closed-storage-answers'],
    harness: { supports: [], open: async () => ({ ...createMemoryStorage(), async dispose() {} }) },
  },
  brokenStorage('throws when it is closed', ['storage/closed-storage-answers'], (storage) => {
    let closed = false
    const close = () => {
      closed = true
      return storage.close()
    }
    const owns: MemoryStorage['folders']['owns'] = (...asked) => {
      if (closed) throw new RangeError('closed')
      return storage.folders.owns(...asked)
    }
    return { close, folders: { ...storage.folders, owns } }
  }),
  {
    flaw: 'opens a copy beside instead of the same data',
    breaks: ['storage/writes-are-seen-beside', 'key-store/keys-are-known-beside'],
    harness: memoryStorageHarness({ beside: structuredClone }),
  },
  brokenStorage('reads the keys only once', ['key-store/keys-are-known-beside'], ({ data, accounts }) => {
    const known = new Set(data.keys.keys())
    return {
      accounts: {
        ...accounts,
        insert: (account, indexes) =>
          known.has(account.name.kid)
            ? accounts.insert(account, indexes)
            : accounts.insert({ ...account, name: { ...account.name, kid: -1 } }, indexes),
      },
    }
  }),
  {
    flaw: 'forgets everything when it is closed',
    breaks: [
      'account-store/writes-are-durable',
      'folder-store/writes-are-durable',
      'secret-store/writes-are-durable',
      'secret-store/notes-are-durable',
      'draft-store/writes-are-durable',
      'link-store/updates-are-durable',
      'access-token-store/writes-are-durable',
      'key-store/writes-are-durable',
      'rewrap-store/texts-are-replaced-durably',
      'rewrap-store/secrets-are-replaced-durably',
      'account-store/changes-are-durable',
      'folder-store/changes-are-durable',
      'secret-store/activity-is-durable',
      'draft-store/replacements-are-durable',
      'password-store/writes-are-durable',
      'session-store/writes-are-durable',
      'welcome-store/writes-are-durable',
      'welcome-store/spendings-are-durable',
      'sign-in-store/decisions-are-durable',
      'sign-in-store/addresses-are-durable',
    ],
    harness: memoryStorageHarness({ reopened: () => createMemoryStorage().data }),
  },
  ...lossy(),
]

/** Storages that forget one kind of change when they end. */
function lossy(): readonly Broken<StorageHarness>[] {
  const forgetting = (
    flaw: string,
    id: string,
    forget: (data: MemoryData) => void,
  ): Broken<StorageHarness> => ({
    flaw,
    breaks: [id],
    harness: memoryStorageHarness({
      reopened(data) {
        forget(data)
        return data
      },
    }),
  })
  return [
    forgetting('forgets that accounts were disabled', 'account-store/writes-are-durable', ({ accounts }) => {
      for (const [id, row] of accounts) {
        accounts.set(id, { ...row, account: { ...row.account, disabledAtMicros: undefined } })
      }
    }),
    forgetting(
      'forgets that tokens were revoked',
      'access-token-store/writes-are-durable',
      ({ accessTokens }) => {
        for (const [id, row] of accessTokens) {
          accessTokens.set(id, { ...row, token: { ...row.token, revokedAtMicros: undefined } })
        }
      },
    ),
    forgetting('forgets the opens', 'link-store/updates-are-durable', ({ secrets }) => {
      for (const [id, row] of secrets) secrets.set(id, { ...row, opens: 0 })
    }),
    forgetting('forgets the forms', 'link-store/updates-are-durable', ({ secrets }) => {
      for (const [id, row] of secrets) secrets.set(id, { ...row, forms: new Set() })
    }),
    forgetting('knows retired keys again', 'key-store/writes-are-durable', ({ keys }) => {
      keys.set(103, { kid: 103, checkValue: new Uint8Array(32), createdAtMicros: 0 })
    }),
  ]
}

function sharing(data: MemoryData): StorageHarness {
  return {
    supports: [],
    open: async () => ({ ...createMemoryStorage({ data }), async dispose() {} }),
  }
}
