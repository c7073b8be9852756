/**
 * Tries mutants of the sources on their tests.
 *
 *     npm run campaign mutation -- [core|identity|opening|quota|crypto|group-commit|storage-sql|file-contents|fakes|FILE …] [--write]
 *
 * Without a name: all targets. `--write` puts the scores of targets into lab/mutation.md.
 */
import { parseArgs } from 'node:util'
import { conclude } from '../support/command.ts'
import { runMutationCampaign, type Outcome } from './campaign.ts'
import { scoreOf, unexplainedIn, writeScore } from './scores.ts'
import { leastPercent, partsOf, targets } from './targets.ts'

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const words = positionals.length === 0 ? Object.keys(targets) : positionals
const unknown = words.find((word) => partsOf(word) === undefined)
if (unknown !== undefined) {
  console.error(
    `no such target or source: ${unknown}\nusage: [${Object.keys(targets).join('|')}|FILE …] [--write]`,
  )
  process.exit(2)
}
const figures: Record<string, string> = {}
const violations: string[] = []
for (const word of words) {
  const outcomes: Outcome[] = []
  for (const part of partsOf(word) ?? [])
    outcomes.push(...(await runMutationCampaign({ ...part, onOutcome: show })))
  const score = scoreOf(outcomes)
  figures[word] = `${score.percent} % of ${score.mutants} mutants`
  violations.push(...unexplainedIn(outcomes))
  const least = leastPercent[word] ?? 0
  if (Number(score.percent) < least)
    violations.push(`of ${word} less than ${least} % of the mutants were noticed`)
  if (values.write && Object.hasOwn(targets, word)) writeScore(word, score)
}
conclude(figures, violations)

function show({ mutant, became }: Outcome, done: number, of: number): void {
  const { path, line, scope, name } = mutant
  if (became === 'survived' || became === 'unreached')
    console.log(`${became} ${path}:${line} ${scope}: ${name}`)
  if (done % 250 === 0) console.log(`${done} of ${of} mutants, ${Math.round(performance.now() / 1_000)} s`)
}
