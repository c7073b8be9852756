import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testExists, testsNamedIn } from './support/named-tests.ts'

const document = readFileSync(join(import.meta.dirname, '..', '..', 'lab', 'reliability.md'), 'utf8')

t.test('what a process remembers names a test that breaks it', (t) => {
  const [, section = ''] = document.split('### What a process remembers of what others may change')
  const [table = ''] = section.split('\n## ')
  const lines = table.split('\n').filter((line) => line.startsWith('| '))
  const rows = testsNamedIn(lines)
  t.ok(rows.length > 10, 'the table is read')
  t.equal(rows.length, lines.filter((line) => !/^\| (?:what|-)/.test(line)).length, 'every row is read')
  for (const row of rows) t.ok(testExists(row), `${row.file} › ${row.name}`)
  t.end()
})
