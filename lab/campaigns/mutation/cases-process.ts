// Prints for each case of the contracts a mutant of the fakes that makes it fail. `cases.ts` starts it: mutants leave errors behind.
import { AssertionError } from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CaseScore } from './cases.ts'
import { installHooks } from './hooks.ts'
import { instrument, type Mutant } from './instrument.ts'

const root = resolve(import.meta.dirname, '../../..')

/** How often a case may ask about mutants. One that asks more often does not end. */
const asksMax = 3_000_000

/** Whether a mutant fails is asked, not by how few calls. */
const histories = { shrinkMillis: 0 }

/** How long a case may wait for what does not come. */
const idleMillisMax = 1_000

interface Tried {
  readonly id: string
  /** `undefined`: the fakes do not support it. */
  readonly run: (() => Promise<unknown>) | undefined
  readonly reaches: ReadonlySet<number>
  mutant: Mutant | undefined
}

const nothing = -1
let active = nothing
let asks = 0
let reached = new Set<number>()
Object.assign(globalThis, {
  mutants: {
    at(id: number): boolean {
      reached.add(id)
      if (active !== nothing && (asks += 1) > asksMax) throw new Error('it does not end')
      return id === active
    },
  },
})

process.on('uncaughtException', () => undefined)
process.on('unhandledRejection', () => undefined)
process.stdout.write(JSON.stringify(await score(process.argv.slice(2))), () => process.exit())

/** Mutants that few cases reach are tried first, because they say most about a case. */
async function score(sources: readonly string[]): Promise<readonly CaseScore[]> {
  const mutants: Mutant[] = []
  const hooks = installHooks(root)
  // The contracts compare with a memory storage that has no mutants, so they are loaded before the mutants are made.
  const { runAllContracts } = await load<Contracts>('all-contracts.ts')
  hooks.generation = 1
  for (const path of globSync(sources, { cwd: root })) {
    const made = instrument(path, readFileSync(resolve(root, path), 'utf8'), mutants.length)
    hooks.code = { ...hooks.code, [path]: made.code }
    mutants.push(...made.mutants)
  }
  const cases = await collect(runAllContracts)
  const reachedBy = new Map(mutants.map(({ id }) => [id, cases.filter(({ reaches }) => reaches.has(id))]))
  const reachOf = ({ id }: Mutant): number => reachedBy.get(id)?.length ?? 0
  for (const mutant of mutants.toSorted((one, other) => reachOf(one) - reachOf(other))) {
    for (const each of reachedBy.get(mutant.id) ?? []) {
      const verdict = each.mutant === undefined ? await attempt(each, mutant.id) : 'passed'
      if (verdict === 'failed') each.mutant = mutant
      if (verdict === 'hung') break // so do the other cases, most likely
    }
  }
  const broken = await flaws()
  return cases.map(({ id, mutant }) => ({
    id,
    mutant,
    flaws: broken.filter(({ breaks }) => breaks.includes(id)).map(({ flaw }) => flaw),
  }))
}

interface Contracts {
  runAllContracts(test: unknown, harnesses: object): void
}

/** All cases on fakes that have the mutants, and those that each of them reaches. */
async function collect(runAllContracts: Contracts['runAllContracts']): Promise<readonly Tried[]> {
  const found: Pick<Tried, 'id' | 'run'>[] = []
  const harnesses = await load<{ memoryStorageHarness(): object }>('harnesses.ts')
  const memoryStorageHarness = () => ({ ...harnesses.memoryStorageHarness(), histories })
  const test = (id: string, run: Tried['run']): unknown => found.push({ id, run })
  const skip = (name: string): unknown => found.push({ id: name.split(' ')[0] ?? '', run: undefined })
  runAllContracts(Object.assign(test, { skip }), { ...harnesses, memoryStorageHarness })
  const cases: Tried[] = []
  for (const { id, run } of found) {
    reached = new Set()
    await run?.()
    cases.push({ id, run, reaches: reached, mutant: undefined })
  }
  return cases
}

type Verdict = 'passed' | 'failed' | 'hung'

interface Flaw {
  readonly flaw: string
  readonly breaks: readonly string[]
}

/** The fakes that have a flaw. That the cases notice them is tested where they are. */
async function flaws(): Promise<readonly Flaw[]> {
  const all = await load<{ readonly flaws: Readonly<Record<string, readonly Flaw[]>> }>('broken/all.ts')
  return Object.values(all.flaws).flat()
}

/** A module of the tests of test-kit: after the hooks, so that it meets the mutants. */
async function load<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(resolve(root, 'packages/test-kit/test', path)).href)) as Module
}

async function attempt({ run }: Tried, mutant: number): Promise<Verdict> {
  if (run === undefined) return 'passed'
  active = mutant
  asks = 0
  const before = performance.eventLoopUtilization()
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<Verdict>((resolve) => {
    timer = setInterval(() => {
      if (performance.eventLoopUtilization(before).idle > idleMillisMax) resolve('hung')
    }, 100)
  })
  const verdict = run().then(
    (): Verdict => 'passed',
    (error: unknown): Verdict => (isAssertion(error) ? 'failed' : 'passed'),
  )
  try {
    return await Promise.race([verdict, hung])
  } finally {
    clearInterval(timer)
    active = nothing
  }
}

/** A contract makes an assertion of whatever a case throws, and keeps it as the cause: that says little about the case. */
function isAssertion(error: unknown): boolean {
  return error instanceof AssertionError && error.cause === undefined
}
