import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { testExists, testsNamedIn } from './support/named-tests.ts'

const document = join(import.meta.dirname, '..', '..', 'docs', 'promises.md')
const lines = readFileSync(document, 'utf8').split('\n')
const rows = testsNamedIn(lines)

t.test('every promise names a test that exists', (t) => {
  t.ok(rows.length > 50, 'the table is read')
  for (const row of rows) t.ok(testExists(row), `${row.file} › ${row.name}`)
  t.end()
})

t.test('a test that does not exist is noticed', (t) => {
  t.notOk(testExists({ file: 'http-fastify/api/gate', name: 'no such test' }))
  t.notOk(testExists({ file: 'http-fastify/no-such-file', name: 'no token is 401 with the challenge alone' }))
  t.end()
})

t.test('every row of the tables was read', (t) => {
  const tableLines = lines.filter((line) => line.startsWith('| ') && !/^\| (statement|-)/.test(line))
  t.equal(rows.length, tableLines.length)
  t.end()
})
