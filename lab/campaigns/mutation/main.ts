/**
 * Tries mutants of the sources on their tests.
 *
 *     npm run campaign mutation -- [core|identity|opening|quota|crypto|group-commit|storage-sql|file-contents|fakes|FILE …] [--write]
 *
 * Without a name: all targets. `--write` keeps the scores in lab/mutation.json and lab/mutation.md.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { conclude } from '../support/command.ts'
import { runMutationCampaign, type Outcome } from './campaign.ts'
import { reportOf } from './report.ts'
import { percentOf, readScores, scoresFile, scoresOf, unexplainedOf, type Scores } from './scores.ts'
import { isStrict, partsOf, sourcesOf, targets, type Part } from './targets.ts'
import { pageFile, write } from './write-page.ts'

/** What of the mutants of core and identity the tests have to notice, in percent. */
const coreLeast = 90

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const scores: Record<string, Scores[string]> = {}
for (const part of chosenParts()) {
  const outcomes = await runMutationCampaign({ ...part, onOutcome: show })
  Object.assign(scores, scoresOf(outcomes))
  if (values.write) await keep({ ...readScores(), ...scores })
}
finish()

function chosenParts(): readonly Part[] {
  if (positionals.length === 0) {
    // The core's contain those of opening and of the quota's use-case.
    const core = targets.core.flatMap(sourcesOf)
    const others = Object.values(targets)
      .flat()
      .filter((part: Part) => !sourcesOf(part).every((path) => core.includes(path)))
    return [...others, ...targets.core]
  }
  return positionals.flatMap((word) => {
    const parts = partsOf(word)
    if (parts !== undefined) return parts
    console.error(
      `no such target or source: ${word}\nusage: [${Object.keys(targets).join('|')}|FILE …] [--write]`,
    )
    process.exit(2)
  })
}

function show({ mutant, became }: Outcome, done: number, of: number): void {
  const { path, line, scope, name } = mutant
  if (became === 'survived' || became === 'unreached')
    console.log(`${became} ${path}:${line} ${scope}: ${name}`)
  if (done % 250 === 0) console.log(`${done} of ${of} mutants, ${seconds()} s`)
}

function seconds(): number {
  return Math.round(performance.now() / 1_000)
}

/** Keeps the scores of the sources that there are. */
async function keep(all: Scores): Promise<void> {
  const present = Object.entries(all).filter(([path]) =>
    existsSync(resolve(import.meta.dirname, '../../..', path)),
  )
  const sorted = Object.fromEntries(present.toSorted(([one], [other]) => (one < other ? -1 : 1)))
  await write(scoresFile, JSON.stringify(sorted))
  await write(pageFile, reportOf(sorted))
}

function finish(): void {
  const entries = Object.entries(scores)
  for (const [path, score] of entries) console.log(`${percentOf([score]).padStart(5)} % ${path}`)
  const ofCore = entries
    .filter(([path]) => /^packages\/(?:core|identity)\//.test(path))
    .map(([, score]) => score)
  const isWhole =
    positionals.length === 0 || (positionals.includes('core') && positionals.includes('identity'))
  const unexplained = entries
    .filter(([path]) => isStrict(path))
    .flatMap(([path, score]) =>
      unexplainedOf(path, score).map(({ line, name }) => `${path}:${line} ${name} survives`),
    )
  const isLow = isWhole && Number(percentOf(ofCore)) < coreLeast
  conclude(
    {
      files: entries.length,
      mutants: entries.reduce((sum, [, { mutants }]) => sum + mutants, 0),
      percent: percentOf(entries.map(([, score]) => score)),
    },
    [
      ...unexplained,
      ...(isLow ? [`less than ${coreLeast} % of the mutants of core and identity were noticed`] : []),
    ],
  )
}
