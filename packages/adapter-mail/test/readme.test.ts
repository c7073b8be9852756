import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startServer } from './support/smtp-server.ts'

const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')

t.test('the example of the README sends a mail, and ends', async (t) => {
  const [, example = ''] = /^```ts\n([^]*?)^```$/m.exec(readme) ?? []
  const file = join(import.meta.dirname, `readme-example-${process.pid}.ts`)
  writeFileSync(file, example)
  t.teardown(() => {
    rmSync(file)
  })
  const server = await startServer(t)
  const env = { ...process.env, SMTP_URL: `smtp://127.0.0.1:${server.port}` }
  const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
  t.equal(stdout, 'sent\n')
  t.match(server.received, [{ from: 'sotto@example.org', to: ['ada@example.org'] }])
})
