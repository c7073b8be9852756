import assert from 'node:assert/strict'
import type { StoredAccount, StoredFolder, StoredKey, StoredSecret } from '@sotto/core'
import type { ContractCase, Harness, Unit } from '../contract.ts'
import type { StorageStores } from '../fakes/memory-storage.ts'
import { createSamples, noonMicros, type Samples } from '../samples.ts'
import { okOf, same } from './expect.ts'

/**
 * What a storage can do beyond keeping rows:
 * - `reopen`: rows survive the end of the storage that wrote them. For everything that is to be durable.
 * - `beside`: several storages work on the same data at once, as several processes do.
 */
export type StorageCapability = 'reopen' | 'beside'

/**
 * The stores of one adapter, which share one database, on data of their own. There are no rows in it; keys may have been added, of
 * which the contract uses none.
 */
export interface StorageUnderTest extends StorageStores, Unit {
  /** Closes the stores, then clears away their data. From the closing on every method answers an Err. */
  dispose(): Promise<void>

  /**
   * For `reopen`: ends this storage as abruptly as the harness can, and opens another one on the same data. This one is not used
   * any more, nor disposed of.
   */
  reopen?(): Promise<StorageUnderTest>

  /**
   * For `beside`: opens another storage on the same data. It is disposed of before this one, and its disposal leaves the data
   * alone.
   */
  beside?(): Promise<StorageUnderTest>
}

export type StorageHarness = Harness<StorageUnderTest, StorageCapability>
export type StorageCase = ContractCase<StorageHarness>

/** The keys of the cases: two that rows may be written under, and two that they may not. */
export const kids = { writable: 101, spare: 102, retired: 103, unknown: 4_000_000 }

/** Opens a storage whose keys are set up for the cases. */
export async function openWithKeys(harness: StorageHarness): Promise<StorageUnderTest> {
  const store = await harness.open()
  const added = [kids.writable, kids.spare, kids.retired]
  await Promise.all(added.map((kid) => okOf(store.keys.add(sampleKey(kid)), 'adding a key')))
  same(await okOf(store.keys.retire(kids.retired), 'retiring a key'), true, 'whether the key was retired')
  return store
}

export function sampleKey(kid: number): StoredKey {
  return { kid, checkValue: createSamples(kid).bytes(32), createdAtMicros: noonMicros + kid }
}

/** A case on an empty storage, with samples whose rows may be written to it. */
export function storageCase({
  check,
  ...named
}: Omit<StorageCase, 'run'> & {
  check(store: StorageUnderTest, make: Samples): Promise<void>
}): StorageCase {
  return {
    ...named,
    async run(harness) {
      const store = await openWithKeys(harness)
      try {
        await check(store, createSamples(kids.writable))
      } finally {
        await store.dispose()
      }
    },
  }
}

/** A case on two storages that are open on the same data. */
export function besideCase({
  check,
  ...named
}: Pick<StorageCase, 'id' | 'rule'> & {
  check(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void>
}): StorageCase {
  return storageCase({
    ...named,
    needs: 'beside',
    async check(store, make) {
      assert.ok(store.beside, 'the harness supports beside, but its storage has no such method')
      const beside = await store.beside()
      try {
        await check(store, beside, make)
      } finally {
        await beside.dispose()
      }
    },
  })
}

/** A case about what is found after the storage was opened again. */
export function reopenCase<Kept>({
  before,
  after,
  ...named
}: Pick<StorageCase, 'id' | 'rule'> & {
  before(store: StorageUnderTest, make: Samples): Promise<Kept>
  after(store: StorageUnderTest, kept: Kept): Promise<void>
}): StorageCase {
  return {
    ...named,
    needs: 'reopen',
    async run(harness) {
      let store = await openWithKeys(harness)
      try {
        assert.ok(store.reopen, 'the harness supports reopen, but its storage has no such method')
        const kept = await before(store, createSamples(kids.writable))
        store = await store.reopen()
        await after(store, kept)
      } finally {
        await store.dispose()
      }
    },
  }
}

/** Adds an account, to be found by an index that nobody asks for. */
export async function addAccount(store: StorageUnderTest, make: Samples): Promise<StoredAccount> {
  const account = make.account()
  await okOf(store.accounts.insert(account, [make.emailIndex()]), 'adding an account')
  return account
}

/** Adds a folder to an account, one of its own unless told which. */
export async function addFolder(
  store: StorageUnderTest,
  make: Samples,
  accountId?: string,
): Promise<StoredFolder> {
  const folder = make.folder(accountId ?? (await addAccount(store, make)).id)
  await okOf(store.folders.insert(folder), 'adding a folder')
  return folder
}

/** Adds secrets or drafts, each with a note. */
export async function addSecrets(
  store: StorageUnderTest,
  make: Samples,
  secrets: readonly StoredSecret[],
): Promise<void> {
  for (const secret of secrets) await okOf(store.secrets.insert(secret, make.note()), 'adding a secret')
}
