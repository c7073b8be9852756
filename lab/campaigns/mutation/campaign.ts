import { globSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { instrument, type Mutant } from './instrument.ts'
import type { Answer, Imports, Recorded, TestFile, TestId, Trial } from './messages.ts'
import { dependentTests } from './targets.ts'
import { createWorker, type Worker } from './worker.ts'

const root = resolve(import.meta.dirname, '../../..')

export interface MutationOptions {
  /** The sources whose mutants are tried; paths from the root of the checkout, or patterns. */
  readonly sources: readonly string[]
  /** The test files that have to notice them. */
  readonly tests: readonly string[]
  /** Receives each mutant when it is known what became of it. */
  readonly onOutcome?: (outcome: Outcome, done: number, of: number) => void
}

export interface Outcome {
  readonly mutant: Mutant
  /** `hung`: the tests did not come to an end, or threw outside a test, which counts as killed. `unreached`: no test runs this code. */
  readonly became: 'killed' | 'hung' | 'survived' | 'unreached'
  /** The test that failed. */
  readonly by: string | undefined
}

/**
 * How many tests are tried on a mutant. Some functions are reached by hundreds; one that would be noticed only by a test beyond these, and
 * beyond {@link moreTestsMax}, counts as survived.
 */
const testsMax = 60

/** How many tests are tried after those, of each file in turn: a contract of hundreds of cases leaves no room for the other files. */
const moreTestsMax = 20

/** How many test files are tried on a mutant that takes effect while modules are loaded: those that import its source most directly. */
const filesMax = 20

/** A test without any mutant. */
interface KnownTest {
  readonly id: TestId
  readonly name: string
  readonly millis: number
  readonly reaches: ReadonlySet<number>
  /** How many mutants it has killed: it is likely to kill others of the same source. */
  kills: number
}

interface Knowledge {
  readonly tests: readonly KnownTest[]
  /** The mutants that are reached while modules are loaded. */
  readonly loading: ReadonlySet<number>
  /** How long each of the tests of a test file takes. */
  readonly millisOf: ReadonlyMap<string, readonly number[]>
  /** The number of imports through which a test file reaches a source. */
  distanceOf(file: string, path: string): number
}

/** Tries all mutants, one after the other. Rejects when a test fails without any mutant. */
export async function runMutationCampaign(options: MutationOptions): Promise<readonly Outcome[]> {
  const mutants: Mutant[] = []
  const code: Record<string, string> = {}
  for (const path of globSync(options.sources, { cwd: root }).toSorted()) {
    const made = instrument(path, readFileSync(resolve(root, path), 'utf8'), mutants.length)
    code[path] = made.code
    mutants.push(...made.mutants)
  }
  const worker = createWorker(code)
  try {
    const known = await learn(worker, globSync(options.tests, { cwd: root }).toSorted())
    const outcomes: Outcome[] = []
    for (const mutant of mutants) {
      const outcome = await attempt(worker, mutant, known)
      outcomes.push(outcome)
      options.onOutcome?.(outcome, outcomes.length, mutants.length)
    }
    await ensureUnharmed(worker, known)
    return outcomes
  } finally {
    worker.stop()
  }
}

/** Runs every test once without a mutant. */
async function learn(worker: Worker, files: readonly string[]): Promise<Knowledge> {
  const tests: KnownTest[] = []
  const loading = new Set<number>()
  const millisOf = new Map<string, readonly number[]>()
  for (const file of files) {
    const recorded = (await worker.ask({ kind: 'record', file })) as Recorded | undefined
    if (recorded === undefined) throw new Error(`${file} does not end`)
    for (const id of recorded.loading) loading.add(id)
    for (const [index, { name, passed, millis, reaches }] of recorded.tests.entries()) {
      if (!passed) throw new Error(`fails without a mutant: ${file}: ${name}`)
      if (dependentTests.includes(name)) continue
      tests.push({ id: { file, index, millis }, name, millis, reaches: new Set(reaches), kills: 0 })
    }
    millisOf.set(
      file,
      recorded.tests.map(({ millis }) => millis),
    )
  }
  const answer = await worker.ask({ kind: 'imports' })
  if (answer?.kind !== 'imported') throw new Error('the imports are unknown')
  return { tests, loading, millisOf, distanceOf: createDistances(answer.imports) }
}

/** An import of an index file counts as ten: nearly everything imports everything through it. */
function createDistances(imports: Imports): Knowledge['distanceOf'] {
  const importedBy = new Map<string, string[]>()
  for (const [by, all] of Object.entries(imports))
    for (const path of all) importedBy.set(path, [...(importedBy.get(path) ?? []), by])
  const distancesTo = (path: string): ReadonlyMap<string, number> => {
    const distances = new Map([[path, 0]])
    for (const [at, distance] of distances) {
      const further = distance + (basename(at) === 'index.ts' ? 10 : 1)
      for (const by of importedBy.get(at) ?? []) {
        if (further >= (distances.get(by) ?? Infinity)) continue
        distances.delete(by) // so that it is visited again
        distances.set(by, further)
      }
    }
    return distances
  }
  const known = new Map<string, ReadonlyMap<string, number>>()
  return (file, path) => {
    const distances = known.get(path) ?? distancesTo(path)
    known.set(path, distances)
    return distances.get(file) ?? 1_000
  }
}

/** Mutants leave nothing behind that makes tests fail, or all that came after one would seem to be killed. */
async function ensureUnharmed(worker: Worker, { tests }: Knowledge): Promise<void> {
  const ran = await tryOn(worker, { kind: 'run', mutant: -1, tests: tests.map(({ id }) => id) })
  const { became, by } = outcomeOf({} as Mutant, ran)
  if (became !== 'survived')
    throw new Error(`fails after all mutants, without one: ${by ?? 'a test that does not end'}`)
}

async function attempt(worker: Worker, mutant: Mutant, known: Knowledge): Promise<Outcome> {
  const reaching = known.tests
    .filter(({ reaches }) => reaches.has(mutant.id))
    .toSorted((one, other) => costOf(one, mutant, known) - costOf(other, mutant, known))
  const tests = [...reaching.slice(0, testsMax), ...inTurn(reaching.slice(testsMax)).slice(0, moreTestsMax)]
  const isLoading = known.loading.has(mutant.id)
  if (tests.length === 0 && !isLoading) return { mutant, became: 'unreached', by: undefined }
  if (tests.length > 0) {
    const ran = await tryOn(worker, { kind: 'run', mutant: mutant.id, tests: tests.map(({ id }) => id) })
    const outcome = outcomeOf(mutant, ran)
    const killer =
      ran?.kind === 'ran'
        ? tests.find(({ id }) => id.file === ran.failed?.file && id.index === ran.failed.index)
        : undefined
    if (killer !== undefined) killer.kills += 1
    if (outcome.became !== 'survived' || !isLoading) return outcome
  }
  const files = filesFor(mutant, known)
  return outcomeOf(mutant, await tryOn(worker, { kind: 'reload', mutant: mutant.id, files }))
}

/** The tests, those of each file in turn, so that a file of hundreds does not come before all others. */
function inTurn(tests: readonly KnownTest[]): readonly KnownTest[] {
  const counts = new Map<string, number>()
  const turns = tests.map((test) => {
    const turn = counts.get(test.id.file) ?? 0
    counts.set(test.id.file, turn + 1)
    return { test, turn }
  })
  return turns.toSorted((one, other) => one.turn - other.turn).map(({ test }) => test)
}

/** A test that was disturbed counts as failed only when it happens again, in a new process and with more time. */
async function tryOn(worker: Worker, trial: Trial): Promise<Answer | undefined> {
  const first = await run(worker, trial)
  const isDisturbed = first?.kind === 'ran' && first.verdict === 'disturbed'
  return isDisturbed ? run(worker, { ...trial, patience: 3 }) : first
}

/** A test that did not come to its end goes on, and what it does would count against the next mutant: its process is ended. */
async function run(worker: Worker, trial: Trial): Promise<Answer | undefined> {
  const answer = await worker.ask(trial)
  if (answer?.kind === 'ran' && (answer.verdict === 'busy' || answer.verdict === 'disturbed')) worker.stop()
  return answer
}

function outcomeOf(mutant: Mutant, ran: Answer | undefined): Outcome {
  if (ran?.kind !== 'ran') return { mutant, became: 'hung', by: undefined }
  return ran.failed === undefined
    ? { mutant, became: 'survived', by: undefined }
    : {
        mutant,
        became: ran.verdict === 'failed' ? 'killed' : 'hung',
        by: `${ran.failed.file}: ${ran.name ?? ''}`,
      }
}

/**
 * Small for tests that are likely to kill a mutant: those near its source, then those whose name has a word of the name of the source, as
 * the cases of a store's contract have, and those that take little time for what they kill.
 */
function costOf({ id, name, kills, millis }: KnownTest, mutant: Mutant, { distanceOf }: Knowledge): number {
  const distance = isMirror(id.file, mutant) ? 0 : distanceOf(id.file, mutant.path)
  const isNamed = stemsOf(mutant.path).some((stem) => name.includes(stem))
  return 1e6 * distance + (isNamed ? 0 : 5e5) + (1 + millis) / (1 + kills)
}

/** The beginnings of the words in the name of a source, so that `deliveries.ts` is found in `delivery-store/…`, `keys.ts` in `key-store/…`. */
function stemsOf(path: string): readonly string[] {
  return basename(path, '.ts')
    .split('-')
    .map((word) => word.replace(/s$/, '').slice(0, 5))
}

/** Test files for a mutant that takes effect while modules are loaded: the most promising first. */
function filesFor(mutant: Mutant, { millisOf, distanceOf }: Knowledge): readonly TestFile[] {
  const cost = ({ file, millis }: TestFile): number =>
    isMirror(file, mutant)
      ? 0
      : 1e6 * distanceOf(file, mutant.path) + millis.reduce((sum, each) => sum + each, 0)
  return [...millisOf]
    .map(([file, millis]) => ({ file, millis }))
    .toSorted((one, other) => cost(one) - cost(other))
    .slice(0, filesMax)
}

/** Whether a test file mirrors the mutant's source. */
function isMirror(file: string, { path }: Mutant): boolean {
  return basename(file, '.test.ts') === basename(path, '.ts')
}
