import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')
const rows = readFileSync(join(root, 'docs', 'promises.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, file, name] = /\| `([\w/-]+)` › (.*?)\s*\|$/.exec(line) ?? []
    return file === undefined || name === undefined ? [] : [{ file, name }]
  })

t.test('every promise names a test that exists', (t) => {
  t.ok(rows.length > 50, 'the table is read')
  for (const { file, name } of rows) t.ok(hasTest(file, name), `${file} › ${name}`)
  t.end()
})

t.test('a test that does not exist is noticed', (t) => {
  t.notOk(hasTest('http-fastify/api/gate', 'no such test'))
  t.notOk(hasTest('http-fastify/no-such-file', 'no token is 401 with the challenge alone'))
  t.end()
})

t.test('every row of the tables was read', (t) => {
  const lines = readFileSync(join(root, 'docs', 'promises.md'), 'utf8').split('\n')
  const tableLines = lines.filter((line) => line.startsWith('| ') && !/^\| (statement|-)/.test(line))
  t.equal(rows.length, tableLines.length)
  t.end()
})

/** @param file `package/path` below the package's tests, without `.test.ts` */
function hasTest(file: string, name: string): boolean {
  const [packageName = '', ...path] = file.split('/')
  const source = join(root, 'packages', packageName, 'test', `${path.join('/')}.test.ts`)
  if (!existsSync(source)) return false
  const text = readFileSync(source, 'utf8')
  return [`'`, '`'].some((quote) => text.includes(`test(${quote}${name}${quote}`))
}
