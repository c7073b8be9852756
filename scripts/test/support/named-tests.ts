import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** A test that a document names: its file without `test/` and `.test.ts`, and its name. */
export interface NamedTest {
  readonly file: string
  readonly name: string
}

/** The tests that the rows of a document's tables name in their last column. */
export function testsNamedIn(lines: readonly string[]): NamedTest[] {
  return lines.flatMap((line) => {
    const [, file, name] = /\| `([\w/-]+)` › (.*?)\s*\|$/.exec(line) ?? []
    return file === undefined || name === undefined ? [] : [{ file, name }]
  })
}

/** Whether a test exists. `package/path` is below the tests of a package, `scripts/path` and `lab/path` below theirs. */
export function testExists({ file, name }: NamedTest): boolean {
  const [owner = '', ...path] = file.split('/')
  const home = ['scripts', 'lab'].includes(owner) ? owner : join('packages', owner)
  const source = join(root, home, 'test', `${path.join('/')}.test.ts`)
  if (!existsSync(source)) return false
  const text = readFileSync(source, 'utf8')
  return [`'`, '`'].some((quote) => text.includes(`test(${quote}${name}${quote}`))
}
