import type {
  Contents,
  Meter,
  OpenStorage,
  OpenStorageOptions,
  RestoreOptions,
  StorageDriver,
} from '@sotto/core'
import {
  createMemoryDriver,
  createMemoryQuota,
  createMemoryStorage,
  createSamples,
  createSeededRandom,
  type MemoryBackups,
  type MemoryQuota,
  type StorageDriverHarness,
} from '@sotto/test-kit'
import { errAsync, ok, okAsync } from 'neverthrow'
import { memoryDriverHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

/** Flaws of places and of opening them. */
export const brokenDrivers: readonly Broken<StorageDriverHarness>[] = [
  driver('does not say where it is', ['storage-driver/has-a-location'], () => ({ location: '' })),
  driver('always has data', ['storage-driver/looking-makes-nothing'], () => ({
    hasData: () => okAsync(true),
  })),
  ...(['examine', 'prepare'] as const).map((method) =>
    driver(`makes data in ${method}`, ['storage-driver/looking-makes-nothing'], (real) => {
      let isMade = false
      return {
        hasData: () => real.hasData().map((hasData) => isMade || hasData),
        [method]() {
          isMade = true
          return real[method]()
        },
      }
    }),
  ),
  driver('has no data before a row is written', ['storage-driver/open-creates-the-data'], () => ({
    hasData: () => okAsync(false),
  })),
  opening('opens with an account in it', ['storage-driver/open-creates-the-data'], (storage) => ({
    accounts: { ...storage.accounts, page: () => okAsync([createSamples(1).account()]) },
  })),
  opening('opens with a key in it', ['storage-driver/open-creates-the-data'], ({ keys }) => ({
    keys: {
      ...keys,
      list: () =>
        keys
          .list()
          .map((known) => [{ kid: 1, checkValue: new Uint8Array(1), createdAtMicros: 0, rows: 0 }, ...known]),
    },
  })),
  driver('creates data for an examination', ['storage-driver/open-for-an-examination'], (real) => ({
    open: (options) => real.open({ ...options, create: true }),
  })),
  driver('opens nothing for an examination', ['storage-driver/open-for-an-examination'], (real) => ({
    open: (options) =>
      options.create === false
        ? errAsync({ code: 'database_missing' as const, location: 'memory' })
        : real.open(options),
  })),
  driver('opens new data each time', ['storage-driver/data-stays'], () => ({
    open: () => okAsync(createMemoryStorage({ activeKids: [] })),
  })),
  opening('makes another instance id each time', ['storage-driver/data-stays'], () => ({
    instanceId: createMemoryStorage().instanceId,
  })),
  opening('has the same instance id everywhere', ['storage-driver/places-are-apart'], () => ({
    instanceId: createSeededRandom(1).bytes(32),
  })),
  opening('does not close', ['storage-driver/close-ends-everything'], () => ({
    close: () => Promise.resolve(),
  })),
  opening('does not close the quota', ['storage-driver/close-ends-everything'], () => ({
    quota: createMemoryStorage().quota,
  })),
  driver('has no findings', ['storage-driver/examine-finds-nothing-wrong'], () => ({
    examine: async () => [],
  })),
  driver('finds its own place wrong', ['storage-driver/examine-finds-nothing-wrong'], () => ({
    examine: async () => [{ check: 'place', ok: false, text: 'others can read it' }],
  })),
  {
    flaw: 'has one place for all',
    breaks: ['storage-driver/places-are-apart'],
    harness: onePlace(createMemoryDriver()),
  },
  driver('calls a place that gives no answer empty', ['storage-driver/unreachable-is-not-empty'], (real) => ({
    hasData: () => real.hasData().orElse(() => okAsync(false)),
  })),
  ...(['prepare', 'open'] as const).map((method) =>
    driver(
      `calls a place that gives no answer missing in ${method}`,
      ['storage-driver/unreachable-is-not-empty'],
      (real) => ({
        [method]: (options: OpenStorageOptions) =>
          real[method](options).mapErr((error) => ({ ...error, code: 'database_missing' })),
      }),
    ),
  ),
  driver('names another place that gives no answer', ['storage-driver/unreachable-is-not-empty'], () => ({
    location: 'elsewhere',
  })),
  driver('finds an answer where there is none', ['storage-driver/unreachable-is-not-empty'], (real) => ({
    examine: async () => (await real.examine()).map((finding) => ({ ...finding, ok: true })),
  })),
  opening(
    'acknowledges a write to data that was moved away',
    ['storage-driver/no-write-to-data-that-was-moved-away'],
    ({ accounts }) => ({
      accounts: {
        ...accounts,
        insert: (...row) => accounts.insert(...row).orElse(() => okAsync()),
      },
    }),
  ),
  opening(
    'can write to data that was moved away',
    ['storage-driver/no-write-to-data-that-was-moved-away'],
    ({ upkeep }) => ({ upkeep: { ...upkeep, canWrite: () => upkeep.canWrite().orElse(() => okAsync()) } }),
  ),
  driver('refuses backups that it can make', ['storage-driver/backup-or-refusal'], () => ({
    restore: () => errAsync({ code: 'restore_unsupported' as const, detail: 'use another program' }),
  })),
  {
    flaw: 'backs up although the harness does not support it',
    breaks: ['storage-driver/backup-or-refusal'],
    harness: { ...memoryDriverHarness(), supports: [] },
  },
  {
    flaw: 'refuses backups without naming another way',
    breaks: ['storage-driver/backup-or-refusal'],
    harness: {
      ...memoryDriverHarness((real) => ({
        ...real,
        backUp: () => errAsync({ code: 'backup_unsupported', detail: '' }),
        restore: () => errAsync({ code: 'restore_unsupported', detail: '' }),
      })),
      supports: [],
    },
  },
]

/** Flaws of backups. */
export const brokenBackups: readonly Broken<StorageDriverHarness>[] = [
  driver('backs up nothing as an empty backup', ['storage-driver/backup-of-no-data'], (real) => ({
    backUp: (options) => real.open(silent).andThen(() => real.backUp(options)),
  })),
  reporting('counts expired secrets as secrets', (contents) => ({
    ...contents,
    secrets: contents.secrets + contents.expiredSecrets,
  })),
  reporting('counts revoked tokens', (contents) => ({ ...contents, accessTokens: 2 })),
  reporting('names keys that no row is under', (contents) => ({ ...contents, kids: [101, 102] })),
  driver('reports the time of the machine', ['storage-driver/backup-reports-its-contents'], (real) => ({
    backUp: (options) => real.backUp({ ...options, nowMicros: options.nowMicros + 1 }),
  })),
  driver('erases expired secrets when it backs up', ['storage-driver/backup-changes-nothing'], (real) => ({
    backUp: (options) =>
      real
        .open(silent)
        .andThen((storage) =>
          storage.secrets.eraseExpired(options.nowMicros, 100, () => createSamples(1).event('')),
        )
        .orElse(() => okAsync(0))
        .andThen(() => real.backUp(options)),
  })),
  driver('replaces a backup', ['storage-driver/backup-replaces-no-file'], (real, backups) => ({
    backUp(options) {
      return real.hasData().andThen((hasData) => {
        if (hasData) backups.delete(options.file)
        return real.backUp(options)
      })
    },
  })),
  driver(
    'replaces a backup and answers backup_exists',
    ['storage-driver/backup-replaces-no-file'],
    (real, backups) => ({
      backUp(options) {
        const isThere = backups.delete(options.file)
        return real
          .backUp(options)
          .andThen((backup) =>
            isThere ? errAsync({ code: 'backup_exists' as const, path: options.file }) : okAsync(backup),
          )
      },
    }),
  ),
]

/** Flaws of restores. */
export const brokenRestores: readonly Broken<StorageDriverHarness>[] = [
  opening('makes another instance id each time', ['storage-driver/restore-brings-everything-back'], () => ({
    instanceId: createMemoryStorage().instanceId,
  })),
  restoring('revokes tokens that should be kept', ['storage-driver/restore-brings-everything-back'], () => ({
    keepTokens: false,
  })),
  restoring('destroys notes that should be kept', ['storage-driver/restore-brings-everything-back'], () => ({
    keepLimited: false,
  })),
  restoring(
    'keeps everything',
    [
      'storage-driver/restore-destroys-limited-notes',
      'storage-driver/restore-revokes-tokens',
      'storage-driver/restore-reports-what-it-did',
    ],
    () => ({ keepLimited: true, keepTokens: true }),
  ),
  restoring(
    'revokes tokens at the time of the backup',
    ['storage-driver/restore-revokes-tokens'],
    (options) => ({
      nowMicros: options.nowMicros - 1,
    }),
  ),
  restoring('keeps expired secrets', ['storage-driver/restore-erases-the-expired'], () => ({ nowMicros: 0 })),
  opening('shares its quota with all places', ['storage-driver/restore-has-no-quota'], () => ({
    quota: createMemoryQuota(sharedQuota),
  })),
  driver('keeps the outbox', ['storage-driver/restore-empties-the-outbox'], (real) => {
    let isRestored = false
    const event = createSamples(1).event(createSamples(2).account().id)
    return {
      restore: (options) => real.restore(options).map((report) => ((isRestored = true), report)),
      open: (options) =>
        real
          .open(options)
          .map((storage) =>
            isRestored
              ? { ...storage, outbox: { ...storage.outbox, page: () => okAsync([event]) } }
              : storage,
          ),
    }
  }),
  opening('keeps deliveries', ['storage-driver/restore-empties-the-outbox'], ({ deliveries }) => ({
    deliveries: { ...deliveries, state: () => deliveries.state().map((state) => ({ ...state, waiting: 1 })) },
  })),
  ...[undefined, { request: new Uint8Array(32), secretId: createSamples(1).uuid() }].map((claimed) =>
    opening(
      claimed === undefined ? 'forgets claims' : 'makes claims up',
      ['storage-driver/restore-keeps-claims'],
      ({ idempotencyKeys }) => ({
        idempotencyKeys: { ...idempotencyKeys, find: () => okAsync(claimed) },
      }),
    ),
  ),
  opening('has no webhooks', ['storage-driver/restore-brings-everything-back'], ({ webhooks }) => ({
    webhooks: { ...webhooks, list: () => okAsync([]) },
  })),
  driver('replaces data', ['storage-driver/restore-replaces-no-data'], (real, backups) => {
    let current = real
    return {
      hasData: () => current.hasData(),
      open: (options) => current.open(options),
      backUp: (options) => current.backUp(options),
      restore(options) {
        current = createMemoryDriver({ backups })
        return current.restore(options)
      },
    }
  }),
  driver('makes data of a missing backup', ['storage-driver/restore-of-no-backup'], (real) => ({
    restore: (options) =>
      real.restore(options).orElse((error) =>
        real
          .open(silent)
          .mapErr(() => error)
          .andThen(() => errAsync(error)),
      ),
  })),
  measuring('measures a negative time', ({ observe }) => observe('commit_wait_seconds', 'data', -1)),
  measuring('measures something that is no number', ({ gauge }) => gauge('wal_bytes', 'data', () => NaN)),
  measuring('names what it measures after the data', ({ observe }, accountId) =>
    observe('commit_wait_seconds', accountId, 1),
  ),
  measuring('makes a name for each row', ({ observe }, accountId) =>
    observe(
      'commit_wait_seconds',
      accountId.replace(/[^a-z]/g, (sign) => 'klmnopqrst'[Number(sign)] ?? '_'),
      1,
    ),
  ),
  driver('cannot be read once it is closed', ['storage-driver/measures-nothing-of-the-data'], (real) => ({
    open: (options) =>
      real.open(options).map((storage) => {
        let isClosed = false
        options.meter?.gauge('commit_queue_length', 'data', () => {
          if (isClosed) throw new Error('it is closed')
          return 0
        })
        return {
          ...storage,
          close() {
            isClosed = true
            return storage.close()
          },
        }
      }),
  })),
  restoring('does not check the keys', ['storage-driver/restore-checks-the-keys'], () => ({
    checkKeys: ({ keys }) => ok(keys.map(({ kid }) => kid)),
  })),
  restoring('calls every key used', ['storage-driver/restore-checks-the-keys'], ({ checkKeys }) => ({
    checkKeys: (all) => checkKeys({ ...all, keys: all.keys.map((key) => ({ ...key, isUsed: true })) }),
  })),
  restoring('keeps all keys', ['storage-driver/restore-forgets-missing-keys'], ({ checkKeys }) => ({
    checkKeys: (all) => checkKeys(all).map(() => all.keys.map(({ kid }) => kid)),
  })),
]

const sharedQuota: MemoryQuota['data'] = new Map()
/** How flaws open a storage. */
export const silent = { log: () => undefined, onFatal: () => undefined }

/** A memory driver of which `change` replaces some methods. */
export function driver(
  flaw: string,
  breaks: readonly string[],
  change: (real: StorageDriver, backups: MemoryBackups) => Partial<StorageDriver>,
): Broken<StorageDriverHarness> {
  const harness = memoryDriverHarness((real, backups) => ({ ...real, ...change(real, backups) }))
  return { flaw, breaks, harness }
}

/** A driver that opens a changed storage. */
function opening(
  flaw: string,
  breaks: readonly string[],
  change: (storage: OpenStorage) => Partial<OpenStorage>,
): Broken<StorageDriverHarness> {
  return driver(flaw, breaks, (real) => ({
    open: (options) => real.open(options).map((storage) => ({ ...storage, ...change(storage) })),
  }))
}

/** A driver that reports other contents of a backup. */
function reporting(flaw: string, reported: (contents: Contents) => Contents): Broken<StorageDriverHarness> {
  return driver(flaw, ['storage-driver/backup-reports-its-contents'], (real) => ({
    backUp: (options) =>
      real.backUp(options).map((backup) => ({ ...backup, contents: reported(backup.contents) })),
  }))
}

/** A driver that reports something when an account is inserted. */
function measuring(
  flaw: string,
  report: (meter: Meter, accountId: string) => void,
): Broken<StorageDriverHarness> {
  return driver(flaw, ['storage-driver/measures-nothing-of-the-data'], (real) => ({
    open: (options) =>
      real.open(options).map((storage) => ({
        ...storage,
        accounts: {
          ...storage.accounts,
          insert: (account, indexes) => {
            if (options.meter !== undefined) report(options.meter, account.id)
            return storage.accounts.insert(account, indexes)
          },
        },
      })),
  }))
}

/** A driver that restores with other options. */
function restoring(
  flaw: string,
  breaks: readonly string[],
  changed: <E>(options: RestoreOptions<E>) => Partial<RestoreOptions<E>>,
): Broken<StorageDriverHarness> {
  return driver(flaw, breaks, (real) => ({
    restore: (options) => real.restore({ ...options, ...changed(options) }),
  }))
}

/** Every unit is the same place. */
function onePlace(place: StorageDriver): StorageDriverHarness {
  return { supports: [], open: async () => ({ driver: place, async dispose() {} }) }
}
