import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startLyingProvider } from './support/lying-provider.ts'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

t.test('the example of the README begins a sign-in, and ends', async (t) => {
  const [, example = ''] = /^```ts\n([^]*?)^```$/m.exec(readme) ?? []
  const file = join(import.meta.dirname, `readme-example-${process.pid}.ts`)
  writeFileSync(file, example)
  t.teardown(() => {
    rmSync(file)
  })
  const provider = await startLyingProvider(() => 0)
  t.teardown(() => provider.setReachable(false))
  const env = { ...process.env, ISSUER: provider.issuer }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  t.equal(stdout, `${new URL(provider.issuer).host}\n`)
})
