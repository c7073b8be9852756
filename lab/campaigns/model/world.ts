import { createFullSotto, type FullOpenStorage, type FullPorts, type FullSotto } from '@sotto/identity'
import { inspect, isDeepStrictEqual } from 'node:util'
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
import { newModel, type Model } from './model.ts'
import type { StorageName, Storages } from './storages.ts'

/** The whole core on one storage. */
export interface System {
  readonly name: StorageName
  readonly ports: FullPorts
  readonly storage: FullOpenStorage
  readonly sotto: FullSotto
  /** The versions of drafts as they were read last, each with the model's version at that time. */
  readonly versions: Map<string, { readonly text: string; readonly version: number }>
}

/** One core on each of several storages, and the model of what they hold. */
export interface World {
  readonly clock: ManualClock
  readonly systems: readonly System[]
  readonly model: Model
  /** Answers compared so far. */
  answers: number
  /** How often each use-case answered what: Ok, or the code of an error. */
  readonly tally: Map<string, number>
  /** What was done, for people. */
  readonly log: string[]
}

/** What the small installation of a run allows. */
export const policy = { noteMaxBytes: 64, quota: { perMinute: 5, perDay: 12 } } as const

/** What posting to the address that ends in b always leads to. */
const failed = { code: 'send_failed', reason: 'the receiver fails', verdict: 'retry' } as const

/** Changes the ports of one storage, to break a rule on purpose. */
export type Breakage = (ports: FullPorts, name: StorageName) => FullPorts

export interface WorldOptions {
  readonly storages: Storages
  readonly names: readonly StorageName[]
  readonly breakage?: Breakage | undefined
}

export async function openWorld({ storages, names, breakage }: WorldOptions): Promise<World> {
  const clock = createManualClock(noonMicros)
  const systems: System[] = []
  for (const name of names) {
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
    const ports = breakage === undefined ? plain : breakage(plain, name)
    const sotto = createFullSotto({ ports, policy })
    expectOk(await sotto.fitKeyRing())
    systems.push({ name, ports, storage, sotto, versions: new Map() })
  }
  return { clock, systems, model: newModel(noonMicros), answers: 0, tally: new Map(), log: [] }
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

/** Two answers that should be the same. */
export class Divergence extends Error {
  constructor(what: string, one: readonly [string, unknown], other: readonly [string, unknown]) {
    const shown = [one, other].map(
      ([name, value]) => `\n  ${name}: ${inspect(value, { depth: 8, breakLength: 160 })}`,
    )
    super(`${what}${shown.join('')}`)
    this.name = 'Divergence'
  }
}

export function compare(
  what: string,
  one: readonly [string, unknown],
  other: readonly [string, unknown],
): void {
  const [a, b] = [comparable(one[1]), comparable(other[1])]
  if (!isDeepStrictEqual(a, b)) throw new Divergence(what, [one[0], a], [other[0], b])
}

/** An absent member is as good as `undefined`. The version of a draft has no meaning of its own. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name, member]) => member !== undefined && name !== 'version')
  return Object.fromEntries(members.map(([name, member]) => [name, comparable(member)]))
}

/** An error, as the model predicts it. */
export type Refusal = { readonly code: string } & Readonly<Record<string, unknown>>

/**
 * Asks every system, one after the other, and compares their answers with each other and with the model's: the error that it
 * predicts, or the value. Resolves with the value.
 * @param value what the model predicts; it takes from the given value only what chance decides, such as ids
 */
export async function ask<T, E>(
  world: World,
  what: string,
  call: (system: System) => PromiseLike<Result<T, E>>,
  predicted: { readonly refusal?: Refusal | undefined; readonly value?: ((given: T) => unknown) | undefined },
): Promise<T | undefined> {
  const answers: { readonly name: string; readonly result: Result<T, E> }[] = []
  for (const system of world.systems) answers.push({ name: system.name, result: await call(system) })
  world.answers += answers.length
  const [first, ...others] = answers
  if (first === undefined) return undefined
  for (const other of others)
    compare(what, [first.name, shown(first.result)], [other.name, shown(other.result)])
  const kind = `${what}: ${first.result.isOk() ? 'ok' : codeOf(first.result.error)}`
  world.tally.set(kind, (world.tally.get(kind) ?? 0) + 1)
  const { refusal, value } = predicted
  const expected =
    refusal !== undefined
      ? { error: refusal }
      : value !== undefined && first.result.isOk()
        ? { ok: value(first.result.value) }
        : { ok: first.result.isOk() ? first.result.value : 'a value' }
  compare(what, [first.name, shown(first.result)], ['model', expected])
  return first.result.isOk() ? first.result.value : undefined
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'an error'
}

function shown<T, E>(result: Result<T, E>): unknown {
  return result.isOk() ? { ok: result.value } : { error: result.error }
}
