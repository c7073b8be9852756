import { findFreePort } from '@sotto/system'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { blocksOf, ended, exampleFile, installation } from './support/readme-examples.ts'

// Runs the examples of docs/embed.md.

const document = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'embed.md'), 'utf8')
const [embedExample = '', coreExample = '', ...others] = blocksOf(document, 'ts')

t.test('the embedding example serves the API, the links and its own route', async (t) => {
  t.same(others, [], 'every block has a test')
  const port = await findFreePort()
  const env = { ...installation(t), SOTTO_PORT: String(port) }
  const app = spawn(process.execPath, [exampleFile(t, 'embed', embedExample)], { env, stdio: 'inherit' })
  t.teardown(() => ended(app))
  const base = `http://127.0.0.1:${port}`
  t.equal(await (await retried(`${base}/hello`, app)).text(), 'My own route.')
  const api = await fetch(`${base}/api/folders`)
  t.equal(api.status, 401)
  t.equal(api.headers.get('x-ratelimit-limit'), '60')
  const dead = await fetch(`${base}/${'A'.repeat(43)}`, { headers: { accept: 'text/html' } })
  t.equal(dead.status, 404)
  t.match(dead.headers.get('content-type'), /^text\/html/)
})

t.test('the core’s example prints the note', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [exampleFile(t, 'core', coreExample)])
  t.equal(stdout, 'admin / correct horse\n')
})

/** Repeats the request until a server listens. */
async function retried(url: string, server: ChildProcess): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url)
    } catch (error) {
      if (server.exitCode !== null) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
