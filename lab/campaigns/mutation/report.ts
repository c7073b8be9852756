import { percentOf, unexplainedOf, type Score, type Scores } from './scores.ts'
import { sourcesOf, strictTargets, targets, type TargetName } from './targets.ts'

const introduction = `# Mutation testing

\`npm run campaign mutation\` changes the sources in one small way at a time, a _mutant_, and runs the tests that reach the change. A mutant that
no test notices has survived: either a rule has no test, or the change makes no difference. \`npm run campaign mutation -- --write\` keeps the
scores and writes this page; \`npm run write mutation\` writes it from the scores that are kept.

## What is changed

- Conditions become always true and always false; \`&&\` and \`||\`, \`===\` and \`!==\`, arithmetic operators change places; of \`??\` one side is taken.
- Comparisons move by one: \`<\` becomes \`<=\`, and becomes \`>=\`. Numbers grow by one, large factors double.
- \`true\`, \`false\`, \`!\`, \`-\`, strings, regular expressions (anchors, counts), objects, arrays and what is spread into them.
- Calls: a statement is removed; a function does nothing, or returns \`undefined\`; \`min\` and \`max\`, \`some\` and \`every\`, \`isOk\` and \`isErr\` change
  places; \`filter\`, \`slice\`, \`sort\` and the like are left out; \`?.\` becomes \`.\`.
- In SQL: comparisons, \`AND\`, \`OR\`, \`NOT\`, \`min\`, \`ORDER BY\`, additions.

Left alone are types, imports, and what a \`TypeError\` or another error is constructed from: messages may change.

## How it runs

The sources are not touched. One process loads them with all their mutants, each behind a switch, and runs a test function again for each
mutant that it reaches, on tap's own assertions. A mutant in code that runs when a module is loaded is tried with the modules loaded
again. At most 60 tests are tried on a mutant, those nearest to its source first, then those whose names have a word of the name of its file.
A test that reads what the others of its file have done is left out. Tests that do not end count as having noticed the mutant, if they do not
end a second time either, in a new process and with three times as long to wait. Values that tests draw at random are the same in every run.
At the end all tests must pass again without a mutant.
`

/** The page about kept scores. */
export function reportOf(scores: Scores): string {
  const entries = Object.entries(scores)
  const packages = Map.groupBy(entries, ([path]) => path.split('/')[1] ?? '')
  const rows = [...packages].map(([name, files]) => rowOf(`\`${name}\``, files))
  return [
    introduction,
    '## Scores\n',
    'Mutants with a reason to survive count as not noticed. [mutation.json](mutation.json) has the scores and the survivors of each file,',
    '[justified.ts](campaigns/mutation/justified.ts) the reasons.\n',
    '| package | mutants | killed | hung | survived with a reason | survived without | % |',
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...rows,
    `${rowOf('all', entries)}\n`,
    `${strictness(scores)}\n`,
  ].join('\n')
}

/** The targets that have a reason for every survivor, and those that were not tried yet. */
function strictness(scores: Scores): string {
  const isKept = (name: TargetName): boolean =>
    targets[name].every((part) => sourcesOf(part).every((path) => Object.hasOwn(scores, path)))
  const named = (names: readonly TargetName[]): string => names.map((name) => `\`${name}\``).join(', ')
  const kept = `Every survivor of these targets has a reason: ${named(strictTargets.filter(isKept))}.`
  const missing = strictTargets.filter((name) => !isKept(name))
  return missing.length === 0 ? kept : `${kept} Not kept yet are the scores of ${named(missing)}.`
}

function rowOf(name: string, files: readonly (readonly [path: string, score: Score])[]): string {
  const sum = (of: (score: Score, path: string) => number): number =>
    files.reduce((total, [path, score]) => total + of(score, path), 0)
  const survived = sum(({ survivors }) => survivors.length)
  const without = sum((score, path) => unexplainedOf(path, score).length)
  const counts = [sum(({ mutants }) => mutants), sum(({ killed }) => killed), sum(({ hung }) => hung)]
  const percent = percentOf(files.map(([, score]) => score))
  return `| ${name} | ${[...counts, survived - without, without, percent].join(' | ')} |`
}
