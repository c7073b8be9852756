import assert from 'node:assert/strict'
import type { StoredKey } from '@sotto/core'
import type { FullOpenStorage, FullStorage } from '@sotto/identity'
import { ResultAsync } from 'neverthrow'
import {
  caseOf,
  casesOf,
  type ContractCase,
  type Harness,
  type Unit,
  type UnnamedCase,
} from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { createSamples, noonMicros, type Samples } from '../shared/samples.ts'
import { same } from '../contract/compare.ts'

/**
 * What a storage can do beyond the minimum:
 * - `together`: the stores share one database, so that each sees the rows of the others. Every storage does; one that is being written
 *   does once it has the stores that a contract needs.
 * - `reopen`: rows survive the end of the storage that wrote them.
 * - `beside`: several storages work on the same data at the same time, as several processes do.
 */
export type StorageCapability = 'together' | 'reopen' | 'beside'

/** Open stores on new data. It has no rows; it may have keys, but none of those that the contract uses. */
export interface StorageUnderTest extends Omit<FullOpenStorage, 'quota' | 'fileContents' | 'close'>, Unit {
  /** The parts that are not the adapter's, but those of a memory storage in their place: see `besideMemory`. None by default. */
  readonly fromMemory?: readonly string[]

  /** Closes the stores, then removes their data. Once closed, every method answers an Err. */
  dispose(): Promise<void>

  /**
   * Ends, for `reopen`, this storage as abruptly as the harness can, and opens another one on the same data. This one is neither used nor
   * disposed of afterwards.
   */
  reopen?(): Promise<StorageUnderTest>

  /** Opens, for `beside`, another storage on the same data. It is disposed of before this one, and its disposal leaves the data alone. */
  beside?(): Promise<StorageUnderTest>
}

/** How histories are tried. */
export interface HistoryOptions {
  /** How many a case tries: 30 by default. */
  readonly runs?: number
  /** A seed always gives the same ones. */
  readonly seed?: number
  /** How long one that fails is made shorter: 10 seconds by default. */
  readonly shrinkMillis?: number
}

/** Makes the stores that the contract is run on. */
export interface StorageHarness extends Harness<StorageUnderTest, StorageCapability> {
  readonly histories?: HistoryOptions
}

/** A call of a method that answers a result. */
export type Call = () => ResultAsync<unknown, { readonly code: string }>

/** One case of the contract of the stores. */
export type StorageCase = ContractCase<StorageHarness>

/** The keys of the cases: two that rows may be written under, and two that they may not. */
export const kids = { writable: 101, spare: 102, retired: 103, unknown: 4_000_000 }

/** Adds the keys of the cases. */
export async function addKeys({ keys }: Pick<FullStorage, 'keys'>): Promise<void> {
  for (const kid of [kids.writable, kids.spare, kids.retired]) {
    expectOk(await keys.add(sampleKey(kid)), 'adding a key')
  }
  same(expectOk(await keys.retire(kids.retired), 'retiring a key'), true, 'whether the key was retired')
}

export function sampleKey(kid: number): StoredKey {
  return {
    kid,
    checkValue: createSamples(kid).bytes(32),
    createdAtMicros: noonMicros + kid,
    isReadOnly: false,
  }
}

/** Cases that see the rows of several stores: each needs `together`. */
export function together(cases: Parameters<typeof casesOf<StorageHarness>>[0]): readonly StorageCase[] {
  return casesOf(cases).map((each) => ({ ...each, needs: [...(each.needs ?? []), 'together'] }))
}

/** A case on an empty storage, with samples whose rows may be written to it. */
export function storageCase({
  check,
  ...about
}: Omit<StorageCase, 'id' | 'run'> & {
  check(store: StorageUnderTest, make: Samples): Promise<void>
}): UnnamedCase<StorageHarness> {
  return caseOf({
    ...about,
    async check(store: StorageUnderTest) {
      await addKeys(store)
      await check(store, createSamples(kids.writable))
    },
  })
}

/** A case on two storages that are open on the same data. */
export function besideCase({
  check,
  needs = [],
  ...about
}: Omit<StorageCase, 'id' | 'run'> & {
  check(store: StorageUnderTest, beside: StorageUnderTest, make: Samples): Promise<void> | void
}): UnnamedCase<StorageHarness> {
  return storageCase({
    ...about,
    needs: ['beside', ...needs],
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
  needs = [],
  ...about
}: Omit<StorageCase, 'id' | 'run'> & {
  before(store: StorageUnderTest, make: Samples): Promise<Kept>
  /** @param kept what `before` resolved to */
  after(store: StorageUnderTest, kept: Kept): Promise<void> | void
}): UnnamedCase<StorageHarness> {
  return {
    ...about,
    needs: ['reopen', ...needs],
    async run(harness) {
      let store = await harness.open()
      try {
        assert.ok(store.reopen, 'the harness supports reopen, but its storage has no such method')
        await addKeys(store)
        const kept = await before(store, createSamples(kids.writable))
        store = await store.reopen()
        await after(store, kept)
      } finally {
        await store.dispose()
      }
    },
  }
}

/** Looks at some of what is stored. */
type Look = (store: StorageUnderTest) => readonly (ResultAsync<unknown, unknown> | Promise<unknown>)[]

/** A case about what is found after the storage was opened again: what `act` gives to look at it sees the same as before. */
export function durableCase({
  act,
  ...about
}: Omit<StorageCase, 'id' | 'run'> & {
  act(store: StorageUnderTest, make: Samples): Promise<Look>
}): UnnamedCase<StorageHarness> {
  return reopenCase({
    ...about,
    async before(store, make) {
      const look = await act(store, make)
      const seen = await seenBy(look, store)
      assert.notDeepEqual(seen.flat().filter(Boolean), [], 'nothing is seen before')
      return { look, seen }
    },
    async after(store, { look, seen }) {
      same(await seenBy(look, store), seen)
    },
  })
}

async function seenBy(look: Look, store: StorageUnderTest): Promise<readonly unknown[]> {
  return Promise.all(
    look(store).map(async (each) => (each instanceof ResultAsync ? expectOk(await each) : each)),
  )
}
