import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testExists, testsNamedIn } from './support/named-tests.ts'

const root = join(import.meta.dirname, '..', '..')
const document = readFileSync(join(root, 'docs', 'bounds.md'), 'utf8')

t.test('every bound names a test that exists', (t) => {
  const lines = document.split('\n').filter((line) => line.startsWith('| '))
  const rows = testsNamedIn(lines)
  t.equal(
    rows.length,
    lines.filter((line) => !/^\| (what|source|rows|-)/.test(line)).length,
    'every row is read',
  )
  for (const row of rows) t.ok(testExists(row), `${row.file} › ${row.name}`)
  t.end()
})

t.test('every source with a Map or a Set that starts empty is named, and no other one', (t) => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['packages/test-kit/**'] })
  const growing = sources
    .filter((file) => /new (?:Weak)?(?:Map|Set)(?:<.*>)?\(\)/.test(readFileSync(join(root, file), 'utf8')))
    .map((file) => file.replace('packages/', ''))
  const named = [...document.matchAll(/`([\w-]+\/src\/[^`]+)`/g)].map(([, file]) => file)
  t.ok(growing.length > 20, 'the sources are read')
  t.strictSame(named.toSorted(), growing.toSorted())
  t.end()
})
