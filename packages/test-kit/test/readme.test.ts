import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as kit from '@sotto/test-kit'
import t from 'tap'
import { contracts, readmeUrl, withCases } from './readme/cases.ts'

const readme = readFileSync(readmeUrl, 'utf8')

t.test('the README lists every case as it is', async (t) => {
  t.equal(readme, withCases(readme), 'run `node test/readme/cases.ts` in packages/test-kit')
})

t.test('every contract is in the README, and every case has an id and a sentence of its own', async (t) => {
  const cases = Object.values(contracts).flat()
  t.strictSame(
    Object.keys(contracts).toSorted(),
    Object.keys(kit).filter((name) => name.endsWith('Contract')),
    'the contracts that are exported',
  )
  t.equal(new Set(cases.map(({ id }) => id)).size, cases.length, 'ids')
  t.equal(
    new Set(cases.map(({ id, rule }) => `${id.split('/')[0] ?? ''} ${rule}`)).size,
    cases.length,
    'rules',
  )
  for (const { id, rule } of cases) {
    t.match(id, /^[a-z-]+\/[a-z0-9-]+$/)
    t.match(rule, /^[A-Za-z].*[a-z0-9)]\.$/, `the rule of ${id}`)
  }
})

for (const example of ['random.node-test.ts', 'storage.test.ts']) {
  t.test(`the example ${example} stands in the README`, async (t) => {
    const source = readFileSync(new URL(`readme/${example}`, import.meta.url), 'utf8')
    t.ok(readme.includes(`\`\`\`ts\n${source}\`\`\``), 'to the letter')
  })
}

t.test("the README's first example runs", async (t) => {
  const file = fileURLToPath(new URL('readme/random.node-test.ts', import.meta.url))
  const { status, stdout } = spawnSync(process.execPath, ['--test', file], { encoding: 'utf8' })
  t.equal(status, 0, stdout)
  t.match(stdout, /pass 5/)
})
