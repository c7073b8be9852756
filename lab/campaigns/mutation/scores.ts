import { readFileSync } from 'node:fs'
import type { Outcome } from './campaign.ts'
import { reasonOf } from './justified.ts'

/** What became of the mutants of one file. */
export interface Score {
  readonly mutants: number
  readonly killed: number
  /** Killed because the tests did not end. */
  readonly hung: number
  /** The mutants that no test has noticed. */
  readonly survivors: readonly Survivor[]
}

export interface Survivor {
  readonly line: number
  readonly scope: string
  readonly name: string
  /** No test runs this code. */
  readonly unreached?: true
}

export type Scores = Readonly<Record<string, Score>>

/** The kept scores: those of the last run of each file. */
export const scoresFile = new URL('../../mutation.json', import.meta.url)

export function readScores(): Scores {
  return JSON.parse(readFileSync(scoresFile, 'utf8')) as Scores
}

/** Scores by file. */
export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const byPath = Map.groupBy(outcomes, ({ mutant }) => mutant.path)
  return Object.fromEntries([...byPath].map(([path, all]) => [path, scoreOf(all)]))
}

function scoreOf(outcomes: readonly Outcome[]): Score {
  const count = (what: Outcome['became']): number => outcomes.filter(({ became }) => became === what).length
  const survivors = outcomes
    .filter(({ became }) => became === 'survived' || became === 'unreached')
    .map(({ mutant: { line, scope, name }, became }) => ({
      line,
      scope,
      name,
      ...(became === 'unreached' ? { unreached: true as const } : {}),
    }))
  return { mutants: outcomes.length, killed: count('killed'), hung: count('hung'), survivors }
}

/** The part of the mutants that was noticed, in percent with one digit. Those with a reason to survive count as not noticed. */
export function percentOf(scores: readonly Pick<Score, 'mutants' | 'killed' | 'hung'>[]): string {
  const sum = (of: (score: (typeof scores)[number]) => number): number =>
    scores.reduce((total, score) => total + of(score), 0)
  const noticed = sum(({ killed, hung }) => killed + hung)
  return (Math.floor((1_000 * noticed) / sum(({ mutants }) => mutants)) / 10).toFixed(1)
}

/** The survivors of a file that have no reason. */
export function unexplainedOf(path: string, { survivors }: Score): readonly Survivor[] {
  return survivors.filter(({ scope, name }) => reasonOf({ path, scope, name }) === undefined)
}
