import { findFreePort } from '@sotto/system'
import { expectOk } from '@sotto/test-kit'
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { comparable } from './support/comparable.ts'
import { openIn } from './support/installation.ts'
import {
  blocksOf,
  ended,
  exampleFile,
  installation,
  linesUntil,
  onThisMachine,
  shell,
  temporaryFolder,
} from './support/readme-examples.ts'

// Runs what the README shows, except for the set-up, which scripts/test/run tests, and packing, which scripts/check-packages.mjs does. Its
// adapter is run in test-kit.

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
const [startBlock, openBlock = 'false', , sendBlock = 'false', ...others] = blocksOf(readme, 'sh')
const [shown = ''] = blocksOf(readme, 'text')
const [answer = ''] = blocksOf(readme, 'json')
const [embedExample = '', diskExample = ''] = blocksOf(readme, 'ts')

// Promise (Documents): A first start prints what the README shows, and the commands that it prints work
t.test('a first start prints what the README shows, and all that it tells to type works', async (t) => {
  t.same([startBlock, others], ['npm start\n', []], 'every block has a test')
  const port = await findFreePort()
  const env = { ...installation(t), SOTTO_PORT: String(port) }
  const server = spawn(process.execPath, [main, 'serve'], { env })
  t.teardown(() => ended(server))
  const printed = await linesUntil(server, /token create --account/)
  const here = (text: string) => comparable(text).replaceAll(`:${port}`, ':3000')
  const [shownStart = ''] = here(shown).split('…')
  t.equal(here(printed).slice(0, shownStart.length), shownStart)

  const first = await shell(/^ {2}(curl .*)$/m.exec(printed)?.[1] ?? 'false', env)
  const [, link] = /"url":"([^"]+)/.exec(first) ?? []
  const opened = await shell(onThisMachine(openBlock, port), { ...env, LINK: link })
  t.equal(comparable(JSON.stringify(JSON.parse(opened))), comparable(JSON.stringify(JSON.parse(answer))))

  const { SOTTO_DATA_DIR: HOME } = installation(t)
  const TOKEN = /sotto_\w+/.exec(printed)?.[0]
  const remote = { PATH: process.env['PATH'], HOME, TOKEN }
  t.match(await shell(onThisMachine(sendBlock, port), remote), /client\.json\nadmin \/ correct horse$/)
})

// Promise (Documents): The README's embedding example prints a link that opens once
t.test('the README’s embedding example prints a link that opens once', async (t) => {
  const port = await findFreePort()
  const text = embedExample.replaceAll('4000', String(port))
  t.not(text, embedExample)
  const app = spawn(process.execPath, [exampleFile(t, 'embed', text)])
  t.teardown(() => ended(app))
  const link = (await linesUntil(app, /^http/)).trim().replace('localhost', '127.0.0.1')
  const page = await fetch(link, { headers: { accept: 'text/html' } })
  t.match([page.status, await page.text()], [200, /<form/])
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const open = () => fetch(link, { method: 'POST', headers, body: '{}' })
  t.match(await (await open()).json(), { data: { note: 'admin / correct horse', opens_left: 0 } })
  t.equal((await open()).status, 404)
})

t.test('the README’s example on a disk is short, and keeps what it makes', async (t) => {
  t.ok(diskExample.split('\n').length - 1 <= 20)
  const cwd = temporaryFolder(t)
  const tokens = []
  for (let run = 0; run < 2; run += 1) {
    const { stdout } = await promisify(execFile)(process.execPath, [exampleFile(t, 'disk', diskExample)], {
      cwd,
    })
    tokens.push(stdout.trim())
  }
  const { sotto, close } = await openIn(cwd)
  for (const token of tokens) t.equal(expectOk(await sotto.openSecret({ token })).note, 'ring twice')
  await close()
})
