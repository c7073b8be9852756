import { createFullSotto, type FullOpenStorage, type FullPorts, type FullSotto } from '@sotto/identity'
import type { Result } from 'neverthrow'
import {
  createFakeCipher,
  createFakeFileCipher,
  createFakePasskeyVerifier,
  createFakePasswordHasher,
  createManualClock,
  createMemoryMailSender,
  createMemoryWebhookSender,
  createSeededRandom,
  expectOk,
  noonMicros,
  type ManualClock,
} from '@sotto/test-kit'
import { newBook, type Book } from './book.ts'
import { compare } from './compare.ts'
import { policy } from './policy.ts'
import { rulesOf, type Answer, type Input, type Name, type Rules } from './rules.ts'
import type { StorageName, Storages } from './storages.ts'

/** The whole core on one storage. */
export interface System {
  readonly name: StorageName
  readonly ports: FullPorts
  readonly storage: FullOpenStorage
  readonly sotto: FullSotto
}

/** One core on each of several storages, and the rules of what they answer. */
export interface World {
  readonly clock: ManualClock
  readonly systems: readonly System[]
  readonly book: Book
  readonly rules: Rules
  /** Answers compared so far. */
  answers: number
  /** How often each use-case answered what: Ok, or the code of an error. */
  readonly tally: Map<string, number>
  /** What was done, for people. */
  readonly log: string[]
}

/** What posting to the address that ends in b always leads to. */
const failed = { code: 'send_failed', reason: 'the receiver fails', verdict: 'retry' } as const

/** Changes the ports of a storage, to break a rule on purpose. @param at its place among the storages */
export type Breakage = (ports: FullPorts, at: number) => FullPorts

export interface WorldOptions {
  readonly storages: Storages
  readonly names: readonly StorageName[]
  readonly breakage?: Breakage | undefined
}

export async function openWorld({ storages, names, breakage }: WorldOptions): Promise<World> {
  const clock = createManualClock(noonMicros)
  const systems: System[] = []
  for (const [at, name] of names.entries()) {
    const storage = await storages.open(name)
    const plain: FullPorts = {
      ...inAnyOrder(storage),
      ...createFakeCipher(),
      fileCipher: createFakeFileCipher(),
      passwordHasher: createFakePasswordHasher(),
      passkeyVerifier: createFakePasskeyVerifier(),
      mailSender: createMemoryMailSender(),
      webhookSender: createMemoryWebhookSender({
        answer: ({ url }) => (url.endsWith('/b') ? failed : undefined),
      }),
      clock,
      // Every storage gets the same ids.
      random: createSeededRandom(1),
    }
    const ports = breakage === undefined ? plain : breakage(plain, at)
    const sotto = createFullSotto({ ports, policy })
    expectOk(await sotto.fitKeyRing())
    systems.push({ name, ports, storage, sotto })
  }
  const book = newBook(() => clock.nowMicros())
  return { clock, systems, book, rules: rulesOf(book), answers: 0, tally: new Map(), log: [] }
}

/**
 * A sweep may erase secrets and requests in any order, and each event about one gets its id then: here its own, the same on every storage.
 */
function inAnyOrder<S extends Pick<FullOpenStorage, 'secrets' | 'requests'>>(storage: S): S {
  const { secrets, requests } = storage
  const eraseRequests: typeof requests.eraseExpired = (by, limit, report) =>
    requests.eraseExpired(by, limit, (unanswered) => ({ ...report(unanswered), id: unanswered.id }))
  const eraseExpired: typeof secrets.eraseExpired = (by, limit, report) =>
    secrets.eraseExpired(by, limit, (unopened) => ({ ...report(unopened), id: unopened.id }))
  return {
    ...storage,
    secrets: { ...secrets, eraseExpired },
    requests: { ...requests, eraseExpired: eraseRequests },
  }
}

export async function closeWorld({ systems }: World): Promise<void> {
  for (const { storage } of systems) await storage.close()
}

/** Calls a use-case on every storage, one after the other, and compares their answers with each other and with its rule. */
export async function ask<N extends Name>(
  world: World,
  name: N,
  input: Input<N>,
  isFaulty = false,
): Promise<Answer<N>> {
  const call = async ({ sotto }: System) => {
    const result = await (sotto[name] as unknown as (input: Input<N>) => Promise<Result<unknown, Coded>>)(
      input,
    )
    return result.isOk() ? { code: 'ok', value: result.value } : { ...result.error }
  }
  const first = await everywhere(world, name, call)
  const answer = { ...(first as Answer<N>), isFaulty }
  const { code } = answer
  world.tally.set(`${name}: ${code}`, (world.tally.get(`${name}: ${code}`) ?? 0) + 1)
  // Each value of `keyof Rules` has the rule of its own name.
  const rule = world.rules[name] as ((input: Input<N>, answer: Answer<N>) => string) | undefined
  const expected = rule?.(input, answer) ?? code
  compare(name, [world.systems[0]?.name ?? '', first], ['the rules', expected === code ? first : expected])
  await findUnnamed(world)
  return answer
}

interface Coded {
  readonly code: string
}

/** What something is on every storage. It has to be the same. */
export async function everywhere<T>(
  world: World,
  what: string,
  read: (system: System) => PromiseLike<T>,
): Promise<T> {
  const found: { readonly name: string; readonly value: T }[] = []
  for (const system of world.systems) found.push({ name: system.name, value: await read(system) })
  world.answers += found.length
  const [first, ...others] = found
  if (first === undefined) throw new TypeError('there is no storage')
  for (const other of others) compare(what, [first.name, first.value], [other.name, other.value])
  return first.value
}

/** Some calls add a row without saying its id: it is the only one that the book does not know. */
async function findUnnamed({ book, systems: [system] }: World): Promise<void> {
  const { unnamed } = book
  book.unnamed = []
  for (const { list, accountId, add } of unnamed) {
    const rows =
      list === 'drafts' ? system?.sotto.listDrafts({ accountId }) : system?.sotto.listFolders({ accountId })
    const ids: string[] = []
    for await (const row of rows?.items() ?? []) if (row.isOk()) ids.push(row.value.id)
    for (const id of ids) if (!book[list === 'drafts' ? 'secrets' : 'folders'].has(id)) add(id)
  }
}
