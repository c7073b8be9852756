import type { Unit } from '../contract/contract.ts'
import { createMemoryStorage, type MemoryStorage } from './memory-storage.ts'
import type { StorageCapability, StorageHarness, StorageUnderTest } from '../stores/harness.ts'

/** Some of the parts of a storage. The stores cannot check references to rows of those that are not there, and accept them. */
export interface StoresUnderTest
  extends Partial<Omit<StorageUnderTest, 'reopen' | 'beside' | 'fromMemory'>>, Unit {
  /** Closes the stores, then removes their data. */
  dispose(): Promise<void>

  /** Reopens, for `reopen`, as {@link StorageUnderTest.reopen} does. */
  reopen?(): Promise<StoresUnderTest>

  /** Opens another one, for `beside`, as {@link StorageUnderTest.beside} does. */
  beside?(): Promise<StoresUnderTest>
}

/**
 * The harness of an adapter that does not have all stores yet. The others are memory stores, which accept references to rows that they do
 * not know. The case `has-the-stores-it-needs` of a contract fails until the adapter has the stores that the contract names, and supports
 * `together`.
 *
 * @param open opens the adapter's stores, empty and sharing nothing with any others
 */
export function besideMemory(
  open: () => Promise<StoresUnderTest>,
  supports: readonly StorageCapability[] = [],
): StorageHarness {
  return {
    supports,
    open: async () => withMemory(await open(), createMemoryStorage({ trustReferences: true })),
  }
}

function withMemory(own: StoresUnderTest, memory: MemoryStorage): StorageUnderTest {
  const { reopen: _, beside: __, ...stores } = own
  const again = () => createMemoryStorage({ data: memory.data, trustReferences: true })
  return {
    ...memory,
    ...stores,
    fromMemory: Object.keys(memory).filter((name) => !(name in own)),
    async dispose() {
      await own.dispose()
      await memory.close()
    },
    ...(own.reopen && {
      async reopen() {
        await memory.close()
        return withMemory((await own.reopen?.()) ?? own, again())
      },
    }),
    ...(own.beside && { beside: async () => withMemory((await own.beside?.()) ?? own, again()) }),
  }
}
