import { readFileSync, writeFileSync } from 'node:fs'
import type { Outcome } from './campaign.ts'
import { justified } from './justified.ts'
import { isStrict } from './targets.ts'

/** How many mutants of a target were noticed, as the table of lab/mutation.md shows it. */
export interface Score {
  readonly mutants: number
  readonly killed: number
  /** Killed because the tests did not end. */
  readonly hung: number
  /** The part that was noticed, in percent with one digit. */
  readonly percent: string
}

export function scoreOf(outcomes: readonly Outcome[]): Score {
  const count = (what: Outcome['became']): number => outcomes.filter(({ became }) => became === what).length
  const [mutants, killed, hung] = [outcomes.length, count('killed'), count('hung')]
  return { mutants, killed, hung, percent: (Math.floor((1_000 * (killed + hung)) / mutants) / 10).toFixed(1) }
}

/** The survivors of strict targets that have no reason, as sentences. */
export function unexplainedIn(outcomes: readonly Outcome[]): readonly string[] {
  const survivors = outcomes.filter(({ became }) => became === 'survived' || became === 'unreached')
  return survivors
    .map(({ mutant }) => mutant)
    .filter(({ path, scope, name }) => {
      const reasons = justified[path] ?? []
      return isStrict(path) && !reasons.some((reason) => reason[0] === scope && reason[1] === name)
    })
    .map(({ path, line, name }) => `${path}:${line} ${name} survives`)
}

const page = new URL('../../mutation.md', import.meta.url)

/** Replaces the row of a target in the table of lab/mutation.md. */
export function writeScore(target: string, { mutants, killed, hung, percent }: Score): void {
  const cells = [
    `\`${target}\``.padEnd(15),
    ...[mutants, killed, hung, percent].map((each) => `${each}`.padStart(7)),
  ]
  const before = readFileSync(page, 'utf8')
  const row = new RegExp(`^\\| \`${target}\` .*$`, 'm')
  if (!row.test(before)) throw new Error(`lab/mutation.md has no row of ${target}`)
  writeFileSync(page, before.replace(row, `| ${cells.join(' | ')} |`))
}
