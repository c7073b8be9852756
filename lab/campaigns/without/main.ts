/**
 * Takes a capability out of a copy of the tree: its folders, its elements in the lists of the packages, and the few other places that name
 * it. Then the copy must compile, and its tests must pass.
 *
 *     npm run campaign without -- [requests|passkeys|single-sign-on|webhooks …]
 *
 * Without a name: all that can be taken out.
 */
import { conclude } from '../support/command.ts'
import { runWithoutCampaign } from './campaign.ts'
import { leaves } from './leaves.ts'

/** The remaining tests that are run. */
const tests: readonly string[] = [
  'packages/{core,identity,test-kit,storage-sql,wire,http-fastify,dashboard-fastify}/test',
  'packages/adapter-sqlite/test/contract.test.ts',
]

const words = process.argv.slice(2)
const unknown = words.find((word) => !leaves.some((leaf) => leaf.word === word))
if (unknown !== undefined) {
  console.error(`cannot take out ${unknown}\nusage: [${leaves.map(({ word }) => word).join('|')} …]`)
  process.exit(2)
}

const all: Record<string, string> = {}
const violations: string[] = []
for (const leaf of leaves.filter(({ word }) => words.length === 0 || words.includes(word))) {
  const result = await runWithoutCampaign({
    leaf,
    tests,
    onStep: (step) => {
      console.log(`${leaf.word}: ${step}`)
    },
  })
  const { folders, elements, otherPlaces, testPlaces, assertions } = result.figures
  const others = `${otherPlaces} other places, ${testPlaces} of tests`
  all[leaf.word] =
    `${folders} folders, ${elements} elements of lists, ${others}; ${assertions} assertions pass`
  for (const { file, why } of leaf.edits) console.log(`${leaf.word}: ${file}: ${why}`)
  for (const { file, why } of leaf.leftOut) console.log(`${leaf.word}: ${file} is left out: ${why}`)
  violations.push(...result.violations.map((each) => `${leaf.word}: ${each}`))
}
conclude(all, violations)
