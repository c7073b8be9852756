import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { promises } from '../promises.mjs'

const root = join(import.meta.dirname, '..', '..')

t.test('each promise stands above a test, and all of them are printed', (t) => {
  const files = globSync('{packages/*,scripts,lab}/test/**/*.test.ts', { cwd: root })
  const tags = files.flatMap(
    (file) => readFileSync(join(root, file), 'utf8').match(/^\s*\/\/ Promise \(/gm) ?? [],
  )
  const printed = [...promises().values()].flat()
  t.ok(printed.length > 300, 'the comments are read')
  t.equal(printed.length, tags.length)
  for (const line of printed) t.match(line, /\S: (?:packages|scripts|lab)\/\S+ › \S/)
  t.end()
})
