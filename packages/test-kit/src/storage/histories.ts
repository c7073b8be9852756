import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { same } from '../contract/compare.ts'
import { casesOf } from '../contract/contract.ts'
import { expectOk } from '../contract/expect.ts'
import { createSamples, noonMicros } from '../shared/samples.ts'
import {
  addKeys,
  kids,
  type StorageCase,
  type StorageHarness,
  type StorageUnderTest,
} from '../stores/harness.ts'
import type { Compared, Step, Steps } from '../stores/steps.ts'
import { ada, bob } from '../stores/values.ts'
import { createMemoryStorage } from './memory-storage.ts'

/** What is called at random, to compare a storage with the memory storage. */
export interface Histories {
  readonly store: keyof Compared
  /** The calls of that store. The first makes rows, and comes most often. */
  readonly steps: Steps
  /** Calls of other stores, which change what this one answers, or show what it changes. */
  readonly others?: readonly fc.Arbitrary<Step>[]
  /** Adds what the rows of the histories refer to, besides keys and accounts. It is told whether the stores see each other's rows. */
  readonly prepare?: (storage: Compared, isTogether: boolean) => Promise<void>
}

/** How many histories a case tries, unless the harness says otherwise. */
const defaultRuns = 30

/** How many calls a history has; half as many on average. */
const callsMax = 160

/** How long a history that fails is made shorter, unless the harness says otherwise. */
const defaultShrinkMillis = 10_000

/** Whether all calls go to one storage, to two in turn, or to one that is opened again and again. */
type Mode = 'alone' | 'beside' | 'reopen'

/** The cases of a port that compare a storage with the memory storage. */
export function historyCases(port: string, histories: Histories): readonly StorageCase[] {
  const run = (mode: Mode) => (harness: StorageHarness) => tryHistories(histories, mode, harness)
  return casesOf<StorageHarness>({
    [`${port}/answers-as-the-memory-storage`]: {
      rule: 'Whatever is called in whatever order, the answers are those of the memory storage.',
      run: run('alone'),
    },
    [`${port}/answers-so-beside`]: {
      rule: 'Two storages on the same data, called in turn, answer as one memory storage does.',
      needs: ['beside'],
      run: run('beside'),
    },
    [`${port}/answers-so-reopened`]: {
      rule: 'A storage that is reopened between calls answers as a memory storage does that stays open.',
      needs: ['reopen'],
      run: run('reopen'),
    },
  })
}

/** A call of a history. */
interface Turn {
  readonly step: Step
  /** The storage beside the first one is called. */
  readonly beside?: boolean
  /** The storage is reopened before it is called. */
  readonly reopens?: boolean
}

async function tryHistories(histories: Histories, mode: Mode, harness: StorageHarness): Promise<void> {
  const { runs = defaultRuns, seed = 1, shrinkMillis = defaultShrinkMillis } = harness.histories ?? {}
  const numRuns = mode === 'alone' ? runs : Math.ceil(runs / 3)
  const fails = (turns: readonly Turn[]) => compare(turns, histories, harness)
  for (const turns of fc.sample(historyOf(histories, mode), { seed, numRuns })) {
    // The stores in memory leave timers no turn: who waits with one would take this for a loop without an end.
    await setImmediate()
    const failure = await fails(turns)
    if (failure !== undefined) throw (await shorter(failure, fails, shrinkMillis)).error
  }
}

/** A history that fails with its last call. */
interface Failure {
  readonly turns: readonly Turn[]
  readonly error: unknown
}

/** Leaves out calls of a history as long as it fails without them: first many at once, then each. */
async function shorter(
  failure: Failure,
  fails: (turns: readonly Turn[]) => Promise<Failure | undefined>,
  millis: number,
): Promise<Failure> {
  const untilMillis = performance.now() + millis
  let shortest = failure
  for (let size = failure.turns.length; size >= 1; size = Math.floor(size / 2)) {
    for (let end = shortest.turns.length - 1; end > 0; end -= size) {
      if (performance.now() > untilMillis) return shortest
      const left = shortest.turns.filter((_, at) => at < end - size || at >= end)
      shortest = (await fails(left)) ?? shortest
    }
  }
  return shortest
}

function historyOf({ steps, others = [] }: Histories, mode: Mode): fc.Arbitrary<readonly Turn[]> {
  const [first, ...more] = Object.values(steps)
  assert.ok(first, 'there is no step')
  const step = fc.oneof({ arbitrary: first, weight: 3 }, ...more, ...others)
  const turn: fc.Arbitrary<Turn> = {
    alone: fc.record({ step }),
    beside: fc.record({ step, beside: fc.boolean() }),
    reopen: fc.record({ step, reopens: fc.nat(30).map((chance) => chance === 30) }),
  }[mode]
  return fc.noBias(fc.array(turn, { maxLength: callsMax, size: 'max' }))
}

/** Runs one history on an empty storage, and on a memory storage. What fails, where a call is answered otherwise. */
async function compare(
  turns: readonly Turn[],
  { store, prepare }: Histories,
  harness: StorageHarness,
): Promise<Failure | undefined> {
  const isTogether = harness.supports.includes('together')
  let storage = await harness.open()
  const { fromMemory = [] } = storage
  const model = modelOf(isTogether, fromMemory)
  let beside: StorageUnderTest | undefined
  const done = new Set<string>()
  const log: string[] = []
  try {
    if (turns.some((turn) => turn.beside)) beside = await besideOf(storage)
    for (const each of [model, storage]) await addReferences(each, () => prepare?.(each, isTogether))
    for (const [at, turn] of turns.entries()) {
      if (!isCalled(turn.step)) continue
      if (turn.reopens) storage = await reopened(storage, log)
      const called = turn.beside ? (beside ?? storage) : storage
      log.push(`${log.length + 1}. ${turn.beside ? 'beside: ' : ''}${turn.step.text}`)
      const expected = await turn.step.call(model)
      const error = difference(await turn.step.call(called), expected, log)
      if (error !== undefined) return { turns: turns.slice(0, at + 1), error }
    }
    return undefined
  } finally {
    await beside?.dispose()
    await storage.dispose()
  }

  /** Stores that do not see each other's rows get only calls of the port, with references that are valid. */
  function isCalled({ store: of, isPlain, once }: Step): boolean {
    if (!isTogether && (of !== store || !isPlain)) return false
    if (of !== store && fromMemory.includes(of)) return false
    if (once === undefined) return true
    const isFirst = !done.has(once)
    done.add(once)
    return isFirst
  }
}

/** A memory storage that sees as much of its other stores as the adapter does: those that the adapter lacks are apart. */
function modelOf(isTogether: boolean, lacking: readonly string[]): Compared {
  const own = createMemoryStorage({ trustReferences: !isTogether })
  const others = createMemoryStorage({ trustReferences: true })
  const apart = Object.entries(others).filter(([name]) => lacking.includes(name))
  return { ...own, ...Object.fromEntries(apart) }
}

async function besideOf(storage: StorageUnderTest): Promise<StorageUnderTest> {
  assert.ok(storage.beside, 'the harness supports beside, but its storage has no such method')
  return storage.beside()
}

async function reopened(storage: StorageUnderTest, log: string[]): Promise<StorageUnderTest> {
  assert.ok(storage.reopen, 'the harness supports reopen, but its storage has no such method')
  log.push(`${log.length + 1}. reopened`)
  return storage.reopen()
}

async function addReferences(storage: Compared, prepare: () => Promise<void> | undefined): Promise<void> {
  const make = createSamples(kids.writable)
  await addKeys(storage)
  const held = [
    make.account({ id: ada, isHeld: true, createdAtMicros: noonMicros + 1 }),
    make.account({ id: bob, isHeld: true }),
  ]
  for (const each of held)
    expectOk(await storage.accounts.insert(each, [make.nameIndex()]), 'adding an account')
  await prepare()
}

/** The assertion that fails for an answer. It shows the calls that led there. */
function difference(answer: unknown, expected: unknown, log: readonly string[]): unknown {
  if (isDeepStrictEqual(answer, expected)) return undefined
  const calls = log.map((line) => `  ${line}`).join('\n')
  try {
    same(answer, expected, `The last of these calls was answered otherwise:\n${calls}`)
    return undefined
  } catch (error) {
    return error
  }
}
