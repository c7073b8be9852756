import { besideMemory, storageContract, type StorageHarness } from '@sotto/test-kit'
import { memoryStorageHarness } from '../harnesses.ts'
import type { Broken } from './broken.ts'

const memory = memoryStorageHarness()

/** Adapters that lack a store that another one of theirs needs, and storages that do not support `together`. */
export const brokenGroups: readonly Broken<StorageHarness>[] = storageContract
  .filter(({ id }) => id.endsWith('/has-the-stores-it-needs'))
  .flatMap(({ id, rule }) => [
    ...neededIn(rule).map((name) => ({ flaw: `has no ${name}`, breaks: [id], harness: without(name) })),
    {
      flaw: 'does not support together',
      breaks: [id],
      harness: { ...memory, supports: ['reopen', 'beside'] } satisfies StorageHarness,
    },
  ])

/** The stores that a rule names after the one that it is about. */
export function neededIn(rule: string): readonly string[] {
  return [...rule.matchAll(/`(\w+)`/g)].slice(1).map(([, name = '']) => name)
}

function without(name: string): StorageHarness {
  return besideMemory(async () => {
    const storage = await memory.open()
    return Object.fromEntries(Object.entries(storage).filter(([part]) => part !== name)) as typeof storage
  }, memory.supports)
}
