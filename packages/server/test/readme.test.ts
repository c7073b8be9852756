import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import {
  blocksOf,
  ended,
  exampleFile,
  freePort,
  linesUntil,
  temporaryFolder,
} from './support/readme-examples.ts'

// Runs the commands and examples of the README.

const run = promisify(execFile)
const packageRoot = join(import.meta.dirname, '..')
const main = join(packageRoot, 'src', 'main.ts')
const readme = readFileSync(join(packageRoot, '..', '..', 'README.md'), 'utf8')
const [embedExample = '', coreExample = ''] = blocksOf(readme, 'ts')

t.test('the commands of the README work', async (t) => {
  const home = temporaryFolder(t)
  const port = await freePort()
  const env = {
    ...process.env,
    SOTTO_DATA_DIR: join(home, 'data'),
    SOTTO_KEYS_FILE: join(home, 'k', 'keys.json'),
  }
  const server = spawn(process.execPath, [main, 'serve'], { env: { ...env, SOTTO_PORT: String(port) } })
  t.teardown(() => ended(server))
  const printed = await linesUntil(server, /token create --account/)

  const curl = /^ {2}(curl .*)$/m.exec(printed)?.[1]
  t.ok(curl, 'the first start prints a line to paste')
  const first = await shell(curl ?? 'false', env)
  t.match(JSON.parse(first), { success: true, data: { label: 'First secret' } })

  const known = { TOKEN: /sotto_\w+/.exec(printed)?.[0], FOLDER: /"folder_id":"([^"]+)/.exec(printed)?.[1] }
  const answers: string[] = []
  for (const block of blocksOf(readme, 'sh')) {
    const link = /"url":"([^"]+)/.exec(answers.join('\n'))?.[1]
    const secret = /"data":\{"id":"([^"]+)/.exec(answers.join('\n'))?.[1]
    answers.push(await shell(onThisMachine(block, port), { ...env, ...known, LINK: link, SECRET: secret }))
  }
  const [folders, created, opened, listed, sent, commands] = answers
  t.match(JSON.parse(folders ?? ''), { success: true, data: [{ label: 'Inbox', secrets_count: 1 }] })
  t.match(JSON.parse(created ?? ''), { success: true, data: { label: 'Router' } })
  t.match(JSON.parse(opened ?? ''), { success: true, data: { note: 'admin / correct horse', opens_left: 0 } })
  t.match(listed, /"label":"First secret"[^]*\{"success":true,"version":"1.0","data":\{"id":/)
  t.equal(sent, 'admin / correct horse')
  t.match(commands, /Door codes[^]*Usage: sotto/)
  t.equal(answers.length, 6, 'every block was run')
})

t.test('the embedding example serves the API, the links and its own route', async (t) => {
  const home = temporaryFolder(t)
  const port = await freePort()
  const file = exampleFile(t, 'embed', embedExample)
  const env = {
    ...process.env,
    SOTTO_DATA_DIR: join(home, 'data'),
    SOTTO_KEYS_FILE: join(home, 'k', 'keys.json'),
    SOTTO_PORT: String(port),
  }
  const app = spawn(process.execPath, [file], { env, stdio: 'inherit' })
  t.teardown(() => ended(app))
  const base = `http://127.0.0.1:${port}`
  t.equal(await (await retried(`${base}/hello`)).text(), 'My own route.')
  const api = await fetch(`${base}/api/folders`)
  t.equal(api.status, 401)
  t.equal(api.headers.get('x-ratelimit-limit'), '60')
  const dead = await fetch(`${base}/${'A'.repeat(43)}`, { headers: { accept: 'text/html' } })
  t.equal(dead.status, 404)
  t.match(dead.headers.get('content-type'), /^text\/html/)
})

t.test('the core’s example prints the note', async (t) => {
  const { stdout } = await run(process.execPath, [exampleFile(t, 'core', coreExample)])
  t.equal(stdout, 'admin / correct horse\n')
})

function onThisMachine(block: string, port: number): string {
  return block
    .replaceAll('http://localhost:3000', `http://127.0.0.1:${port}`)
    .replaceAll('npm run --silent sotto --', `'${process.execPath}' '${main}'`)
}

async function shell(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  return (await run('bash', ['-euo', 'pipefail', '-c', script], { env })).stdout
}

/** Repeats the request until a server listens. */
async function retried(url: string): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await fetch(url)
    } catch (error) {
      if (tries === 200) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
