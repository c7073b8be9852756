import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

t.test("the README's example prints what it says", async (t) => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  const [, example = ''] = /^```ts\n([^]*?)^```$/m.exec(readme) ?? []
  // A file of this package, so that it finds the package by its name.
  const file = join(import.meta.dirname, `readme-example-${process.pid}.ts`)
  writeFileSync(file, example)
  t.teardown(() => rmSync(file))
  const cwd = t.testdir()
  const run = (): string => execFileSync(process.execPath, [file], { cwd, encoding: 'utf8' })
  t.match(run(), /^\d{16}\ntrue\n$/)
  t.match(run(), /^\d{16}\nfalse\n$/)
  t.strictSame(readdirSync(cwd), ['report.txt'])
})
