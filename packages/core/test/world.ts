import { createMemoryPorts, expectOk, type MemoryPorts } from '@sotto/test-kit'
import type { Policy } from '../src/policy.ts'
import type { NewSecret } from '../src/rules/fields.ts'
import { createSotto, type Sotto } from '../src/sotto.ts'
import type { Pages } from '../src/use-cases/pages.ts'

/** The time at which every test begins. */
export const startMicros = Date.UTC(2026, 10, 20, 12, 0, 0) * 1000

export const secondMicros = 1_000_000
export const minuteMicros = 60 * secondMicros
export const dayMicros = 86_400 * secondMicros

/** A UUID that no row has. */
export const unknownId = '0190f3a0-0000-7000-8000-000000000000'

/** Bounds that a test reaches quickly. */
const policy: Policy = { noteMaxBytes: 1_000, quota: { perMinute: 3, perDay: 5 } }

/** Everything in memory, for one test. */
export interface World {
  /** What a use-case takes as its first argument. A test replaces single ports to see what the use-case does with them. */
  readonly deps: MemoryPorts & { readonly policy: Policy }
  /** All use-cases on the same ports, to prepare a test and to look at the outcome. */
  readonly sotto: Sotto
  readonly accountId: string
  readonly folderId: string
}

/** An account with one folder. */
export async function createWorld(): Promise<World> {
  const ports = createMemoryPorts({ nowMicros: startMicros })
  const sotto = createSotto({ ports, policy })
  const { id: accountId } = expectOk(await sotto.createAccount({ email: 'ada@example.org' }))
  const { id: folderId } = expectOk(await sotto.createFolder({ accountId, label: 'First' }))
  return { deps: { ...ports, policy }, sotto, accountId, folderId }
}

/** The input of a new secret or draft of the world's account. */
export function newSecret({ accountId, folderId }: World, fields: Partial<NewSecret> = {}) {
  return { accountId, folderId, label: 'a label', note: 'a note', ...fields }
}

/** A whole list without its damaged rows; throws when it ends with an error. */
export async function all<T, E>(pages: Pages<T, E>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...expectOk(page).items)
  return items
}

/** Calls of a port's methods by name. */
export type Calls = Readonly<Record<string, number | undefined>>

/** The port, and how often each of its methods was called. */
export function counting<Port extends object>(port: Port): { readonly port: Port; readonly calls: Calls } {
  const calls: Record<string, number> = {}
  const counted = new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function' || typeof name !== 'string') return method
      return (...given: unknown[]): unknown => {
        calls[name] = (calls[name] ?? 0) + 1
        return Reflect.apply(method, target, given)
      }
    },
  })
  return { port: counted, calls }
}
