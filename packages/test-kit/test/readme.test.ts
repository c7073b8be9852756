import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as kit from '@sotto/test-kit'
import t from 'tap'
import { contracts } from './rules.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

t.test('`npm run write rules` prints every case of every contract with its rule', async (t) => {
  const program = fileURLToPath(new URL('../../../scripts/write.mjs', import.meta.url))
  const { stdout } = spawnSync(process.execPath, [program, 'rules'], { encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.startsWith('- '))
  const printed = lines.map((line) => /^- `([^`]+)`(?: \([^)]*\))?: (.*)$/.exec(line)?.slice(1))
  t.strictSame(
    printed,
    Object.values(contracts).flatMap((cases) => cases.map(({ id, rule }) => [id, rule])),
  )
})

t.test('every contract is in the list of rules, and every case has its own id and rule', async (t) => {
  const exported = Object.entries(kit).flatMap(([name, value]) =>
    name.endsWith('Contract') && Array.isArray(value) ? [name] : [],
  )
  t.strictSame(Object.keys(contracts).toSorted(), exported.toSorted(), 'the contracts that are exported')
  const cases = Object.values(contracts).flat()
  t.equal(new Set(cases.map(({ id }) => id)).size, cases.length, 'ids')
  const portAndRule = cases.map(({ id, rule }) => `${id.split('/')[0] ?? ''} ${rule}`)
  t.equal(new Set(portAndRule).size, cases.length, 'rules')
  for (const { id, rule } of cases) {
    t.match(id, /^[a-z-]+\/[a-z0-9-]+$/)
    t.match(rule, /^[A-Za-z`][^\n]*[a-z0-9)]\.$/, `the rule of ${id}`)
  }
})

t.test('storageContract is the contracts of its ports and the cases of the storage itself', async (t) => {
  const ports = Object.entries(contracts)
    .filter(([, cases]) => cases.every(({ id }) => kit.storageContract.some((each) => each.id === id)))
    .flatMap(([, cases]) => cases.map(({ id }) => id))
  t.strictSame(kit.storageContract.map(({ id }) => id).toSorted(), ports.toSorted())
})

for (const example of ['ports.test.ts', 'storage.test.ts', 'one-store.test.ts']) {
  t.test(`the example ${example} is in the README`, async (t) => {
    const source = readFileSync(new URL(`readme/${example}`, import.meta.url), 'utf8')
    t.ok(readme.includes(`\`\`\`ts\n${source}\`\`\``), 'to the letter')
  })
}
