import type { Erasure, Upkeep } from '@sotto/core'
import {
  createMemoryStorage,
  createSeededRandom,
  type MemoryStorage,
  type StorageHarness,
} from '@sotto/test-kit'
import { errAsync, okAsync } from 'neverthrow'
import { memoryStorageHarness } from '../harnesses.ts'
import { brokenStorage, toMillis, type Broken } from './broken.ts'

/** Flaws of upkeep, erasure and the instance id. */
export const brokenUpkeep: readonly Broken<StorageHarness>[] = [
  upkeep('cannot write', ['upkeep/can-write'], () => ({
    canWrite: () => errAsync({ code: 'storage_unavailable', reason: 'busy' }),
  })),
  upkeep('records a sweep to test whether it can write', ['upkeep/can-write'], (real) => ({
    canWrite: () => real.recordSweep(1),
  })),
  upkeep('answers 0 before the first sweep', ['upkeep/last-sweep-is-the-recorded-one'], (real) => ({
    lastSweep: () => real.lastSweep().map((atMicros) => atMicros ?? 0),
  })),
  upkeep('keeps the first sweep', ['upkeep/last-sweep-is-the-recorded-one'], (real, { data }) => ({
    recordSweep: (atMicros) => real.recordSweep(data.lastSweepMicros ?? atMicros),
  })),
  upkeep('stores times to the millisecond', ['upkeep/last-sweep-is-the-recorded-one'], (real) => ({
    recordSweep: (atMicros) => real.recordSweep(toMillis(atMicros)),
  })),
  upkeep('answers 0 while there is no row', ['upkeep/last-write-of-a-fresh-storage'], (real) => ({
    lastWrite: () => real.lastWrite().map((atMicros) => atMicros ?? 0),
  })),
  upkeep('looks only at accounts', ['upkeep/last-write-is-the-latest-time'], (_, { data }) => ({
    lastWrite: () =>
      okAsync(Math.max(...data.accounts.values().map(({ account }) => account.createdAtMicros))),
  })),
  upkeep('answers the time of the last row', ['upkeep/last-write-is-the-latest-time'], (real, { data }) => ({
    lastWrite: () => {
      const last = [...data.secrets.values()].at(-1)?.secret.createdAtMicros
      return last === undefined ? real.lastWrite() : okAsync(last)
    },
  })),
  upkeep('answers the latest expiry', ['upkeep/oldest-expiry-is-the-earliest'], (_, { data }) => ({
    oldestExpiry: () => {
      const expiries = [...data.secrets.values()].flatMap(
        ({ secret: { link } }) => link?.expiresAtMicros ?? [],
      )
      return okAsync(expiries.length === 0 ? undefined : Math.max(...expiries))
    },
  })),
  upkeep('answers 0 while there are only drafts', ['upkeep/oldest-expiry-is-the-earliest'], (real) => ({
    oldestExpiry: () => real.oldestExpiry().map((atMicros) => atMicros ?? 0),
  })),
  upkeep('counts no rows', ['upkeep/counts-rows'], () => ({
    countRows: () => okAsync({ accounts: 0, folders: 0, drafts: 0, secrets: 0 }),
  })),
  upkeep('counts drafts as secrets', ['upkeep/counts-rows'], (real) => ({
    countRows: () =>
      real
        .countRows()
        .map(({ drafts, secrets, ...more }) => ({ ...more, drafts, secrets: secrets + drafts })),
  })),
  upkeep('has no findings', ['upkeep/examine-finds-nothing-wrong'], () => ({
    examine: () => Promise.resolve([]),
  })),
  upkeep('finds a sound database damaged', ['upkeep/examine-finds-nothing-wrong'], () => ({
    examine: () => Promise.resolve([{ check: 'database', ok: false, text: 'damaged' }]),
  })),
  {
    flaw: 'forgets the last sweep when it is closed',
    breaks: ['upkeep/sweeps-are-durable'],
    harness: memoryStorageHarness({ reopened: (data) => ({ ...data, lastSweepMicros: undefined }) }),
  },
  erasure('never finishes', ['erasure/finish-removes-what-was-erased'], () => ({ finish: () => false })),
  erasure('has something pending forever', ['erasure/finish-removes-what-was-erased'], () => ({
    pendingForMillis: () => 1,
  })),
  erasure('finishes when it is closed', ['storage/closed-storage-answers'], () => ({ finish: () => true })),
  withId('has a short instance id', ['instance-id/is-random'], ({ instanceId }) => instanceId.slice(0, 16)),
  withId('has the same instance id as all others', ['instance-id/is-random'], () =>
    createSeededRandom(1).bytes(32),
  ),
  withId('has an instance id of zeros and a counter', ['instance-id/is-random'], ({ instanceId }) =>
    Uint8Array.from(instanceId, (byte, at) => (at === 31 ? byte : 0)),
  ),
  withId(
    'has another instance id each time it is opened',
    ['instance-id/is-the-same-beside', 'instance-id/never-changes'],
    () => createMemoryStorage().instanceId,
  ),
]

function upkeep(
  flaw: string,
  breaks: readonly string[],
  change: (real: Upkeep, storage: MemoryStorage) => Partial<Upkeep>,
): Broken<StorageHarness> {
  return brokenStorage(flaw, breaks, (storage) => ({
    upkeep: { ...storage.upkeep, ...change(storage.upkeep, storage) },
  }))
}

function erasure(
  flaw: string,
  breaks: readonly string[],
  change: () => Partial<Erasure>,
): Broken<StorageHarness> {
  return brokenStorage(flaw, breaks, (storage) => ({ erasure: { ...storage.erasure, ...change() } }))
}

function withId(
  flaw: string,
  breaks: readonly string[],
  idOf: (storage: MemoryStorage) => Uint8Array,
): Broken<StorageHarness> {
  return brokenStorage(flaw, breaks, (storage) => ({ instanceId: idOf(storage) }))
}
