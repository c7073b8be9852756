import fc from 'fast-check'
import { anyCommand } from './commands.ts'
import { createStorages, type StorageName, type Storages } from './storages.ts'
import { compareViews } from './view.ts'
import { ask, closeWorld, openWorld, type Breakage, type World } from './world.ts'

export interface ModelOptions {
  readonly runs: number
  /** Commands of one run, on average: a run has up to twice as many. */
  readonly steps: number
  /** A seed always gives the same runs. */
  readonly seed: number
  readonly storages: readonly StorageName[]
  /** Only this run, for a divergence that was found in it. */
  readonly only?: number | undefined
  readonly breakage?: Breakage | undefined
  /** Called after each run. */
  readonly onRun?: (figures: ModelFigures) => void
}

export interface ModelFigures {
  runs: number
  commands: number
  /** Answers of all storages that were compared. */
  answers: number
  /** How often each use-case answered what. */
  readonly tally: Map<string, number>
}

export interface ModelOutcome {
  readonly figures: ModelFigures
  /** What differed, and the fewest commands that lead there. */
  readonly divergence: { readonly run: number; readonly text: string } | undefined
}

/** Runs random commands on the whole core, on several storages in step, and compares their answers with each other and with the rules. */
export async function runModelCampaign(options: ModelOptions): Promise<ModelOutcome> {
  const { runs, steps, seed, only, onRun = () => undefined } = options
  const figures: ModelFigures = { runs: 0, commands: 0, answers: 0, tally: new Map() }
  const storages = createStorages()
  const property = fc.asyncProperty(
    fc.commands([anyCommand], { maxCommands: 2 * steps, size: 'max' }),
    async (commands) => {
      const world = await runOnce(options, storages, commands)
      figures.runs += 1
      figures.commands += world.log.length
      figures.answers += world.answers
      for (const [kind, count] of world.tally) figures.tally.set(kind, (figures.tally.get(kind) ?? 0) + count)
      onRun(figures)
    },
  )
  try {
    const path = only === undefined ? {} : { path: String(only) }
    const { failed, counterexamplePath, errorInstance } = await fc.check(property, {
      seed,
      numRuns: only === undefined ? runs : 1,
      ...path,
    })
    if (!failed) return { figures, divergence: undefined }
    const text = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    return { figures, divergence: { run: Number((counterexamplePath ?? '').split(':')[0]), text } }
  } finally {
    await storages.stop()
  }
}

async function runOnce(
  { storages: names, breakage }: ModelOptions,
  storages: Storages,
  commands: Iterable<fc.AsyncCommand<World, World>>,
): Promise<World> {
  const world = await openWorld({ storages, names, breakage })
  try {
    const { value } = await ask(world, 'inviteAccount', { email: 'owner@example.org' })
    const chosen = { password: 'a good long pass wörd', address: '192.0.2.1' }
    await ask(world, 'choosePassword', { token: value?.token ?? '', ...chosen })
    await fc.asyncModelRun(() => ({ model: world, real: world }), commands)
    await compareViews(world, 2)
    return world
  } catch (error) {
    const steps = world.log.map((step, at) => `\n  ${at + 1}. ${step}`)
    const text = error instanceof Error ? error.message : String(error)
    throw new Error(`${text}\nafter${steps.join('')}`, { cause: error })
  } finally {
    await closeWorld(world)
  }
}
