import {
  createFakeCipher,
  createManualClock,
  createMemoryQuota,
  createMemoryStorage,
  createSeededRandom,
  type FakeKeyRing,
  type ManualClock,
  type MemoryStorage,
} from '@sotto/test-kit'
import type { Ports } from '../src/ports/ports.ts'
import { createAccount } from '../src/use-cases/create-account.ts'
import { createFolder } from '../src/use-cases/create-folder.ts'
import type { Slices } from '../src/use-cases/slices.ts'

/** The moment at which every test begins. */
export const startMicros = Date.UTC(2026, 10, 20, 12, 0, 0) * 1000

export const secondMicros = 1_000_000
export const dayMicros = 86_400 * secondMicros

/** A whole world in memory, on its own for each test. */
export interface World {
  readonly ports: Ports & MemoryStorage & { readonly clock: ManualClock; readonly keyRing: FakeKeyRing }
  readonly accountId: string
  readonly folderId: string
}

/** An account with one folder. */
export async function createWorld(): Promise<World> {
  const clock = createManualClock(startMicros)
  const storage = createMemoryStorage()
  const ports = {
    ...storage,
    quota: createMemoryQuota(),
    ...createFakeCipher(),
    random: createSeededRandom(1),
    limits: { noteMaxBytes: 1_000, quota: { perMinute: 3, perDay: 5 } },
    clock,
  }
  const account = (await createAccount(ports, { email: 'ada@example.org' }))._unsafeUnwrap()
  const folder = (await createFolder(ports, { accountId: account.id, label: 'First' }))._unsafeUnwrap()
  return { ports, accountId: account.id, folderId: folder.id }
}

/** A whole list; throws when it ends with an error. */
export async function all<T, E>(slices: Slices<T, E>): Promise<T[]> {
  const items: T[] = []
  for await (const slice of slices) items.push(...slice._unsafeUnwrap())
  return items
}
